// @ts-check
/** Hints: what could be done, its chances, and the reasons in words. */
import { html } from './dom.js';
import { list, percent, t } from './lang.js';

/** @typedef {import('./state.js').Why} Why */
/** @typedef {import('./state.js').Advice} Advice */
/** What the words need to know: the players’ names, the reader's seat, and what the symbols are called. @typedef {{ names: string[], seat: number, set: string }} Circle */

/** @param {string[]} pawns */
const pawnsOf = (pawns) => list(pawns.map((pawn) => t(`pawn.${pawn}.the`)));

/** A reason in words. @param {Why} why @param {Circle} circle */
export function reason({ code, values }, { names, set }) {
  const { seat, you, pirates, cards, symbol, length, pawn, pawns, boats, ...rest } = values;
  return t(`hints.reason.${code}${you ? '-you' : ''}`, {
    ...rest,
    n: pirates ?? cards ?? length,
    name: seat && names[seat - 1],
    thing: symbol && t(`thing.${set}.${symbol}.a`),
    road: symbol && length && t(`thing.${set}.${symbol}.many`, { n: length }),
    pawn: pawn && t(`pawn.${pawn}.the`),
    pawns: pawns && pawnsOf(pawns),
    boats: boats && list(boats.map(String)),
  });
}

/** The hints as a list to choose from. `say` puts an action into words; `chosen` is the action that the board shows.
 * @param {Advice[]} advice @param {Circle} circle @param {(action: string) => unknown} say @param {string | null} chosen */
export function hintList(advice, circle, say, chosen) {
  return html`<header><h2>${t('hints.title')}</h2><button type="button" class="quiet" data-do="unhint">${t('common.close')}</button></header>
    <ol>${advice.map(({ action, chances, reasons }) => html`<li><button type="button" data-do="suggest" data-action="${action}" aria-pressed="${action === chosen ? 'true' : 'false'}">
      <b>${percent(chances[circle.seat - 1])}<span class="off"> ${t('hints.chance')}</span></b>
      <span><span class="what">${say(action)}</span> <small>${reasons.map((why) => reason(why, circle)).join(' · ')}</small></span></button></li>`)}</ol>
    ${!advice.length && html`<p>${t('hints.none')}</p>`}
    ${advice.some(({ line }) => line.length > 1) && html`<p class="dim">${t('hints.turn')}</p>`}`;
}
