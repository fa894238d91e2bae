// @ts-check
import { settings } from '../lib/settings.js';

/** Milliseconds between two moves at the usual speed. */
const REST = 450;

/** Shows moves one after another, slowly enough to follow.
 * @template {import('./state.js').Step & { again?: boolean }} Scene */
export class Playback {
  /** @type {Scene[]} */ #queue = [];
  #hurry = false;
  /** Moves that are still shown before the pause. */ #left = Infinity;
  /** @type {() => void} */ #goOn = () => {};
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

  get paused() {
    return this.#left < Infinity;
  }

  /** Stop before the next move, or go on. */
  pause() {
    this.#left = this.paused ? Infinity : 0;
    this.#goOn();
  }

  /** Show one more move, and pause. */
  step() {
    this.#left = this.paused ? this.#left + 1 : 0;
    this.#goOn();
  }

  /** Show the remaining moves at once. */
  async skip() {
    this.#hurry = this.busy;
    this.#left = Infinity;
    this.#goOn();
    while (this.busy && this.#hurry) {
      this.page.hurry();
      await new Promise(requestAnimationFrame);
    }
  }

  /** Stop after the current move. */
  stop() {
    this.#queue = [];
  }

  /** Drop the remaining moves, because the page shows the resulting position itself. */
  clear() {
    this.stop();
    this.skip();
  }

  async #run() {
    this.busy = true;
    for (let scene = await this.#next(); scene; scene = await this.#next()) {
      await this.page.show(scene, this.#speed).catch(console.error); // a cancelled animation must not stop the game
      if (this.#queue.length) await pause(this.#speed && REST / this.#speed);
    }
    this.busy = this.#hurry = false;
    this.page.rested();
  }

  /** The next move, when it is to be shown. */
  async #next() {
    while (this.#queue.length && this.#left === 0) await new Promise((go) => (this.#goOn = () => go(null)));
    if (this.#queue.length) this.#left--;
    return this.#queue.shift();
  }

  /** Animations do not run in a hidden tab, so waiting for them would never end. */
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

/** Finish every animation inside an element. @param {Element} element */
export function finish(element) {
  for (const motion of element.getAnimations({ subtree: true })) {
    if (Number.isFinite(motion.effect?.getComputedTiming().endTime)) motion.finish();
  }
}
