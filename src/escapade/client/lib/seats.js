// @ts-check
import { raw } from './dom.js';

/** The six player colours. Each has a mark too, for people who cannot tell the colours apart. Their names are in the
 * catalogs, at colour.NAME. */
export const SEATS = [
  { name: 'blue', fill: '#2b6fc2', dark: '#123a6b', ink: '#fff', mark: 'M-5-5H5V5H-5z' },
  { name: 'red', fill: '#c9342c', dark: '#761512', ink: '#fff', mark: 'M-5-5L5 5M5-5L-5 5' },
  { name: 'green', fill: '#2f8a48', dark: '#134722', ink: '#fff', mark: 'M-5.6 0H5.6M0-5.6V5.6' },
  { name: 'yellow', fill: '#e2ab1c', dark: '#7d5a05', ink: '#3a2800', mark: 'M0-6L6 5H-6z' },
  { name: 'violet', fill: '#8a4fb0', dark: '#472160', ink: '#fff', mark: 'M0-5.4A5.4 5.4 0 1 0 .01-5.4z' },
  { name: 'grey', fill: '#d9dee2', dark: '#4b5861', ink: '#22303a', mark: 'M0-6.4L5.6 0 0 6.4-5.6 0z' },
];

/** A player's sign for lists. @param {number} colour */
export function sign(colour) {
  const s = SEATS[colour];
  return raw(
    `<svg class="sign" viewBox="-11 -11 22 22" aria-hidden="true">
    <circle r="10" fill="${s.fill}" stroke="${s.dark}" stroke-width="2"/>
    <path d="${s.mark}" transform="scale(.8)" fill="none" stroke="${s.ink}" stroke-width="2.8" stroke-linecap="round"
      stroke-linejoin="round"/></svg>`,
  );
}
