// @ts-check
import { settings } from '../lib/settings.js';

/** How long a move stands before the next one begins, in milliseconds at the usual speed. */
const REST = 450;

/** Shows moves one after another, never faster than one can follow.
 * @template {import('./state.js').Step & { again?: boolean }} Scene */
export class Playback {
  /** @type {Scene[]} */ #queue = [];
  #hurry = false;
  busy = false;

  /** @param {{ show: (scene: Scene, speed: number) => Promise<void>, hurry: () => void, rested: () => void }} page */
  constructor(page) {
    this.page = page;
  }

  /** @param {Scene[]} scenes */
  add(...scenes) {
    this.#queue.push(...scenes);
    if (!this.busy && this.#queue.length) this.#run();
  }

  /** How many moves are still to be shown. */
  get left() {
    return this.#queue.filter(({ again }) => !again).length;
  }

  /** Show what is left at once. */
  async skip() {
    this.#hurry = this.busy;
    while (this.busy && this.#hurry) {
      this.page.hurry();
      await new Promise(requestAnimationFrame);
    }
  }

  /** Let the move that is shown be the last one. */
  stop() {
    this.#queue = [];
  }

  /** Forget what is left at once, as the position it leads to is told otherwise. */
  clear() {
    this.stop();
    this.skip();
  }

  async #run() {
    this.busy = true;
    for (let scene = this.#queue.shift(); scene; scene = this.#queue.shift()) {
      await this.page.show(scene, this.#speed).catch(console.error); // a motion that is cut off must not hold up the game
      if (this.#queue.length) await pause(this.#speed && REST / this.#speed);
    }
    this.busy = this.#hurry = false;
    this.page.rested();
  }

  /** Nothing moves in a hidden tab, and waiting for it there would never end. */
  get #speed() {
    return this.#hurry || document.hidden ? 0 : settings.speed;
  }
}

/** @param {number} time */
const pause = (time) =>
  new Promise((done) => {
    if (time) setTimeout(done, time);
    else done(null);
  });

/** Bring every motion within an element to its end. @param {Element} element */
export function finish(element) {
  for (const motion of element.getAnimations({ subtree: true })) {
    if (Number.isFinite(motion.effect?.getComputedTiming().endTime)) motion.finish();
  }
}
