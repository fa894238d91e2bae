// @ts-check
/** The sheet for the secret bet: tap a convict to put it into the next free place, tap two places to swap them, or
 * drag. */
import { closedByBack } from '../lib/back.js';
import { markup, morph } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { PAWNS } from './notation.js';
import { chip, wax } from './drawings.js';

/** The boat of each of the seven places. */
const BOATS = [1, 1, 2, 2, 3, 3, 4];
const FREE = '';

/** A bet as its four boats. @param {string} bet `br.yl.do.n` */
export const boatsOf = (bet) => bet.split('.');

/** @param {string[]} written seven pawns, by place */
const betOf = (written) =>
  [1, 2, 3, 4].map((boat) => [...PAWNS].filter((pawn) => BOATS[written.indexOf(pawn)] === boat).join('')).join('.');

export class BetSheet {
  /** Unfinished bets by seat: several players may share the screen. @type {Map<number, string[]>} */
  #drafts = new Map();
  #seat = 0;
  /** The place that the next tap fills or swaps with; -1 is none. */
  #held = -1;
  #dragged = false;
  #closed = () => {};

  /** @param {HTMLDialogElement} dialog
   * @param {{ seal: (bet: string) => void, leave: () => void }} heard what to do with a sealed bet, and when the writer
   *   looks at the board first */
  constructor(dialog, heard) {
    this.dialog = dialog;
    this.heard = heard;
    dialog.addEventListener('click', (event) => this.#click(/** @type {HTMLElement} */ (event.target)));
    dialog.addEventListener('keydown', (event) => this.#key(event));
    dialog.addEventListener('pointerdown', (event) => this.#press(event));
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      if (this.#held >= 0) this.#hold(-1);
      else this.#leave();
    });
  }

  /** @param {number} seat */
  open(seat) {
    if (this.#seat !== seat) this.#held = -1;
    this.#seat = seat;
    this.draw();
    if (this.dialog.open) return;
    this.dialog.showModal();
    this.#closed = closedByBack(() => this.#leave());
    this.#focus(FREE);
  }

  /** Close the sheet and remove the bet from the page. */
  close() {
    this.dialog.close();
    this.#closed();
    this.dialog.replaceChildren();
  }

  #leave() {
    this.close();
    this.heard.leave();
  }

  /** Forget a seat's draft once its bet is made. @param {number} seat */
  forget(seat) {
    this.#drafts.delete(seat);
  }

  /** Fill the sheet with a bet. @param {number} seat @param {string} bet */
  write(seat, bet) {
    this.#drafts.set(seat, [...bet.replaceAll('.', '')]);
    this.open(seat);
  }

  /** @returns {string[]} */
  get #places() {
    const kept = this.#drafts.get(this.#seat) ?? Array(7).fill(FREE);
    this.#drafts.set(this.#seat, kept);
    return kept;
  }

  draw() {
    const written = this.#places, left = [...PAWNS].filter((pawn) => !written.includes(pawn));
    const look = t('evades.bet.look');
    morph(
      this.dialog,
      markup`<header><h2 id="bet-title">${t('evades.bet.title')}</h2>
        <button type="button" class="quiet" data-do="close" aria-label="${look}" title="${look}">✕</button></header>
      <div class="body"><p>${t('evades.bet.how')}</p>
        <div class="pool" role="group" aria-label="${t('evades.bet.pool')}">${left.map((pawn) => this.#token(pawn, -1))}
          ${!left.length && markup`<em>${t('evades.bet.full')}</em>`}</div>
        <ol class="fleet">${
        [1, 2, 3, 4].map((boat) =>
          markup`<li class="${boat === 4 ? 'fourth' : ''}"><b class="numeral" aria-hidden="true">${boat}</b>
          <p><strong>${t('evades.boat', { boat })}</strong><span>${t(`evades.bet.who.${boat}`)}</span><span>${
            t('evades.bet.worth', { n: boat })
          }</span></p>
          <div class="berths">${BOATS.map((of, place) => (of === boat ? this.#place(place) : ''))}</div></li>`
        )
      }</ol></div>
      <footer><button type="button" class="btn" data-do="chance">${t('evades.bet.chance')}</button>
        <button type="button" class="btn" data-do="clear">${t('evades.bet.clear')}</button>
        <p>${left.length ? t('evades.bet.left', { n: left.length }) : t('evades.bet.secret')}</p>
        <button type="button" class="btn gold" data-do="seal"
            aria-disabled="${String(left.length > 0)}">${wax}${t('evades.bet.seal')}</button></footer>`,
    );
  }

  /** @param {string} pawn @param {number} place -1 in the pool */
  #token(pawn, place) {
    const held = place >= 0 && place === this.#held;
    return markup`<button type="button" class="token ${held ? 'held' : ''}" data-token="${pawn}" data-key="${pawn}"
        aria-pressed="${String(held)}">
      ${chip(pawn)}<span>${t(`pawn.${pawn}.name`)}</span></button>`;
  }

  /** @param {number} place */
  #place(place) {
    const pawn = this.#places[place], name = t('evades.bet.place', { boat: BOATS[place] }), held = place === this.#held;
    const empty = markup`<button type="button" class="empty ${held ? 'held' : ''}" aria-label="${name}"
        aria-pressed="${String(held)}"></button>`;
    return markup`<div class="berth" data-place="${place}"
        data-key="${place}">${pawn ? this.#token(pawn, place) : empty}</div>`;
  }

  /** @param {number} place */
  #hold(place) {
    this.#held = place;
    this.draw();
  }

  /** Put a pawn into a place. The pawn that was there takes its old place, or goes back to the pool.
   * @param {string} pawn @param {number} place */
  #move(pawn, place) {
    const written = this.#places, old = written.indexOf(pawn);
    if (old >= 0) written[old] = written[place];
    written[place] = pawn;
    this.#hold(-1);
    this.#focus(pawn);
  }

  /** Focus the next pawn to place, or the one just placed: its token was drawn again elsewhere. @param {string} pawn */
  #focus(pawn) {
    const next = this.dialog.querySelector('.pool .token') ?? this.dialog.querySelector(`[data-token="${pawn}"]`);
    /** @type {HTMLElement | null} */ (next)?.focus();
  }

  /** @param {HTMLElement} target */
  #click(target) {
    if (this.#dragged) return;
    const deed = /** @type {HTMLElement | null} */ (target.closest('[data-do]'))?.dataset.do;
    const place = Number(/** @type {HTMLElement | null} */ (target.closest('[data-place]'))?.dataset.place ?? -1);
    const pawn = /** @type {HTMLElement | null} */ (target.closest('[data-token]'))?.dataset.token;
    if (deed) this.#do(deed);
    else if (place >= 0) this.#tap(place);
    else if (pawn) this.#move(pawn, this.#held >= 0 ? this.#held : this.#places.indexOf(FREE));
  }

  /** @param {number} place */
  #tap(place) {
    const written = this.#places, held = this.#held;
    const pawn = held >= 0 ? written[held] || written[place] : FREE;
    if (pawn && held !== place) this.#move(pawn, written[held] ? place : held);
    else this.#hold(held === place ? -1 : place);
  }

  /** @param {string} deed */
  #do(deed) {
    const written = this.#places, done = !written.includes(FREE);
    if (deed === 'close') this.#leave();
    if (deed === 'seal' && done) this.heard.seal(betOf(written));
    if (deed === 'clear' || (deed === 'chance' && done)) written.fill(FREE);
    if (deed === 'chance') {
      for (const pawn of PAWNS) {
        const free = written.flatMap((there, place) => (there ? [] : [place]));
        if (!written.includes(pawn)) written[free[Math.floor(Math.random() * free.length)]] = pawn;
      }
    }
    if (deed === 'clear' || deed === 'chance') this.#hold(-1);
  }

  /** On a token: 1 to 4 put it into that boat, Delete takes it off the sheet. @param {KeyboardEvent} event */
  #key(event) {
    const pawn = /** @type {HTMLElement} */ (event.target).dataset.token,
      boat = Number(event.key),
      written = this.#places;
    if (!pawn || event.ctrlKey || event.metaKey || event.altKey) return;
    if (boat >= 1 && boat <= 4) {
      const own = BOATS.flatMap((of, place) => (of === boat ? [place] : []));
      this.#move(pawn, own.find((place) => !written[place]) ?? own[own.length - 1]);
    } else if ((event.key === 'Delete' || event.key === 'Backspace') && written.includes(pawn)) {
      written[written.indexOf(pawn)] = FREE;
      this.#hold(-1);
      this.#focus(pawn);
    }
  }

  /** Drag a token to a place, or back to the pool. @param {PointerEvent} start */
  #press(start) {
    const token = /** @type {HTMLElement | null} */ (/** @type {Element} */ (start.target).closest('.token')),
      pawn = token?.dataset.token;
    if (!token || !pawn || start.button) return;
    const stop = new AbortController();
    const move = (/** @type {PointerEvent} */ event) => {
      const x = event.clientX - start.clientX, y = event.clientY - start.clientY;
      if (!this.#dragged && Math.hypot(x, y) < 6) return;
      this.#dragged = true;
      token.classList.add('drag');
      token.style.transform = `translate(${x}px, ${y}px) scale(1.12)`;
    };
    const drop = (/** @type {PointerEvent} */ event) => {
      stop.abort();
      if (!this.#dragged) return;
      setTimeout(() => {
        this.#dragged = false;
      }); // after the click at the end of the drag
      token.classList.remove('drag');
      token.style.transform = '';
      const under = event.type === 'pointerup' ? this.#under(event, token) : null;
      const place = /** @type {HTMLElement | undefined} */ (under?.closest('[data-place]') ?? undefined)?.dataset.place,
        written = this.#places;
      if (place !== undefined) this.#move(pawn, Number(place));
      else if (under?.closest('.pool') && written.includes(pawn)) written[written.indexOf(pawn)] = FREE;
      this.draw();
    };
    addEventListener('pointermove', move, { signal: stop.signal });
    for (const end of /** @type {const} */ (['pointerup', 'pointercancel'])) {
      addEventListener(end, drop, { signal: stop.signal });
    }
  }

  /** What lies below a dragged token. @param {PointerEvent} event @param {HTMLElement} token */
  #under(event, token) {
    token.style.visibility = 'hidden';
    const under = document.elementFromPoint(event.clientX, event.clientY);
    token.style.visibility = '';
    return under;
  }
}
