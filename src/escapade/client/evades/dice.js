// @ts-check
/** The eight dice: cubes that roll. */
import { markup, morph } from '../lib/dom.js';
import { backSign, chip } from './drawings.js';

/** How a die looks: `state` is its class, `number` the number on top (unchanged if missing), `caption` what it would
 * do.
 * @typedef {{ die: string, state: string, number?: number, caption: unknown, label: string, pressed: boolean }} Look */

/** How to turn a cube so that a number faces the reader. */
const TURN = ['', '', 'rotateX(-90deg)', 'rotateY(-90deg)', 'rotateY(90deg)', 'rotateX(90deg)', 'rotateY(180deg)'];
const REST = 'rotateX(-18deg) rotateY(22deg)';
const SIDES = markup`${[1, 2, 3, 4, 5, 6].map((side) => markup`<i class="side s${side}"></i>`)}`;

export class Dice {
  /** @type {Record<string, number>} */
  #top = {};

  /** @param {HTMLElement} list */
  constructor(list) {
    this.list = list;
  }

  /** @param {Look[]} looks @param {boolean} [replayed] whether they are only to be looked at */
  show(looks, replayed = false) {
    morph(
      this.list,
      markup`${
        looks.map(({ die, state, caption, label, pressed }, i) =>
          markup`<li data-key="${die}">
      <button type="button" class="die die-${die} ${state}" data-die="${die}" aria-label="${label}"
        aria-keyshortcuts="${i + 1}" aria-pressed="${String(pressed)}" ${replayed && 'disabled'}>
        <span class="well"><span class="cube">${SIDES}</span><span
            class="badge">${die === 'w' ? backSign : chip(die)}</span></span>
        <span class="caption">${caption}</span></button></li>`
        )
      }`,
    );
    for (const { die, number } of looks) this.#lay(die, number ?? this.#top[die] ?? 1);
  }

  /** @param {string} die @returns {HTMLElement} */
  #cube(die) {
    return /** @type {HTMLElement} */ (this.list.querySelector(`.die-${die} .cube`));
  }

  /** @param {string} die @param {number} number */
  #lay(die, number) {
    this.#top[die] = number;
    this.#cube(die).style.transform = `${REST} ${TURN[number]}`;
  }

  /** Throw: the cubes fly up, tumble, bounce once and come to rest.
   * @param {string} dice @param {number[]} numbers @param {number} speed */
  async roll(dice, numbers, speed) {
    await Promise.all([...dice].map((die, i) => {
      this.#lay(die, numbers[i]);
      const end = TURN[numbers[i]], spin = 620 + 110 * i, side = i % 2 ? 1 : -1;
      return this.#cube(die).animate([
        { transform: `translateY(0) ${REST} rotateX(${spin}deg) rotateY(${side * spin}deg) ${end}` },
        {
          transform: `translateY(-1.7em) rotateX(${spin * 0.6}deg) rotateY(${side * spin * 0.6}deg) ${end}`,
          offset: 0.3,
          easing: 'ease-in',
        },
        {
          transform: `translateY(0) rotateX(${spin * 0.24}deg) rotateY(${side * spin * 0.2}deg) ${end}`,
          offset: 0.62,
          easing: 'ease-out',
        },
        {
          transform: `translateY(-.45em) rotateX(70deg) rotateY(${side * 50}deg) ${end}`,
          offset: 0.78,
          easing: 'ease-in',
        },
        { transform: `translateY(0) ${REST} ${end}` },
      ], { duration: (1000 + 90 * i) / speed, easing: 'ease-out' }).finished;
    }));
  }
}
