// @ts-check
/** Keyboard shortcuts, and the list of them. */
import { markup } from './dom.js';
import { t } from './lang.js';
import { openSheet } from './sheet.js';

/** @typedef {{ key: string, text: string }} Key */

/** Whether a key press is for the page rather than for a field, a dialog or the browser.
 * @param {KeyboardEvent} event */
export function forPage(event) {
  const target = /** @type {Element} */ (event.target);
  return !event.ctrlKey && !event.metaKey && !event.altKey &&
    !target.closest('input:not([type="range"]), textarea, select, dialog[open]');
}

/** @param {() => Key[]} keys */
export function openKeys(keys) {
  openSheet({
    title: () => t('table.keys.title'),
    body: () =>
      markup`<dl class="keys">${
        keys().map(({ key, text }) =>
          markup`<div><dt>${key.split(' ').map((one) => markup`<kbd>${one}</kbd> `)}</dt><dd>${text}</dd></div>`
        )
      }</dl>`,
  });
}
