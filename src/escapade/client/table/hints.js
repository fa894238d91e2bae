// @ts-check
/** The list of hints: actions, their chances, and reasons in words. */
import { markup } from '../lib/dom.js';
import { has, percent, t } from '../lib/lang.js';

/** @typedef {import('../lib/messages.js').Why} Why */
/** @typedef {import('../lib/messages.js').Advice} Advice */
/** What the list needs to know: names, the reader's seat, whether several share the screen, and how the face puts
 * actions and reasons into words.
 * @typedef {{ names: string[], seat: number, shared: boolean, say: (action: string) => unknown,
 *   reason: (values: Why['values']) => Record<string, unknown> }} Circle */

/** A reason in words. @param {Why} why @param {Circle} circle */
export function reasonText({ code, values: { seat, you, ...values } }, { names, shared, reason }) {
  const path = `hints.reason.${code}${you && !shared ? '-you' : ''}`;
  return has(path) ? t(path, { name: seat && names[seat - 1], ...reason(values) }) : code;
}

/** The hints as a list to choose from; `chosen` is the action that the board shows.
 * @param {Advice[]} advice @param {Circle} circle @param {string | null} chosen */
export function hintList(advice, circle, chosen) {
  return markup`<header><h2>${t('hints.title')}</h2><button type="button" class="quiet"
      data-do="unhint">${t('common.close')}</button></header>
    <ol>${
    advice.map(({ action, chances, reasons }) =>
      markup`<li><button type="button" data-do="suggest" data-action="${action}"
          aria-pressed="${action === chosen ? 'true' : 'false'}">
      <b>${percent(chances[circle.seat - 1])}<span class="off"> ${t('hints.chance')}</span></b>
      <span><span class="what">${circle.say(action)}</span> <small>${
        reasons.map((why) => reasonText(why, circle)).join(' · ')
      }</small></span></button></li>`
    )
  }</ol>
    ${!advice.length && markup`<p>${t('hints.none')}</p>`}
    ${advice.some(({ line }) => line.length > 1) && markup`<p class="dim">${t('hints.turn')}</p>`}`;
}
