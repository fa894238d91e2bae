// @ts-check
/** Flying cards, above everything else. Only their transform changes. */
import { morph } from '../lib/dom.js';

/** @typedef {{ x: number, y: number, width: number }} Spot */
const WIDTH = 54; // of a flying card, as in style.css

/** Where an element is on the screen. @param {Element} element @returns {Spot} */
export function spotOf(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2, width };
}

/** @param {HTMLElement} air @param {Spot} spot */
function there(air, { x, y, width }) {
  const { left, top } = air.getBoundingClientRect();
  return `translate(${(x - left).toFixed(1)}px, ${(y - top).toFixed(1)}px) scale(${(width / WIDTH).toFixed(3)})`;
}

/** A card in the air. @param {HTMLElement} air @param {import('../lib/dom.js').Markup} picture */
export function launch(air, picture) {
  const card = Object.assign(document.createElement('div'), { className: 'flying' });
  morph(card, picture);
  air.append(card);
  return card;
}

/** @param {HTMLElement} air @param {HTMLElement} card @param {Spot} spot */
export const hold = (air, card, spot) => {
  card.style.transform = there(air, spot);
};

/** Fly a card through spots, the first being where it begins; it is gone at the end.
 * @param {HTMLElement} air @param {import('../lib/dom.js').Markup} picture @param {Spot[]} spots
 * @param {number} duration @param {number} [delay] */
export async function fly(air, picture, spots, duration, delay = 0) {
  const card = launch(air, picture), frames = spots.map((spot) => ({ transform: there(air, spot) }));
  await card.animate(frames, { duration, delay, easing: 'ease-in-out', fill: 'both' }).finished.finally(() =>
    card.remove()
  );
}
