// @ts-check
/** The tray: how each die looks right now, and the player's own bet. */
import { markup } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { boatsOf } from './bet.js';
import { chip, wax } from './drawings.js';
import { DICE, fits, movesOf, placeOf, throwsOf } from './choice.js';
import { captionOf } from './words.js';

/** @typedef {import('./notation.js').View} View */
/** @typedef {import('./choice.js').Choice} Choice */
/** What the reader has selected: dice to throw, the white die, a hint.
 * @typedef {{ chosen: string, armed: boolean, hinted: string | null }} Taken */

/** @param {View} view @param {string[]} legal @param {Taken} taken @returns {import('./dice.js').Look[]} */
export function diceLooks(view, legal, { chosen, armed, hinted }) {
  const sets = throwsOf(legal), moves = movesOf(legal, view);
  return [...DICE].map((die) => {
    const own = moves.filter(({ pawn, kind }) => (kind === 'back' ? 'w' : pawn) === die), number = view.dice[die];
    const state = stateOf(view, die, sets, own.length > 0), spare = state === 'idle' && !fits(sets, chosen + die);
    const { caption, text } = captionOf(view, die, own[0], state),
      pressed = chosen.includes(die) || (die === 'w' && armed);
    const blocked = die !== 'w' && placeOf(view, die).above && state !== 'out',
      hint = own.some(({ action }) => action === hinted);
    const marks = { blocked, free: own.length, spare, pressed, hinted: hint };
    const classes = Object.entries(marks).filter(([, on]) => on).map(([name]) => name);
    return {
      die,
      state: [state, ...classes].join(' '),
      number,
      caption,
      label: [t(`pawn.${die}.die`), number, text].filter(Boolean).join(', '),
      pressed,
    };
  });
}

/** @param {View} view @param {string} die @param {string[]} sets @param {boolean} usable */
function stateOf(view, die, sets, usable) {
  const white = die === 'w', wentBack = Object.values(view.moved).includes('-');
  if (!white && placeOf(view, die).boat) return 'gone';
  if (sets.length) return fits(sets, die) ? 'idle' : 'barred';
  if (die in view.dice) return !usable && view.moved[die] === '-' ? 'lapsed' : 'live';
  return (white ? wentBack : view.moved[die] === '+') ? 'used' : 'out';
}

/** The player's own bet and how much of it has come true; only its seal while closed.
 * @param {View} view @param {number} seat @param {boolean} open */
export function ownBet(view, seat, open) {
  const bet = view.bets[seat - 1] ?? '-';
  if (bet === '-' || bet === '?') return markup``;
  /** @param {string} pawn @param {number} foreseen */
  const shown = (pawn, foreseen) => {
    const { boat } = placeOf(view, pawn), came = boat ? (boat === foreseen ? 'hit' : 'miss') : '';
    const words = [t(`pawn.${pawn}.name`), came && t(`evades.mybet.${came}`)].filter(Boolean).join(', ');
    return markup`<span class="foreseen ${came}">${chip(pawn)}<span class="off">${words} </span></span>`;
  };
  const boats = boatsOf(bet).map((pawns, i) =>
    markup`<li><b aria-hidden="true">${i + 1}</b><span class="off">${t('evades.boat', { boat: i + 1 })}, </span>
    ${[...pawns].map((pawn) => shown(pawn, i + 1))}</li>`
  );
  const label = t(open ? 'evades.mybet.hide' : 'evades.mybet.show');
  return markup`<button type="button" class="quiet" data-deed="peek"
      aria-expanded="${String(open)}">${wax}<span>${label}</span></button>
    ${open && markup`<ol>${boats}</ol>`}`;
}
