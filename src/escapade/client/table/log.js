// @ts-check
/** The log: a line for each move, newest first, the turns set apart. Rows are added, never rebuilt. */
import { markup, morph } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { ICONS } from '../lib/icons.js';
import { sign } from '../lib/seats.js';
import { plain } from '../lib/announce.js';

/** @typedef {import('./state.js').Step} Step */

export class Log {
  /** @type {Step[]} */ #steps = [];
  /** @type {HTMLOListElement} */ #list;
  /** @type {HTMLElement} */ #head;

  /** `again` tells whether there is something to show again; with `chosen` every move is a button that goes there;
   * `judged` is the mark of a turn.
   * @param {HTMLElement} part @param {{ face: import('../faces.js').Face, colour: (seat: number) => number,
   *   again?: () => boolean, chosen?: (step: number) => void,
   *   judged?: (turn: number) => import('../lib/dom.js').Markup | false }} page */
  constructor(part, page) {
    this.page = page;
    this.#head = document.createElement('header');
    this.#list = Object.assign(document.createElement('ol'), { reversed: true, tabIndex: 0 });
    part.replaceChildren(this.#head, this.#list);
    this.#list.addEventListener('click', (event) => {
      const row = /** @type {Element} */ (event.target).closest('li');
      if (row) page.chosen?.(this.#steps.length - [...this.#list.children].indexOf(row));
    });
  }

  /** Show these moves. @param {Step[]} steps */
  show(steps) {
    morph(
      this.#head,
      markup`<h2 id="log-title">${t('log.title')}</h2>
      ${
        this.page.again?.() &&
        markup`<button type="button" class="quiet" data-do="again" aria-keyshortcuts="a">${ICONS.again}${
          t('log.again')
        }</button>`
      }`,
    );
    this.#list.setAttribute('aria-labelledby', 'log-title');
    const differs = steps.findIndex((step, n) => !alike(step, this.#steps[n])),
      same = differs < 0 ? steps.length : differs;
    for (let n = this.#steps.length; n > same; n--) this.#list.firstElementChild?.remove();
    steps.slice(same).forEach((step, n) => this.#list.prepend(this.#row(step, steps[same + n - 1])));
    this.#steps = steps;
  }

  /** Write everything again in another language. */
  again() {
    const steps = this.#steps;
    this.show([]);
    this.show(steps);
  }

  /** Write the rows of a turn again, whose mark has come. @param {number} turn */
  remark(turn) {
    this.#steps.forEach((step, n) => {
      const row = this.#list.children[this.#steps.length - 1 - n];
      if (step.move.turn === turn) this.#fill(/** @type {HTMLLIElement} */ (row), step, this.#steps[n - 1]);
    });
  }

  /** Mark the move that has just been made, in a replay; 0 is the start. @param {number} step */
  mark(step) {
    this.#list.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const row = this.#list.children[this.#steps.length - step];
    row?.firstElementChild?.setAttribute('aria-current', 'step');
    row?.scrollIntoView({ block: 'nearest' });
  }

  /** A line to look at, and a sentence to hear. @param {Step} step @param {Step | undefined} last */
  #row(step, last) {
    const row = document.createElement('li');
    this.#fill(row, step, last);
    return row;
  }

  /** @param {HTMLLIElement} row @param {Step} step @param {Step | undefined} last */
  #fill(row, { move, before, after }, last) {
    const { face } = this.page,
      sentence = `${move.late ? `${t('log.late')} ` : ''}${plain(face.say(move, before, after))}`;
    const opens = last?.move.turn !== move.turn;
    const said = markup`${sign(this.page.colour(move.seat))}<span class="off">${sentence}</span><span class="line"
      aria-hidden="true" title="${sentence}">${face.line(move, before, after)}${move.late && ICONS.clock}</span>${
      opens && this.page.judged?.(move.turn)
    }`;
    row.dataset.turn = String(move.turn);
    row.classList.toggle('opens', opens);
    const current = row.firstElementChild?.hasAttribute('aria-current') && markup`aria-current="step"`;
    morph(row, this.page.chosen ? markup`<button type="button" ${current}>${said}</button>` : said);
  }
}

/** @param {Step} one @param {Step | undefined} other */
const alike = (one, other) => one.move === other?.move && one.before === other.before && one.after === other.after;
