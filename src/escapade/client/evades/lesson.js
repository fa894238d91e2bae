// @ts-check
/** The steps of the lesson of Les Évadés, and their pictures. */
import { markup } from '../lib/dom.js';

export const STEPS = ['goal', 'bet', 'turn', 'stack', 'white', 'end'];

/** A boat with its number and those who sit in it. @param {number} x @param {number} boat @param {string[]} colours */
const boatPicture = (x, boat, ...colours) =>
  markup`<g transform="translate(${x})">
  <path d="M0 32h88c-4 18-14 28-26 28H26C14 60 4 50 0 32z" fill="#6b4120" stroke="#2c1708" stroke-width="2"/>
  ${
    colours.map((colour, i) =>
      markup`<circle cx="${
        44 + (i - (colours.length - 1) / 2) * 28
      }" cy="20" r="11" fill="${colour}" stroke="#0008" stroke-width="2"/>`
    )
  }
  <text x="44" y="52">${boat}</text></g>`;

/** @type {Record<string, () => import('../lib/dom.js').Markup>} */
export const PICTURES = {
  bet: () =>
    markup`<svg class="boats" viewBox="0 0 420 66" aria-hidden="true">
    ${boatPicture(8, 1, '#2b6fc2', '#c9342c')}${boatPicture(113, 2, '#e2ab1c', '#7fbf4d')}
    ${boatPicture(218, 3, '#d9742a', '#2f8a48')}${boatPicture(323, 4, '#8a5a38')}</svg>`,
};
