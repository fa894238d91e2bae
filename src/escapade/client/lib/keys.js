// @ts-check
/** Keyboard shortcuts, and the list of them. */
import { markup } from './dom.js';
import { has, t } from './lang.js';

/** @typedef {{ key: string, text: string }} Key */

/** Whether a key press is for the page rather than for a field, a dialog or the browser.
 * @param {KeyboardEvent} event */
export function forPage(event) {
  const target = /** @type {Element} */ (event.target);
  return !event.ctrlKey && !event.metaKey && !event.altKey &&
    !target.closest('input:not([type="range"]), textarea, select, dialog[open]');
}

/** What is printed on a key. @param {string} key */
const keycap = (key) =>
  key.length === 1
    ? key.toUpperCase()
    : key.replace(/[A-Z][a-z]+/, (name) => (has(`keycap.${name}`) ? t(`keycap.${name}`) : name));

/** @param {Key[]} keys */
export const keyList = (keys) =>
  markup`<dl class="keys">${
    keys.map(({ key, text }) =>
      markup`<div><dt>${key.split(' ').map((one) => markup`<kbd>${keycap(one)}</kbd> `)}</dt><dd>${text}</dd></div>`
    )
  }</dl>`;
