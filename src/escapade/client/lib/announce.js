// @ts-check
/** Announcements to screen readers, and short notes on the page. */
import { byId } from './dom.js';

/** Milliseconds within which announcements are joined. A screen reader would drop the first one otherwise. */
const BREATH = 400;
let announced = 0;

/** Say something to screen readers. @param {string} text */
export function announce(text) {
  const live = byId('live'), now = performance.now();
  live.textContent = now - announced < BREATH ? `${live.textContent} ${text}` : text;
  announced = now;
}

/** Show a note for a while, out of the way. @param {HTMLElement} notes @param {string} text */
export function note(notes, text) {
  const line = Object.assign(document.createElement('p'), { textContent: text, className: 'told' });
  notes.append(line);
  announce(text);
  setTimeout(() => line.remove(), 6000);
}

/** Some markup without its tags. @param {import('./dom.js').Markup} markup */
export function plain({ text }) {
  const template = document.createElement('template');
  template.innerHTML = text;
  return (template.content.textContent ?? '').replace(/\s+/g, ' ').trim();
}
