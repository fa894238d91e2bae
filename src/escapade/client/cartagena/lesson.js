// @ts-check
/** Cartagena's lesson, by the rules that are played, and its pictures. */
import { markup, raw } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { icon, pirate } from './drawings.js';
import { boat, fort } from './ground.js';
import { symbolsOf, thing } from './symbols.js';

/** @typedef {import('../faces.js').Played} Played */
/** @typedef {import('./symbols.js').SymbolSet} SymbolSet */

const BLUE = 0, RED = 1, GREEN = 2;

/** The two ends of the tunnel. @type {Record<string, import('../lib/dom.js').Markup>} */
const ENDS = {
  prison: raw(`<svg class="end" viewBox="0 0 124 124">${fort({ x: 8, y: 14, width: 108, height: 106 })}</svg>`),
  boat: raw(
    `<svg class="end" viewBox="-130 -192 260 254">${
      boat({ boat: { x: 0, y: 0, scale: 1, left: false }, beside: true })
    }</svg>`,
  ),
};

/** A piece of tunnel: each space's symbol and the pirates on it. An arrow leads from one space to another, with what is
 * played or drawn.
 * @param {SymbolSet} set @param {[string, ...number[]][]} spaces @param {{ from: number, to: number, note: unknown }}
 * [move] */
function tunnel(set, spaces, move) {
  const a = (move?.from ?? 0) * 100 + 50, b = (move?.to ?? 0) * 100 + 50;
  const arrow = move &&
    markup`<svg viewBox="0 0 700 84"><path d="M${a} 80C${a} 6 ${b} 6 ${b} 70M${b - 15} 54L${b} 74 ${
      b + 15
    } 54"/></svg>${move.note}`;
  return markup`<div class="strip ${move && move.to < move.from && 'back'}" aria-hidden="true">${arrow}<ol>${
    spaces.map(([place, ...pirates], i) =>
      markup`<li class="${place in ENDS && 'open'} ${i === move?.to && 'goal'}">${
        ENDS[place] ?? icon(set[place])
      }<span>${pirates.map(pirate)}</span></li>`
    )
  }</ol></div>`;
}

/** @param {SymbolSet} set @param {string} letter */
const card = (set, letter) => markup`<span class="card">${icon(set[letter])}</span>`;

/** The six symbols with their names. @param {SymbolSet} set */
const symbols = (set) =>
  markup`<ul class="symbols">${
    Object.keys(set).map((letter) =>
      markup`<li><span class="card">${icon(set[letter])}</span><span>${thing(set, letter, 'short')}</span></li>`
    )
  }</ul>`;

/** @param {string} path @param {Record<string, unknown>} [values] */
const say = (path, values) => t(`learn.cartagena.${path}`, values);

/** @param {Played} played @returns {import('../faces.js').LessonStep[]} */
export function steps({ edition, rules, printing }) {
  const set = symbolsOf(edition, printing),
    least = Number(rules['least-actions']),
    most = Number(rules['most-actions']),
    row = Number(rules.row),
    limit = rules['turn-limit'];
  const many = { least: least ? '' : 'OrNone', most: most === 1 ? 'one' : 'says' };
  return [
    {
      name: 'goal',
      says: [say('goal.says', { n: rules.pirates })],
      picture: tunnel(set, [['prison', BLUE, RED], ['B'], ['P', GREEN], ['H'], ['S', BLUE, RED], ['D'], ['boat']]),
    },
    {
      name: 'cards',
      says: [
        say('cards.says', { n: rules.deal }),
        say(`cards.${rules.hands}`),
        row ? say('cards.row', { n: row }) : say('cards.pile'),
        say('cards.discards'),
      ],
      picture: symbols(set),
    },
    { name: 'turn', says: [say(`turn.${many.most}${many.least}`, { n: most }), say('turn.stuck')] },
    {
      name: 'advance',
      says: [say('advance.says')],
      picture: tunnel(set, [['K'], ['B', BLUE], ['S'], ['D', RED], ['P', GREEN], ['D'], ['H']], {
        from: 1,
        to: 5,
        note: card(set, 'D'),
      }),
    },
    {
      name: 'boat',
      says: [say('boat.says')],
      picture: tunnel(set, [['S'], ['P', BLUE], ['K'], ['H', RED], ['D'], ['B'], ['boat', RED]], {
        from: 1,
        to: 6,
        note: card(set, 'H'),
      }),
    },
    {
      name: 'retreat',
      says: [
        say('retreat.says'),
        say(rules['boat-retreat'] === 'off' ? 'retreat.stays' : 'retreat.boat'),
        say('retreat.atOnce'),
      ],
      picture: tunnel(set, [['H'], ['K', RED, GREEN], ['S'], ['D', RED, RED, GREEN], ['P'], ['B', BLUE], ['D']], {
        from: 5,
        to: 1,
        note: markup`<b>+2</b>`,
      }),
    },
    ...(rules['empty-hand-draw'] === 'on' ? [{ name: 'empty', says: [say('empty.says')] }] : []),
    {
      name: 'end',
      says: [
        say('end.says'),
        ...(least ? [] : [say('end.passed')]),
        ...(limit ? [say('end.limit', { n: limit })] : []),
      ],
    },
    { name: 'tip', says: [say('tip.says')] },
  ];
}
