// @ts-check
/** The lesson of Les Évadés, by the rules that are played, and its pictures. */
import { markup, raw } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { boatLayers, disc, places, THICK } from './drawings.js';

/** @typedef {import('../lib/dom.js').Markup} Markup */

/** A drawing at a place within another one, its middle at the bottom there.
 * @param {Markup} drawing @param {number} x @param {number} y @param {number} width @param {number} height */
const at = (drawing, x, y, width, height) =>
  raw(
    drawing.text.replace('<svg ', `<svg x="${x - width / 2}" y="${y - height}" width="${width}" height="${height}" `),
  );

/** A pawn that stands at a point. @param {string} pawn @param {number} x @param {number} y */
const standing = (pawn, x, y) => at(disc(pawn), x, y + 22, 72, 66);

/** A boat with those who sit in it. @param {number} x @param {number} boat @param {string[]} pawns */
function boatPicture(x, boat, ...pawns) {
  const { back, front } = boatLayers(boat), layer = (/** @type {Markup} */ one) => at(one, 0, 54, 220, 150);
  return markup`<g transform="translate(${x} 96)">${layer(back)}${
    pawns.map((pawn, i) => standing(pawn, places(boat)[i][0], places(boat)[i][1]))
  }${layer(front)}</g>`;
}

/** Where the pips of a die are, on a field of 40 × 40. */
const PIPS = [
  '',
  '20 20',
  '11 11,29 29',
  '11 11,20 20,29 29',
  '11 11,29 29,11 29,29 11',
  '11 11,29 29,11 29,29 11,20 20',
];

/** A die that shows a number. @param {number} x @param {number} y @param {string} fill @param {string} ink @param
 * {number} number */
const die = (x, y, fill, ink, number) =>
  markup`<g transform="translate(${x} ${y})"><rect width="40" height="40" rx="7" fill="${fill}" stroke="#0b0a12"
    stroke-width="2"/>${
    PIPS[number].split(',').map((pip) => pip.split(' ')).map(([cx, cy]) =>
      markup`<circle cx="${cx}" cy="${cy}" r="4.4" fill="${ink}"/>`
    )
  }</g>`;

/** Spaces of the path, beside each other. @param {number} n */
const path = (n) =>
  Array.from(
    { length: n },
    (_, i) =>
      markup`<ellipse cx="${50 + i * 84}" cy="120" rx="38" ry="22" fill="#d8c79a" stroke="#5b4426" stroke-width="3"/>`,
  );

/** An arrow between two spaces. @param {number} from @param {number} to */
function arrow(from, to) {
  const a = 50 + from * 84, b = 50 + to * 84, looks = to < from ? 'arrow back' : 'arrow';
  return markup`<path class="${looks}" d="M${a} 66C${a} 18 ${b} 18 ${b} 62"/>
    <path class="${looks} tip" d="M${b - 13} 50L${b} 66 ${b + 13} 50"/>`;
}

/** @param {unknown} inside @param {string} box */
const picture = (inside, box = '0 0 610 150') =>
  markup`<svg class="picture" viewBox="${box}" aria-hidden="true">${inside}</svg>`;

/** @param {string} text @param {Record<string, unknown>} [values] */
const say = (text, values) => t(`learn.evades.${text}`, values);

/** @param {import('../faces.js').Played} played @returns {import('../faces.js').LessonStep[]} */
export function steps({ rules }) {
  const limit = rules['turn-limit'];
  return [
    { name: 'goal', says: [say('goal.says')] },
    {
      name: 'bet',
      says: [say('bet.says')],
      picture: picture(
        [
          boatPicture(110, 1, 'b', 'r'),
          boatPicture(330, 2, 'y', 'l'),
          boatPicture(550, 3, 'o', 'd'),
          boatPicture(755, 4, 'n'),
        ],
        '0 0 860 150',
      ),
    },
    {
      name: 'turn',
      says: [say('turn.says'), say('turn.fewer'), say('turn.must')],
      picture: picture([
        path(7),
        standing('b', 50, 120),
        standing('r', 302, 120),
        arrow(0, 2),
        arrow(3, 6),
        die(112, 6, '#2f6fc0', '#fff', 2),
        die(408, 6, '#c2332c', '#fff', 3),
      ]),
    },
    {
      name: 'stack',
      says: [say('stack.says'), say(rules['count-jumped'] === 'off' ? 'stack.skip' : 'stack.count')],
      picture: picture([
        path(7),
        markup`<g class="under">${standing('r', 218, 120)}</g>`,
        standing('b', 218, 120 - THICK),
        arrow(0, 2),
      ]),
    },
    {
      name: 'white',
      says: [say('white.says'), say('white.not')],
      picture: picture([path(7), standing('d', 470, 120), arrow(5, 1), die(282, 2, '#f5f3ec', '#1a2238', 4)]),
    },
    { name: 'end', says: [say('end.says', { n: rules.length }), say('end.last')] },
    {
      name: 'score',
      says: [say('score.says'), say('score.drawn'), ...(limit ? [say('score.limit', { n: limit })] : [])],
    },
  ];
}
