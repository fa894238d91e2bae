// @ts-check
/** What a page with a task on the board listens to: its buttons and keys, the board, and the language. */
import { announce } from '../lib/announce.js';
import { forPage } from '../lib/keys.js';

/** What the page does: by the names of its buttons and the keys for them; with an action from the board, with what the
 * board says, with Escape, and in another language.
 * @typedef {{ deeds: Record<string, (pressed: HTMLElement | null) => void>, shortcuts: Record<string, string>,
 *   act: (action: string) => void, tell: (text: string) => void, cancel: () => void, respoken: () => void }} Doing */

/** @param {HTMLElement} root @param {import('../table/frame.js').Parts} parts @param {AbortSignal} signal
 *   @param {Doing} doing */
export function listen(root, parts, signal, { deeds, shortcuts, act, tell, cancel, respoken }) {
  root.addEventListener('click', (event) => {
    const pressed = /** @type {Element} */ (event.target).closest('[data-do]');
    if (pressed instanceof HTMLElement && !parts.face.contains(pressed)) deeds[pressed.dataset.do ?? '']?.(pressed);
  }, { signal });
  root.addEventListener('act', (event) => act(/** @type {CustomEvent} */ (event).detail.action), { signal });
  root.addEventListener('tell', (event) => {
    const { text } = /** @type {CustomEvent} */ (event).detail;
    announce(text);
    tell(text);
  }, { signal });
  document.addEventListener('keydown', (event) => {
    if (!forPage(event) || event.defaultPrevented) return;
    if (event.key === 'Escape') return cancel();
    const what = shortcuts[event.key];
    if (!what) return;
    event.preventDefault();
    deeds[what](null);
  }, { signal });
  document.addEventListener('language', respoken, { signal });
}
