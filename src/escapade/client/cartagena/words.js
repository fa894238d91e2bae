// @ts-check
/** Cartagena in words: places, cards, moves, and why something cannot be done. Every text is in the catalogs. */
import { markup, raw } from '../lib/dom.js';
import { list, t } from '../lib/lang.js';
import { readAction } from './notation.js';
import { thing } from './symbols.js';
import { icon } from './drawings.js';

/** @typedef {import('./notation.js').View} View */
/** @typedef {import('./notation.js').Action} Action */
/** @typedef {import('./symbols.js').SymbolSet} SymbolSet */
/** @typedef {import('../faces.js').Info} Info */
/** @typedef {import('../lib/dom.js').Markup} Markup */
/** @typedef {import('../lib/messages.js').Move} Move */

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {number} place @param {number} boat */
const kindOf = (place, boat) => (place === 0 ? 'prison' : place === boat ? 'boat' : 'space');

/** A place's short name: `prison`, `7`. @param {number} place @param {number} boat */
export const brief = (
  place,
  boat,
) => (place === 0 || place === boat ? t(`cartagena.short.${kindOf(place, boat)}`) : String(place));

/** Where a pirate is: `on 7`, `in the boat`. @param {number} place @param {number} boat */
export const at = (place, boat) => t(`cartagena.at.${kindOf(place, boat)}`, { n: place });

/** A place by name: `Space 7, hook`. @param {SymbolSet} set @param {View} view @param {number} place */
export function placeName(set, view, place) {
  const kind = kindOf(place, view.boat), symbol = kind === 'space' ? thing(set, view.tunnel[place - 1], 'name') : '';
  return t(`cartagena.place.${kind}`, { n: place, thing: symbol });
}

/** How many of each letter, in listing order; `?` last.
 * @param {SymbolSet} set @param {string} letters @returns {[string, number][]} */
export function counted(set, letters) {
  const counts = [...Object.keys(set), '?'].map((
    letter,
  ) => /** @type {[string, number]} */ ([letter, letters.split(letter).length - 1]));
  return counts.filter(([, n]) => n > 0);
}

/** @param {SymbolSet} set @param {string} letter @param {number} n */
function cardsOf(set, letter, n) {
  if (letter === '?') return t('cartagena.cards', { n });
  return n === 1 ? thing(set, letter, 'a') : thing(set, letter, 'many', n);
}

/** Cards as the object of a sentence: `a key and 2 hooks`. @param {SymbolSet} set @param {string} letters */
export const cardWords = (set, letters) => list(counted(set, letters).map(([letter, n]) => cardsOf(set, letter, n)));

/** The same with small pictures beside the words. @param {SymbolSet} set @param {string} letters */
function cardPictures(set, letters) {
  const known = letters.replaceAll('?', ''), pictures = [...known].map((letter) => icon(set[letter]));
  return markup`${cardWords(set, letters)}${
    known && markup`<span class="card-pictures" aria-hidden="true">${pictures}</span>`
  }`;
}

/** A text of the catalog in which some values are markup.
 * @param {string} path @param {Record<string, unknown>} values */
function rich(path, values) {
  const inside = Object.values(values),
    holes = Object.fromEntries(Object.keys(values).map((name, i) => [name, `\u0000${i}\u0000`]));
  return markup`${t(path, holes).split('\u0000').map((piece, i) => (i % 2 ? inside[Number(piece)] : piece))}`;
}

/** Who is on a place: `your pirate, 2 of Anne’s pirates`.
 * @param {Info} info @param {View} view @param {number} eyes @param {number} place */
function crowd(info, view, eyes, place) {
  const crews = view.pirates.map((places, seat) => ({
    seat: seat + 1,
    n: places.filter((one) => one === place).length,
  })).filter(({ n }) => n > 0);
  return list(
    crews.map(({ seat, n }) =>
      t(`cartagena.label.${seat === eyes && !info.shared ? 'yours' : 'theirs'}`, { n, name: info.seats[seat - 1].name })
    ),
  );
}

/** A place for a screen reader, with what the choice could do there.
 * @param {Info} info @param {SymbolSet} set @param {View} view @param {number} eyes @param {number} place
 * @param {Action[]} goals actions that lead there @param {Action[]} starts that begin there */
export function placeLabel(info, set, view, eyes, place, goals, starts) {
  const who = crowd(info, view, eyes, place), name = placeName(set, view, place);
  const label = who ? t('cartagena.label.held', { place: name, who }) : t('cartagena.label.free', { place: name });
  if (goals.length) {
    return t('cartagena.label.goal', {
      label,
      ways: list(goals.map((action) => wayOf(set, view, action))),
    });
  }
  return starts.length
    ? t('cartagena.label.canGo', { label, where: list([...new Set(starts.map(({ to }) => brief(to, view.boat)))]) })
    : label;
}

/** @param {SymbolSet} set @param {View} view @param {Action} action */
function wayOf(set, view, { kind, card, from }) {
  const start = brief(from, view.boat);
  return kind === 'advance'
    ? t('cartagena.label.ahead', { thing: thing(set, card, 'name'), from: start })
    : t('cartagena.label.back', { from: start });
}

/** The log's sentence for a move.
 * @param {Info} info @param {SymbolSet} set @param {Move} move @param {number} boat
 * @param {boolean} passing whether the turn ends before any action @returns {Markup} */
export function sentence(info, set, move, boat, passing) {
  const { kind, card, from, to, drawn, reshuffled } = readAction(move.action),
    name = markup`<b>${info.seats[move.seat - 1].name}</b>`;
  const values = {
    name,
    from: brief(from, boat),
    to: brief(to, boat),
    card: card && cardPictures(set, card),
    cards: drawn && cardPictures(set, drawn),
  };
  const keys = {
    advance: to === boat ? 'boards' : 'advance',
    retreat: drawn ? 'retreat' : 'bare',
    draw: drawn ? 'draw' : 'drawNone',
    end: passing ? 'passes' : 'end',
  };
  return markup`${rich(`cartagena.log.${keys[kind]}`, values)}${
    reshuffled && markup` · <span class="reshuffle">${t('cartagena.log.reshuffle')}</span>`
  }`;
}

/** The same on one line: the card, from where to where, and the cards that it brought.
 * @param {Info} info @param {SymbolSet} set @param {Move} move @param {number} boat @param {boolean} passing */
export function logLine(info, set, move, boat, passing) {
  const { kind, card, from, to, drawn } = readAction(move.action), name = info.seats[move.seat - 1].name;
  if (kind === 'end') return markup`<em>${t(`cartagena.log.${passing ? 'passes' : 'end'}`, { name })}</em>`;
  const known = [...drawn].every((letter) => letter !== '?');
  return markup`<b>${name}</b>${card && markup` <span class="card-pictures">${icon(set[card])}</span>`}${
    kind === 'retreat' && markup` <span class="back">↩</span>`
  }${kind !== 'draw' && markup` ${brief(from, boat)} → ${brief(to, boat)}`}${
    drawn && markup`<span class="gain">+${
      known
        ? markup`<span class="card-pictures">${[...drawn].map((letter) => icon(set[letter]))}</span>`
        : drawn.length
    }</span>`
  }`;
}

/** @param {string} d @param {string} paint */
const sketch = (d, paint) => markup`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${d}" ${raw(paint)}/></svg>`;
const CARDS = sketch('M2 4.5h7.5v10H2zM5.5 4V1.5H14v10h-4', 'fill="none" stroke="currentColor" stroke-width="1.6"');
const SAIL = sketch('M1 11h14l-2.5 4h-9zM7 1v8.5H2zM8.5 1c4 1.5 5 5 5 8.5h-5z', 'fill="currentColor"');

/** A number beside a picture, and the words for it. @param {Markup} picture @param {number} n @param {string} words */
const figure = (picture, n, words) =>
  markup`<span title="${words}">${picture}<span aria-hidden="true">${n}</span><span
    class="off">${words} </span></span>`;

/** A player's standing: cards, pirates aboard, and what is known of the hand (C17).
 * @param {SymbolSet} set @param {View} view @param {number} seat @param {boolean} own whether the hand lies on the
 * table below */
export function standing(set, view, seat, own) {
  const hand = view.hands[seat - 1],
    places = view.pirates[seat - 1],
    aboard = places.filter((place) => place === view.boat).length;
  const known = own
    ? []
    : counted(set, hand).map(([letter, n]) => (letter === '?'
      ? markup`<span class="unknown" title="${t('cartagena.unknown', { n })}">${n} ?</span>`
      : markup`<span class="known">${figure(icon(set[letter]), n, thing(set, letter, 'many', n))}</span>`)
    );
  return markup`<span class="standing">
    <span class="counts">${figure(CARDS, hand.length, t('cartagena.cards', { n: hand.length }))}
      ${figure(SAIL, aboard, t('cartagena.aboard', { n: aboard, all: places.length }))}</span>
    ${known.length > 0 && markup`<span class="hand-known">${known}</span>`}</span>`;
}

/** The values of a hint's reason in words. @param {SymbolSet} set @param {Record<string, any>} values */
export const reasonWords = (set, { pirates, cards, symbol, length, space, target, ...rest }) => ({
  ...rest,
  space: space || t('cartagena.short.prison'),
  target: target || t('cartagena.short.boat'),
  n: pirates ?? cards ?? length,
  thing: symbol && thing(set, symbol, 'a'),
  road: symbol && length && thing(set, symbol, 'many', length),
});

/** Spaces of a part of the tunnel that a first clue names: as many as a segment has. */
const PART = 6;

/** Where a hinted action happens, and whose it is: clues that come before the action itself. @param {string} text */
export function clue(text) {
  const { kind, from } = readAction(text);
  if (kind === 'draw') return { area: t('hints.area.cards'), piece: '' };
  if (kind === 'end') return { area: t('hints.area.end'), piece: '' };
  const first = from - (from - 1) % PART;
  return from === 0 ? { area: t('hints.area.prison'), piece: '' } : {
    area: t('hints.area.spaces', { first, last: first + PART - 1 }),
    piece: t('hints.piece.pirate', { space: from }),
  };
}
