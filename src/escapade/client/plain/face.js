// @ts-check
/** A game without a board of its own here: the position as the notation writes it, and a button for each action. */
import { markup, morph } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { KINDS } from '../lib/offer.js';

/** @typedef {import('../faces.js').Info} Info */
/** @typedef {import('../faces.js').Shown} Shown */
/** @typedef {import('../lib/messages.js').Move} Move */

export class Face extends HTMLElement {
  /** @type {Info | null} */
  #info = null;
  /** @type {Shown | null} */
  #now = null;
  #suggested = '';
  /** Without knowing the game, it is safe to cover everything. */
  hides = true;
  /** @type {{ key: string, text: string }[]} */
  keys = [];

  constructor() {
    super();
    this.addEventListener('click', (event) => {
      const button = /** @type {Element} */ (event.target).closest('[data-action]');
      if (button) this.#send('act', { action: button.getAttribute('data-action') });
    });
  }

  connectedCallback() {
    document.addEventListener('language', this.#draw);
  }

  disconnectedCallback() {
    document.removeEventListener('language', this.#draw);
  }

  /** @param {Info} info */
  setup(info) {
    this.#info = info;
    this.#draw();
  }

  /** @param {Shown} now */
  update(now) {
    this.#now = now;
    this.#draw();
  }

  #draw = () => {
    if (!this.#now || !this.#info) return;
    const { view, legal, covered, busy } = this.#now, title = KINDS[this.#info.kind]?.title ?? this.#info.kind;
    const actions = covered || busy ? [] : legal;
    morph(
      this,
      markup`<p>${t('plain.says', { game: title })}</p>
      <output>${covered ? t('plain.covered') : view.split(' ').map((field) => markup`<code>${field}</code> `)}</output>
      <div class="buttons">${
        actions.map((action) =>
          markup`<button type="button" class="btn ${action === this.#suggested && 'tide'}"
        data-action="${action}"><code>${action}</code></button>`
        )
      }</div>`,
    );
  };

  /** @param {string} type @param {object} detail */
  #send(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, detail }));
  }

  /** Nothing moves. This overrides the `animate` of elements, hence the loose types.
   * @override @param {...any} _ @returns {any} */
  animate(..._) {
    return Promise.resolve();
  }

  /** @param {string | null} action */
  suggest(action) {
    this.#suggested = action ?? '';
    this.#draw();
  }

  cancel() {}

  summary() {
    return markup``;
  }

  /** @param {Move} move */
  say({ seat, action }) {
    return markup`<b>${this.#info?.seats[seat - 1].name}</b> <code>${action}</code>`;
  }

  /** @param {Move} move */
  line(move) {
    return this.say(move);
  }

  sound() {
    return 'step';
  }

  /** @param {Record<string, unknown>} values */
  reason(values) {
    return values;
  }

  /** @returns {string[]} */
  secrets() {
    return [];
  }

  whyNotEnd() {
    return '';
  }
}

customElements.define('plain-face', Face);
