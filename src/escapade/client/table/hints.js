// @ts-check
/** The list of hints: actions, their chances, and reasons in words. */
import { markup } from '../lib/dom.js';
import { has, percent, t } from '../lib/lang.js';

/** @typedef {import('../lib/messages.js').Why} Why */
/** @typedef {import('../lib/messages.js').Advice} Advice */
/** @typedef {import('../faces.js').Face} Face */
/** What the list needs to know: names, the reader's seat, whether several share the screen, and how the face puts
 * actions and reasons into words.
 * @typedef {{ names: string[], seat: number, shared: boolean, say: (action: string) => unknown,
 *   reason: (values: Why['values']) => Record<string, unknown> }} Circle */

/** A reason in words. @param {Why} why @param {Circle} circle */
export function reasonText({ code, values: { seat, you, ...values } }, { names, shared, reason }) {
  const path = `hints.reason.${code}${you && !shared ? '-you' : ''}`;
  return has(path) ? t(path, { name: seat && names[seat - 1], ...reason(values) }) : code;
}

/** @typedef {'area' | 'piece' | 'action' | 'turn' | 'why'} Step */

/** What is told of the best hint, step by step; what a face has no words for is left out, and of a turn that is one
 * action no more than that. Last come all hints, with chances and reasons.
 * @param {Advice} best @param {Face} face @param {string} view */
export function hintSteps({ action, line }, face, view) {
  const { area, piece } = face.clue?.(action, view) ?? {};
  /** @type {[Step, unknown][]} */
  const steps = [['area', area], ['piece', piece], ['action', true], ['turn', line.length > 1], ['why', true]];
  return steps.filter(([, there]) => there).map(([step]) => step);
}

/** The best hint as far as it has been asked for.
 * @param {Advice} best @param {Face} face @param {string} view @param {Circle} circle @param {number} told how many
 * steps have been told */
export function hintSoFar(best, face, view, { say }, told) {
  const steps = hintSteps(best, face, view), clue = face.clue?.(best.action, view);
  const words = {
    area: clue?.area,
    piece: clue?.piece,
    action: say(best.action),
    turn: markup`${t('hints.whole')} ${best.line.map((action, n) => markup`${n > 0 && ' · '}${say(action)}`)}`,
    why: '',
  };
  return markup`<header><h2>${t('hints.step', { n: told, all: steps.length })}</h2><button type="button" class="quiet"
      data-do="unhint">${t('common.close')}</button></header>
    <ol class="clues">${steps.slice(0, told).map((step) => markup`<li data-key="${step}">${words[step]}</li>`)}</ol>
    <p class="buttons"><button type="button" class="btn" data-do="more">${t('hints.more')}</button></p>`;
}

/** The hints as a list to choose from; `chosen` is the action that the board shows.
 * @param {Advice[]} advice @param {Circle} circle @param {string | null} chosen */
export function hintList(advice, circle, chosen) {
  return markup`<header><h2>${t('hints.title')}</h2><button type="button" class="quiet"
      data-do="unhint">${t('common.close')}</button></header>
    <ol>${
    advice.map(({ action, chances, reasons }, n) =>
      markup`<li><button type="button" data-do="suggest" data-action="${action}"
          aria-pressed="${action === chosen ? 'true' : 'false'}">
      <b>${percent(chances[circle.seat - 1])}<span class="off"> ${t('hints.chance')}</span></b>
      <span><span class="what">${circle.say(action)}${
        n > 0 && markup` <i class="lost">${lost(advice, n, circle.seat)}</i>`
      }</span> <small>${reasons.map((why) => reasonText(why, circle)).join(' · ')}</small></span></button></li>`
    )
  }</ol>
    ${!advice.length && markup`<p>${t('hints.none')}</p>`}
    ${advice.some(({ line }) => line.length > 1) && markup`<p class="dim">${t('hints.turn')}</p>`}`;
}

/** What is given away by another hint than the best. @param {Advice[]} advice @param {number} n @param {number} seat */
function lost([best, ...others], n, seat) {
  const less = best.chances[seat - 1] - others[n - 1].chances[seat - 1];
  return less < 0.005 ? '' : `−${percent(less)}`;
}
