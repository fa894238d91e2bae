// @ts-check
/** The first game: what the first turns are about, and what could be done, above the prompt. */
import { markup } from '../lib/dom.js';
import { has, t } from '../lib/lang.js';
import { acting, own } from './state.js';

/** @typedef {import('./state.js').Known} Known */

/** The turn of the reader, counted from 1; 0 before the first, as long as bets are made. @param {Known} known */
export function ownTurn({ table }) {
  const { turn = 0 } = table?.state ?? {}, seats = table?.seats.length ?? 1;
  return Math.ceil(turn / seats);
}

/** What the guide says in a turn, or '' where it is over. @param {Known} known */
export const guideText = (known) => {
  const path = `guide.${known.table?.kind}.${ownTurn(known)}`;
  return has(path) ? t(path) : '';
};

/** The line above the prompt: about this turn, and an action with a way to see it on the board.
 * @param {Known} known @param {import('../faces.js').Face} face */
export function guideLine(known, face) {
  const { table, advice } = known, state = table?.state, [first] = advice ?? [], seat = acting(known);
  if (!state?.turn || !own(known).includes(seat)) return null;
  const what = first && face.say({ seat, turn: state.turn, action: first.action }, state.view, state.view);
  return markup`<div class="guide" data-key="guide"><p>${guideText(known)}${
    what && markup` ${t('guide.could')} ${what}`
  }</p><p class="buttons">${
    first &&
    markup`<button type="button" class="btn" data-do="suggest"
        data-action="${first.action}">${t('guide.show')}</button>`
  }<button type="button" class="btn" data-do="alone">${t('guide.alone')}</button></p></div>`;
}
