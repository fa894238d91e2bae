// @ts-check
/** Leaving a table: for a new game, for a while, or for good. */
import { markup } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { openSheet } from '../lib/sheet.js';
import { acting, own } from './state.js';

/** @typedef {import('./state.js').Known} Known */

/** Whether the reader plays a game that is not over. @param {Known} known */
const plays = (known) => own(known).length > 0 && Boolean(known.table?.state?.seat);

/** Whether other people play too, who would have to wait. @param {Known} known */
export const waitedFor = (known) =>
  plays(known) && Boolean(known.table?.seats.some(({ person, yours, bot }) => person && !yours && !bot));

/** The seat for which the reader can give the game up, or 0: only games of two can be. @param {Known} known */
export const resigner = (known) => plays(known) && known.table?.seats.length === 2 ? acting(known) || own(known)[0] : 0;

/** What the menu of a table offers. @param {Known} known */
export function waysOut(known) {
  return markup`<div class="ways-out">${
    resigner(known) > 0 && markup`<button type="button" class="btn" data-do="resign">${t('leaving.resign')}</button>`
  }<button type="button" class="btn" data-do="leave">${t('leaving.leave')}</button>
    <a class="btn" href="/">${t('leaving.new')}</a></div>
    ${plays(known) && markup`<p class="dim">${t(waitedFor(known) ? 'leaving.others' : 'leaving.alone')}</p>`}`;
}

/** Ask whether the game is really given up. @param {Known} known @param {() => void} resign */
export function askToResign(known, resign) {
  const names = known.table?.seats.map(({ name }) => name) ?? [], winner = names[2 - resigner(known)];
  const { dialog } = openSheet({
    title: () => t('leaving.sure'),
    body: () => markup`<p>${t('leaving.loses', { name: winner })}</p>`,
    footer: () =>
      markup`<button type="button" class="btn" data-close autofocus>${t('leaving.no')}</button>
        <button type="button" class="btn gold" data-close data-yes>${t('leaving.resign')}</button>`,
  });
  dialog.addEventListener('click', ({ target }) => {
    if (/** @type {Element} */ (target).closest('[data-yes]')) resign();
  });
}
