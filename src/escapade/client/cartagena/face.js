// @ts-check
/** The face of Cartagena: tunnel, row, piles and hand. It knows a view and the legal actions, and no rules. */
import { markup, morph } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { readEdition } from '../lib/notation.js';
import { readAction, readView } from './notation.js';
import { forPage } from '../lib/keys.js';
import { openSheet } from '../lib/sheet.js';
import './board.js';
import { icon, pirate } from './drawings.js';
import { symbolsOf } from './symbols.js';
import { discardList, drawButton, endButton, handSlots, lastPlayed, retreatButton, supply } from './cards.js';
import { ask, closeMenu } from '../lib/ask.js';
import { options } from './chooser.js';
import {
  barred,
  brings,
  isEmpty,
  left,
  marksOf,
  NOTHING,
  prompt,
  readLegal,
  recent,
  RETREAT,
  whyNotMeans,
  whyNotPlace,
} from './choice.js';
import { draggable } from './drag.js';
import { ending } from './ending.js';
import { hold, launch } from './flight.js';
import { dealHands, playMove } from './motion.js';
import { clue, logLine, placeLabel, reasonWords, sentence, standing } from './words.js';

/** @typedef {import('./choice.js').Choice} Choice */
/** @typedef {import('./choice.js').Legal} Legal */
/** @typedef {import('./notation.js').View} View */
/** @typedef {import('../faces.js').Info} Info */
/** @typedef {import('../faces.js').Shown} Shown */
/** @typedef {import('../lib/messages.js').Move} Move */

const STILL = matchMedia('(prefers-reduced-motion: reduce)');

export class Face extends HTMLElement {
  /** @type {Info} */
  #info = { game: '', kind: '', rules: {}, printing: '', seats: [] };
  /** @type {import('./symbols.js').SymbolSet} */
  #set = {};
  /** @type {Shown | null} */
  #now = null;
  /** @type {View | null} */
  #view = null;
  /** @type {Legal[]} */
  #legal = [];
  /** @type {Choice} */
  #choice = NOTHING;
  #prompted = '';
  #hinted = '';
  /** Ends the deal. */ #hurry = () => {};

  constructor() {
    super();
    this.addEventListener('click', (event) => this.#clicked(/** @type {Element} */ (event.target)));
    for (const type of ['pointerover', 'focusin']) {
      this.addEventListener(type, (event) => this.#pointed(/** @type {Element} */ (event.target)));
    }
    draggable(this, (target) => this.#take(target));
  }

  connectedCallback() {
    document.addEventListener('keydown', this.#pressed);
    document.addEventListener('language', this.#respoken);
  }

  disconnectedCallback() {
    document.removeEventListener('keydown', this.#pressed);
    document.removeEventListener('language', this.#respoken);
  }

  /** The reader's. */
  get #colour() {
    return this.#info.seats[(this.#now?.eyes ?? 1) - 1].colour;
  }

  /** @param {string} selector @returns {HTMLElement} */
  #part(selector) {
    return /** @type {HTMLElement} */ (this.querySelector(selector));
  }

  get #board() {
    return /** @type {import('./board.js').TunnelBoard} */ (this.#part('tunnel-board'));
  }

  /** Once for a game, and again when a seat's name has changed. @param {Info} info */
  setup(info) {
    const same = looks(info) === looks(this.#info);
    this.#info = info;
    if (same) return this.#draw();
    this.#set = symbolsOf(readEdition(info.game).edition, info.printing);
    this.#now = this.#view = null;
    this.#choice = NOTHING;
    this.#prompted = this.#hinted = '';
    this.replaceChildren();
    morph(
      this,
      markup`<div class="table-top"><tunnel-board></tunnel-board><section class="supply"></section><section class="hand"
        role="group"></section>
      <div class="deeds"></div></div><div class="air" aria-hidden="true"></div>
      <div class="choice" popover role="menu"></div>`,
    );
  }

  /** @param {Shown} now */
  update(now) {
    const view = readView(now.view);
    if (view.tunnel !== this.#view?.tunnel) {
      this.#board.setup(view.tunnel, this.#set, this.#info.seats, view.pirates[0].length);
    }
    if (now.legal.join() !== this.#now?.legal.join()) {
      this.#hinted = '';
      closeMenu(this.#part('.choice'));
    }
    this.#now = now;
    this.#view = view;
    this.#legal = readLegal(now.busy || now.covered ? [] : now.legal);
    if (!left(this.#legal, this.#choice).length) this.#choice = NOTHING;
    this.#draw();
    this.#promptOnce();
  }

  /** Send the prompt if it has changed. */
  #promptOnce() {
    const view = /** @type {View} */ (this.#view),
      key = this.#legal.length ? `${view.turn}:${view.actions}:${this.#now?.eyes}` : '';
    if (key && key !== this.#prompted) this.#tell(prompt(this.#set, view, this.#legal, this.#choice));
    this.#prompted = key;
  }

  #draw() {
    const now = this.#now, view = this.#view;
    if (!now || !view) return;
    const eyes = now.covered ? 0 : now.eyes,
      retreat = this.#chosenRetreat(),
      retreats = left(this.#legal, { means: RETREAT, from: this.#choice.from });
    this.#board.settle(view.pirates);
    this.#board.mark(now.eyes - 1, marksOf(view, this.#legal, this.#choice), this.#labels(view, eyes));
    this.#board.recall(isEmpty(this.#choice) ? recent(now.last ?? []) : []);
    morph(
      this.#part('.supply'),
      supply(this.#set, view, Number(this.#info.rules.row), retreat?.cards.length ?? 0, lastPlayed(now.moves)),
    );
    this.#drawHand(view, eyes);
    const acting = this.#legal.length > 0, chosen = this.#choice.means === RETREAT;
    const deeds = markup`${retreatButton(this.#set, retreat, retreats.length > 0, chosen, acting)}
      ${this.#legal.some(({ kind }) => kind === 'draw') && drawButton()}`;
    morph(this.#part('.deeds'), now.over ? endButton() : markup`${!now.replayed && deeds}`);
    this.#part('.deeds').classList.toggle('hinted', this.#hinted === 'draw');
    this.#part('.deeds').classList.toggle('absent', eyes === 0 && !now.over);
  }

  /** Each place's label for screen readers.
   * @param {View} view @param {number} eyes @returns {(place: number) => string} */
  #labels(view, eyes) {
    const open = left(this.#legal, this.#choice), goals = isEmpty(this.#choice) ? [] : open;
    return (place) =>
      placeLabel(
        this.#info,
        this.#set,
        view,
        eyes,
        place,
        goals.filter(({ to }) => to === place),
        open.filter(({ from }) => from === place),
      );
  }

  /** @param {View} view @param {number} eyes */
  #drawHand(view, eyes) {
    const hand = this.#part('.hand');
    hand.setAttribute('aria-label', t('cartagena.hand'));
    hand.classList.toggle('absent', eyes === 0);
    if (eyes === 0) {
      morph(hand, markup`<p>${t(this.#now?.covered ? 'cartagena.covered' : 'cartagena.noHand')}</p>`);
      return;
    }
    const { means, from } = this.#choice,
      advances = from < 0 ? [] : left(this.#legal, { means: '', from }).filter(({ card }) => card);
    const leads = new Map(advances.map(({ card, to }) => [card, to]));
    const still = this.#legal.length === 0, replayed = this.#now?.replayed === true;
    morph(hand, markup`${handSlots(this.#set, view, view.hands[eyes - 1], means, leads, still, replayed)}`);
  }

  /** The retreat, if only one fits the choice. */
  #chosenRetreat() {
    const view = /** @type {View} */ (this.#view),
      [only, ...more] = left(this.#legal, { means: RETREAT, from: this.#choice.from });
    if (!only || more.length || (this.#choice.means && this.#choice.means !== RETREAT) || isEmpty(this.#choice)) {
      return null;
    }
    return { ...only, cards: brings(view, only.to) };
  }

  /** @param {string} text */
  #tell(text) {
    if (text) this.dispatchEvent(new CustomEvent('tell', { bubbles: true, detail: { text } }));
  }

  /** @param {string} action */
  #act(action) {
    this.#choice = NOTHING;
    closeMenu(this.#part('.choice'));
    this.#draw();
    this.dispatchEvent(new CustomEvent('act', { bubbles: true, detail: { action } }));
  }

  /** @param {Choice} choice */
  #choose(choice) {
    const view = /** @type {View} */ (this.#view);
    this.#choice = choice;
    this.#hinted = '';
    this.#draw();
    this.#tell(prompt(this.#set, view, this.#legal, choice));
  }

  /** Whether nothing can be done now. If so, the player is told why. */
  #isBarred() {
    const reason = this.#now && this.#view ? barred(this.#info, this.#now, this.#view) : '';
    if (reason !== null) this.#tell(reason);
    return reason !== null;
  }

  /** Choose a card or a retreat, for the chosen pirate or one to be chosen next. @param {string} means */
  #chooseMeans(means) {
    if (this.#isBarred() || !this.#now || !this.#view) return;
    // another card than the hinted one is not for the hinted pirate
    const other = this.#hinted && this.#choice.means !== means, from = other ? -1 : this.#choice.from;
    const wanted = { means, from }, [action] = left(this.#legal, wanted);
    if (!action) this.#tell(whyNotMeans(this.#info, this.#set, this.#view, this.#now.eyes, wanted));
    else if (from >= 0) this.#act(action.text);
    else this.#choose(this.#choice.means === means ? NOTHING : wanted);
  }

  /** Choose the pirate there, or the move that leads there. @param {number} place */
  #choosePlace(place) {
    if (this.#isBarred() || !this.#now || !this.#view) return;
    const { means, from } = this.#choice, open = left(this.#legal, this.#choice);
    const meant = isEmpty(this.#choice)
      ? []
      : open.filter((action) => action.to === place || (means && action.from === place));
    if (meant.length) this.#settleOn(meant, place);
    else if (place === from) this.#choose(NOTHING);
    else if (left(this.#legal, { means, from: place }).length) this.#choose({ means: '', from: place });
    else if (isEmpty(this.#choice) && open.some(({ to }) => to === place)) {
      this.#ask(open.filter(({ to }) => to === place), place);
    } else this.#tell(whyNotPlace(this.#info, this.#set, this.#view, this.#now.eyes, this.#choice, place));
  }

  /** Act if only one action is meant, otherwise ask which. @param {Legal[]} meant @param {number} place */
  #settleOn(meant, place) {
    if (meant.length === 1) this.#act(meant[0].text);
    else this.#ask(meant, place);
  }

  /** @param {Legal[]} actions @param {number} place where they end */
  #ask(actions, place) {
    const { boat } = /** @type {View} */ (this.#view), looks = { set: this.#set, boat, colour: this.#colour };
    const menu = this.#part('.choice');
    menu.setAttribute('aria-label', t('cartagena.choose'));
    ask(menu, options(actions, looks), this.#board.button(place));
  }

  /** @param {Element} target */
  #clicked(target) {
    const { card, place, action, do: deed } =
      /** @type {HTMLElement | null} */ (target.closest('[data-card], [data-place], [data-do], [data-action]'))
        ?.dataset ??
        {};
    if (action) this.#act(action);
    else if (card) this.#chooseMeans(card);
    else if (place) this.#choosePlace(Number(place));
    else if (deed === 'retreat') this.#chooseMeans(RETREAT);
    else if (deed === 'draw') this.#drawCard();
    else if (deed === 'ending') this.dispatchEvent(new CustomEvent('ending', { bubbles: true }));
    else if (deed === 'discards') {
      openSheet({
        title: () => t('cartagena.discarded'),
        body: () => discardList(this.#set, /** @type {View} */ (this.#view)),
      });
    } else if (!isEmpty(this.#choice)) this.cancel();
  }

  #drawCard() {
    if (this.#isBarred()) return;
    if (this.#legal.some(({ kind }) => kind === 'draw')) this.#act('draw');
    else this.#tell(t('cartagena.why.draw'));
  }

  /** Show the path of the move under the pointer or focus. @param {Element} target */
  #pointed(target) {
    const view = this.#view, at = /** @type {HTMLElement | null} */ (target.closest('[data-place]'))?.dataset.place;
    if (!view || isEmpty(this.#choice)) return;
    const place = Number(at ?? -1), open = left(this.#legal, this.#choice);
    const under = open.filter(({ from, to }) => to === place || (this.#choice.from < 0 && from === place));
    this.#board.trail(under.length ? under : marksOf(view, this.#legal, this.#choice).trails);
  }

  /** What dragging a card or a pirate does. @param {Element} target */
  #take(target) {
    const { card, place } = /** @type {HTMLElement | null} */ (target.closest('[data-card], [data-place]'))?.dataset ??
      {};
    if (!card && !place) return null;
    const choice = card ? { means: card, from: -1 } : { means: '', from: Number(place) };
    if (!left(this.#legal, choice).length) return null;
    const air = this.#part('.air'), width = card ? 54 : 34;
    /** @type {HTMLElement | null} */
    let held = null;
    return {
      begin: () => {
        this.#choose(choice);
        held = launch(air, card ? icon(this.#set[card]) : pirate(this.#colour));
        held.classList.toggle('person', !card);
      },
      move: (/** @type {number} */ x, /** @type {number} */ y) => {
        if (held) hold(air, held, { x, y, width });
      },
      end: () => held?.remove(),
      drop: (/** @type {number} */ x, /** @type {number} */ y) => this.#dropped(x, y),
    };
  }

  /** Dropped on a place: choose the move that leads there, or the pirate there. @param {number} x @param {number} y */
  #dropped(x, y) {
    const place = Number(
      /** @type {HTMLElement | null} */ (document.elementFromPoint(x, y)?.closest('[data-place]'))?.dataset.place ?? -1,
    );
    if (place < 0 || place === this.#choice.from) this.cancel();
    else this.#choosePlace(place);
  }

  #respoken = () => {
    this.#part('.places')?.setAttribute('aria-label', t('cartagena.board'));
    this.#draw();
  };

  /** @param {KeyboardEvent} event */
  #pressed = (event) => {
    if (!forPage(event) || !this.#view) return;
    const key = event.key.toLowerCase(), card = Object.keys(this.#set)[Number(key) - 1];
    if (key === 'escape') this.cancel();
    else if (key === 'enter') this.#confirm(event);
    else if (card && this.#now?.eyes) this.#chooseMeans(card);
    else if (key === 'r') this.#chooseMeans(RETREAT);
    else if (key === 't' && this.#info.rules['empty-hand-draw'] === 'on') this.#drawCard();
    else if (key === 'p') this.#nextPirate(event.shiftKey ? -1 : 1);
  };

  /** Play the chosen card or retreat if one action is left of it, whatever is in focus. @param {Event} event */
  #confirm(event) {
    const { means } = this.#choice, [only, ...more] = means ? left(this.#legal, this.#choice) : [];
    const { place } = /** @type {HTMLElement} */ (event.target).dataset ?? {};
    if (!only || more.length || place || this.#isBarred()) return;
    event.preventDefault();
    this.#act(only.text);
  }

  /** Focus the player's next pirate that can move. @param {number} step */
  #nextPirate(step) {
    const places = [...new Set(left(this.#legal, { ...this.#choice, from: -1 }).map(({ from }) => from))].sort((a, b) =>
      a - b
    );
    if (!places.length) return void this.#isBarred();
    const here = places.indexOf(
      Number(/** @type {HTMLElement | null} */ (document.activeElement)?.dataset.place ?? -1),
    );
    const next = here < 0 && step < 0 ? places.length - 1 : (here + step + places.length) % places.length;
    this.#board.focusPlace(places[next]);
  }

  cancel() {
    if (!isEmpty(this.#choice) || this.#hinted) this.#choose(NOTHING);
  }

  /** Show a hinted action as if it were chosen, or its pirate alone; null removes it.
   * @param {string | null} action @param {boolean} [piece] */
  suggest(action, piece = false) {
    const hinted = this.#legal.find(({ text }) => text === action);
    this.#hinted = piece ? '' : hinted?.text ?? '';
    this.#choice = !hinted || hinted.kind === 'draw' || hinted.kind === 'end'
      ? NOTHING
      : { means: piece ? '' : hinted.card || RETREAT, from: hinted.from };
    this.#draw();
    if (this.#view && this.#legal.length) this.#tell(prompt(this.#set, this.#view, this.#legal, this.#choice));
  }

  /** Where to look, and at which pirate. @param {string} action */
  clue(action) {
    return clue(action);
  }

  /** For the last sheet. */
  ending = {
    looks: 'voyage-sheet',
    body: () => (this.#view ? ending(this.#view, this.#info.seats, this.#now?.moves ?? []) : markup``),
    opened: () => {},
  };

  /** @param {number} seat */
  summary(seat) {
    return this.#view ? standing(this.#set, this.#view, seat, seat === this.#now?.eyes) : markup``;
  }

  /** @param {Move} move @param {string} before @param {string} after */
  say(move, before, after) {
    return this.#told(sentence, move, before, after);
  }

  /** @param {Move} move @param {string} before @param {string} after */
  line(move, before, after) {
    return this.#told(logLine, move, before, after);
  }

  /** @param {typeof sentence} words @param {Move} move @param {string} before @param {string} after */
  #told(words, move, before, after) {
    const [text] = [before, after, this.#now?.view].filter(Boolean), view = text ? readView(text) : null;
    return words(this.#info, this.#set, move, view?.boat ?? -1, before !== '' && view?.actions === 0);
  }

  /** @param {Move} move */
  sound({ action }) {
    const { kind, to } = readAction(action);
    if (kind === 'advance') return to === this.#view?.boat ? 'board' : 'card';
    return kind === 'retreat' ? 'back' : kind;
  }

  /** @param {Record<string, any>} values */
  reason(values) {
    return reasonWords(this.#set, values);
  }

  get hides() {
    return this.#info.rules.hands === 'hidden';
  }

  /** @param {string} view */
  secrets(view) {
    return readView(view).hands;
  }

  /** @param {string} view */
  pips(view) {
    const most = Number(this.#info.rules['most-actions']);
    return { left: most - readView(view).actions, most };
  }

  /** Why the turn cannot be ended now, for the shell's button; '' if it can. */
  whyNotEnd() {
    if (!this.#now || !this.#view || this.#legal.some(({ kind }) => kind === 'end')) return '';
    return barred(this.#info, this.#now, this.#view) ?? t('cartagena.why.least');
  }

  get keys() {
    const draw = this.#info.rules['empty-hand-draw'] === 'on' ? [['t', 'draw']] : [];
    const keys = [
      [`1–${Object.keys(this.#set).length}`, 'cards'],
      ['p', 'pirates'],
      ['← →', 'along'],
      ['r', 'retreat'],
      ...draw,
      ['Enter', 'enter'],
    ];
    return keys.map(([key, what]) => ({ key, text: t(`cartagena.keys.${what}`) }));
  }

  /** Play a move's motion. This overrides the `animate` of elements, hence the loose types.
   * @override @param {any} move @param {any} [before] @param {any} [after] @param {any} [speed] @returns {any} */
  animate(move, before, after, speed) {
    return this.#motion(move, before, after, speed);
  }

  /** @param {Move} move @param {string} before @param {string} after @param {number} speed */
  async #motion(move, before, after, speed) {
    const now = this.#now, action = readAction(move.action);
    this.#hurry();
    if (speed > 0 && before && after && action.kind !== 'end' && now) {
      this.update({ ...now, view: before, legal: [] });
      const own = now.covered ? 0 : now.eyes, layDown = (/** @type {string} */ card) => this.#layDown(own, card);
      const arrive = (/** @type {(before: View, after: View) => Partial<View>} */ change) =>
        this.#arrive(change, after);
      const scene = { face: this, board: this.#board, set: this.#set, own, layDown, arrive };
      if (STILL.matches) await this.#glimpse(action, after, speed);
      else await playMove(scene, move.seat, action, speed);
    }
    if (this.#now && after) this.update({ ...this.#now, view: after, moves: [...this.#now.moves, move], legal: [] });
  }

  /** Let everyone's first cards be seen coming from the pile. A press or a key ends it, and so does a move.
   * @param {number} speed */
  async deal(speed) {
    const view = this.#view, now = this.#now;
    if (!view || !now || !speed || STILL.matches || document.hidden) return;
    const done = new AbortController(), own = now.covered ? 0 : now.eyes;
    const dealing = dealHands({ face: this, board: this.#board, set: this.#set, own }, view, speed);
    this.#hurry = dealing.hurry;
    for (const type of ['pointerdown', 'keydown']) {
      document.addEventListener(type, dealing.hurry, { capture: true, signal: done.signal });
    }
    await dealing.done;
    done.abort();
  }

  /** With reduced motion: the move's target lights up.
   * @param {import('./notation.js').Action} action @param {string} after @param {number} speed */
  async #glimpse({ kind, to }, after, speed) {
    this.#board.settle(readView(after).pirates);
    if (kind !== 'draw') await this.#board.flash(to, 600 / speed);
  }

  /** Draw what has arrived while the rest is still on its way, and let the page count again.
   * @param {(before: View, after: View) => Partial<View>} change @param {string} after */
  #arrive(change, after) {
    const view = /** @type {View} */ (this.#view);
    this.#view = { ...view, ...change(view, readView(after)) };
    this.#draw();
    this.dispatchEvent(new CustomEvent('counted', { bubbles: true }));
  }

  /** Draw the hand without a card that is in the air. @param {number} own @param {string} card */
  #layDown(own, card) {
    const view = /** @type {View} */ (this.#view);
    this.#drawHand({ ...view, hands: view.hands.with(own - 1, view.hands[own - 1].replace(card, '')) }, own);
  }
}

/** What makes a new board necessary when it changes. @param {Info} info */
const looks = ({ game, printing, seats }) => JSON.stringify([game, printing, seats.map(({ colour }) => colour)]);

customElements.define('cartagena-face', Face);
