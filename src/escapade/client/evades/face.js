// @ts-check
/** The face of Les Évadés: island, dice and the player's bet. It knows a view and the legal actions, and no rules. */
import { markup, morph } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { SEATS } from '../lib/seats.js';
import { ask, closeMenu } from '../lib/ask.js';
import { PAWNS, readAction, readView } from './notation.js';
import { BetSheet } from './bet.js';
import { chip, quill, wax } from './drawings.js';
import { Dice } from './dice.js';
import { byTarget, canThrow, DICE, fits, listed, movesOf, placeOf, recent, throwsOf } from './choice.js';
import { diceLooks, ownBet } from './tray.js';
import {
  clue,
  logLine,
  moveName,
  prompt,
  reasonWords,
  say,
  stackOf,
  whyNotChosen,
  whyNotMoved,
  whyNotNow,
} from './words.js';
import { Island } from './board.js';
import { isScored, playScores, pointsOf, scores } from './score.js';

/** @typedef {import('./notation.js').View} View */
/** @typedef {import('./choice.js').Choice} Choice */
/** @typedef {import('../lib/messages.js').Move} Move */
/** @typedef {import('../faces.js').Shown} Shown */

const still = matchMedia('(prefers-reduced-motion: reduce)');
const UNMARKED = { moves: [], ready: '', hinted: null };
/** Milliseconds to read what happened before the turn passes. */
const PAUSE = 350;

/** @param {number} ms */
const wait = (ms) =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

export class Face extends HTMLElement {
  /** @type {{ name: string, colour: number }[]} */ #seats = [];
  /** @type {Shown} */
  #now = { view: '', moves: [], eyes: 0, legal: [], covered: true, over: false, sealed: [], canEnd: false, busy: true };
  /** @type {View | null} */ #view = null;
  /** Dice chosen to be thrown. */ #chosen = '';
  /** Whether the white die is selected, which shows the moves back. */ #armed = false;
  /** @type {string | null} */ #hinted = null;
  /** The last text sent to the page. */ #last = '';
  /** Whether the player's own bet is shown; it starts closed where several share a screen. */ #open = true;
  /** The seat that closed the bet sheet to look at the board. */ #looking = 0;
  /** The dice that are being thrown, with their numbers. @type {Record<string, number> | null} */ #flying = null;
  /** @type {AbortController | null} */ #heard = null;

  /** @param {import('../faces.js').Info} info */
  setup({ seats, rules }) {
    this.#seats = seats;
    if (!this.island) this.#build(Number(rules.length));
    else this.#draw();
  }

  /** @param {number} length of the track */
  #build(length) {
    morph(
      this,
      markup`<div class="board" role="group"></div><div class="tray"><ul class="dice"></ul><div class="chief"></div><div
        class="mybet"></div></div>
      <div class="choice" popover role="menu"></div><dialog class="sheet paper bet"
        aria-labelledby="bet-title"></dialog>`,
    );
    this.island = new Island(this.#part('.board'), length);
    this.dice = new Dice(this.#part('.dice'));
    this.menu = this.#part('.choice');
    const leave = () => {
      this.#looking = this.#now.eyes;
    };
    this.bet = new BetSheet(/** @type {HTMLDialogElement} */ (this.#part('.bet')), {
      seal: (bet) => this.#seal(bet),
      leave,
    });
  }

  connectedCallback() {
    this.#heard = new AbortController();
    const { signal } = this.#heard;
    this.addEventListener('click', (event) => this.#click(/** @type {HTMLElement} */ (event.target)), { signal });
    document.addEventListener('keydown', (event) => this.#key(event), { signal });
    document.addEventListener('language', () => this.#draw(), { signal });
  }

  disconnectedCallback() {
    this.#heard?.abort();
  }

  /** @param {string} selector @returns {HTMLElement} */
  #part(selector) {
    return /** @type {HTMLElement} */ (this.querySelector(selector));
  }

  /** @param {Shown} now */
  update(now) {
    const was = this.#now;
    this.#now = now;
    if (was.view !== now.view || was.eyes !== now.eyes || was.legal.join() !== now.legal.join()) this.#drop();
    if (was.eyes && now.eyes && was.eyes !== now.eyes) this.#open = false;
    if (!now.legal.length) this.#last = '';
    this.#view = readView(now.view);
    this.#draw();
  }

  #drop() {
    this.#chosen = '';
    this.#armed = false;
    this.#hinted = null;
    this.#closeMenu();
  }

  /** What the reader may do here and now. */
  get #legal() {
    return this.#now.covered || this.#now.busy ? [] : this.#now.legal;
  }

  /** @returns {Choice[]} */
  get #moves() {
    return this.#view ? movesOf(this.#legal, this.#view) : [];
  }

  /** Moves back are shown while the white die is selected, or if there are no others. */
  get #shown() {
    const moves = this.#moves, forward = moves.some(({ kind }) => kind === 'forward');
    return moves.filter(({ kind }) => kind === 'forward' || this.#armed || !forward);
  }

  #draw() {
    const view = this.#view, { eyes, covered } = this.#now;
    if (!view) return;
    const shown = this.#shown;
    this.#part('.board').setAttribute('aria-label', t('evades.board'));
    this.#part('.dice').setAttribute('aria-label', t('evades.dice'));
    this.island?.show(view, {
      moves: shown,
      ready: this.#chosen + shown.map(({ pawn }) => pawn).join(''),
      hinted: this.#hinted,
      past: shown.length || this.#chosen ? [] : recent(this.#now.last ?? []).map((way) => ({
        ...way,
        colour: SEATS[this.#seats[way.seat - 1].colour].fill,
      })),
    });
    this.#drawDice(view, this.#legal);
    morph(this.#part('.mybet'), covered ? markup`` : ownBet(view, eyes, this.#open));
    this.#drawBetSheet(view);
    this.#prompt(view);
  }

  /** The dice, and the one button beside them: write the bet, throw, or see the score. Dice in the air count as thrown,
   * whatever else is drawn meanwhile.
   * @param {View} now @param {string[]} legal */
  #drawDice(now, legal) {
    const view = this.#flying ? { ...now, moved: {}, dice: this.#flying } : now;
    const taken = { chosen: this.#chosen, armed: this.#armed, hinted: this.#hinted };
    this.dice?.show(diceLooks(view, legal, taken), this.#now.replayed);
    const sets = throwsOf(legal),
      deed = this.#now.over ? 'scores' : legal.includes('bet') ? 'write' : sets.length ? 'throw' : '';
    const drawn = deed === 'scores' && !isScored(view), off = deed === 'throw' && !canThrow(sets, this.#chosen);
    const button = deed &&
      markup`<button type="button" class="btn gold" data-deed="${deed}"
          aria-disabled="${String(off)}">${t(`evades.deed.${drawn ? 'bets' : deed}`)}</button>`;
    morph(this.#part('.chief'), markup`${button}`);
  }

  /** Open the bet sheet for a player who may bet. It stays open while other bets arrive, and closes for everybody else.
   * @param {View} view */
  #drawBetSheet(view) {
    const { eyes, covered, busy } = this.#now, sheet = this.bet, mayWrite = this.#legal.includes('bet') && eyes > 0;
    const written = eyes > 0 && view.bets[eyes - 1] !== '-',
      stays = busy && !covered && eyes > 0 && !written && !view.turn;
    if (written) sheet?.forget(eyes);
    if (covered) this.#looking = 0;
    if (sheet?.dialog.open && !mayWrite && !stays) sheet.close();
    else if (sheet?.dialog.open || (mayWrite && this.#looking !== eyes)) sheet?.open(eyes);
  }

  /** @param {string} bet */
  #seal(bet) {
    if (this.#now.busy) return;
    this.bet?.close();
    this.#act(`bet:${bet}`);
  }

  /** @param {View} view */
  #prompt(view) {
    const legal = this.#legal;
    if (legal.length) {
      this.#tell(
        legal.includes('bet')
          ? t('evades.prompt.bet')
          : prompt(view, throwsOf(legal), this.#chosen, this.#moves, this.#armed),
        true,
      );
    }
  }

  /** @param {string} text @param {boolean} [once] not if it was the last one sent */
  #tell(text, once = false) {
    if (once && text === this.#last) return;
    this.#last = text;
    this.dispatchEvent(new CustomEvent('tell', { detail: { text }, bubbles: true }));
  }

  /** @param {string} action */
  #act(action) {
    if (this.#now.busy) return;
    this.#closeMenu();
    this.dispatchEvent(new CustomEvent('act', { detail: { action }, bubbles: true }));
  }

  /** @param {HTMLElement} target */
  #click(target) {
    const control = /** @type {HTMLElement | null} */ (target.closest(
      '[data-die], [data-pawn], [data-pin], [data-deed], [data-action]',
    ));
    const { die, pawn, pin, deed, action } = control?.dataset ?? {};
    if (die) this.#tapDie(die);
    else if (pawn) this.#tapPawn(pawn);
    else if (pin) this.#take(byTarget(this.#shown).get(pin) ?? [], this.#part(`[data-pin="${pin}"]`));
    else if (deed) this.#do(deed);
    else if (action) this.#act(action);
  }

  /** @param {string} deed */
  #do(deed) {
    const view = /** @type {View} */ (this.#view), sets = throwsOf(this.#legal);
    if (deed === 'scores') this.dispatchEvent(new CustomEvent('ending', { bubbles: true }));
    if (deed === 'write') this.bet?.open(this.#now.eyes);
    if (deed === 'peek') {
      this.#open = !this.#open;
      this.#draw();
    }
    if (deed === 'throw' && canThrow(sets, this.#chosen)) this.#act(`roll:${listed(this.#chosen)}`);
    else if (deed === 'throw') this.#tell(prompt(view, sets, this.#chosen, [], false));
  }

  /** @param {string} die */
  #tapDie(die) {
    const view = /** @type {View} */ (this.#view), legal = this.#legal, sets = throwsOf(legal), moves = this.#moves;
    if (this.#now.offline) return this.#tell(t('table.unsent'));
    if (this.#now.busy) return undefined;
    if (!legal.length || legal.includes('bet')) return this.#tell(whyNotNow(view, this.#now.over, this.#seats));
    if (sets.length) return this.#choose(view, sets, die);
    const forward = moves.find(({ pawn, kind }) => pawn === die && kind === 'forward');
    if (forward) return this.#act(forward.action);
    if (die !== 'w' || !moves.some(({ kind }) => kind === 'back')) return this.#tell(whyNotMoved(view, die));
    this.#armed = !this.#armed;
    return this.#draw();
  }

  /** @param {View} view @param {string[]} sets @param {string} die */
  #choose(view, sets, die) {
    if (this.#chosen.includes(die)) this.#chosen = this.#chosen.replace(die, '');
    else if (fits(sets, this.#chosen + die)) this.#chosen += die;
    else return this.#tell(whyNotChosen(view, sets, die));
    return this.#draw();
  }

  /** A pawn stands for its die. If it may go either way, a menu asks. @param {string} pawn */
  #tapPawn(pawn) {
    const view = /** @type {View} */ (this.#view), { space } = placeOf(view, pawn);
    const ofPawn = (/** @type {Choice} */ move) => move.pawn === pawn, shown = this.#shown.filter(ofPawn);
    if (shown.length) return this.#take(shown, this.#part(`[data-pawn="${pawn}"]`));
    if (this.#moves.some(ofPawn)) return this.#tapDie('w');
    if (throwsOf(this.#legal).length || !space || view.stacks[space].length < 2) return this.#tapDie(pawn);
    return this.#tell(stackOf(view, space));
  }

  /** Do the only move, or ask which one. @param {Choice[]} moves @param {HTMLElement} anchor */
  #take(moves, anchor) {
    const menu = /** @type {HTMLElement} */ (this.menu);
    if (moves.length === 1) return this.#act(moves[0].action);
    const lines = moves.map((move) =>
      markup`<button type="button" role="menuitem" class="${move.kind}" data-action="${move.action}">
      ${chip(move.pawn)}${moveName(move)}</button>`
    );
    return ask(menu, markup`${lines}`, anchor);
  }

  #closeMenu() {
    if (this.menu) closeMenu(this.menu);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const focus = /** @type {HTMLElement} */ (event.target), { key } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !this.#view) return;
    if (this.closest('[inert]') || focus.closest('input, textarea, select, dialog')) return;
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[key];
    if (step && this.contains(focus)) this.#step(event, focus, step);
    else if (/^[1-8]$/.test(key)) this.#tapDie(DICE[Number(key) - 1]);
    else if (key === 't') this.#part('[data-deed="throw"]')?.click();
    else if (key === 'b') this.#part('[data-deed="write"], [data-deed="peek"]')?.click();
  }

  /** Arrow keys go from pawn to pawn, die to die.
   * @param {KeyboardEvent} event @param {HTMLElement} focus @param {number} by */
  #step(event, focus, by) {
    const all = /** @type {HTMLElement[]} */ ([...focus.closest('.dice')?.querySelectorAll('button') ?? []]);
    if (!focus.dataset.pawn && !all.length) return;
    event.preventDefault();
    if (focus.dataset.pawn) this.island?.rove(by);
    else all[(all.indexOf(focus) + by + all.length) % all.length].focus();
  }

  /** Play a move's motion. This overrides the `animate` of elements, hence the loose types.
   * @override @param {any} move @param {any} [before] @param {any} [after] @param {any} [speed] @returns {any} */
  animate(move, before, after, speed) {
    return this.#play(move, readView(before), readView(after), speed);
  }

  /** @param {Move} move @param {View} before @param {View} after @param {number} speed */
  async #play(move, before, after, speed) {
    const action = readAction(move.action);
    this.#drop();
    if (speed === 0) return;
    if (action.kind === 'roll') await this.#throw(action, before, speed);
    if (action.kind === 'forward' || action.kind === 'back') await this.#walk(action, before, after, speed);
    if (after.turn !== before.turn) await wait((action.kind === 'roll' ? 3 : 1) * PAUSE / speed);
  }

  /** @param {import('./notation.js').Action} action @param {View} before @param {number} speed */
  async #throw({ dice, numbers }, before, speed) {
    this.#flying = Object.fromEntries([...dice].map((die, i) => [die, numbers[i]]));
    this.island?.show(before, UNMARKED);
    this.#drawDice(before, []);
    this.#part('.dice').classList.toggle('rolling', !still.matches);
    await (still.matches ? wait(PAUSE) : this.dice?.roll(dice, numbers, speed))?.finally(() => {
      this.#flying = null;
      this.#part('.dice').classList.remove('rolling');
    });
  }

  /** Move the pawn, then those that the end of the race puts into boats (G10).
   * @param {import('./notation.js').Action} action @param {View} before @param {View} after @param {number} speed */
  async #walk({ pawn, boat, to }, before, after, speed) {
    const others = [...PAWNS].filter((one) => one !== pawn && placeOf(after, one).boat && !placeOf(before, one).boat);
    if (still.matches) this.island?.show(after, UNMARKED);
    for (const one of [pawn, ...others]) {
      if (still.matches) await this.island?.flash(one);
      else await this.island?.walk(one, before, after, one === pawn && !boat ? to : 0, speed);
    }
  }

  /** Show a hinted action; its pawn alone is not marked. @param {string | null} action @param {boolean} [piece] */
  suggest(action, piece = false) {
    this.#drop();
    if (piece) return this.#draw();
    this.#hinted = action;
    const { kind, dice, bet } = action ? readAction(action) : { kind: '', dice: '', bet: '' };
    this.#chosen = dice;
    this.#armed = kind === 'back';
    if (bet) this.bet?.write(this.#now.eyes, bet);
    this.#draw();
  }

  /** Where to look, and at which pawn. @param {string} action @param {string} view */
  clue(action, view) {
    return clue(action, readView(view));
  }

  cancel() {
    this.#drop();
    this.#draw();
  }

  /** The score, for the last sheet. */
  ending = {
    looks: 'score',
    body: () => (this.#view ? scores(this.#view, this.#seats) : markup``),
    opened: (/** @type {HTMLElement} */ sheet) => {
      if (!still.matches) playScores(sheet);
    },
  };

  /** A seat's line in the list of players. @param {number} seat */
  summary(seat) {
    const view = this.#view, over = view && this.#now.over;
    if (over && !isScored(view)) return markup``;
    const points = over ? pointsOf(view, seat) : null;
    if (points !== null) return markup`<span class="points">${t('evades.points', { n: points })}</span>`;
    const made = view && (view.bets[seat - 1] !== '-' || this.#now.sealed.includes(seat));
    return made
      ? markup`<span class="sealed">${wax}${t('evades.sealed')}</span>`
      : markup`<span class="writing">${quill}${t('evades.writing')}</span>`;
  }

  /** @param {Move} move @param {string} before @param {string} after */
  say(move, before, after) {
    return say(move, before, after, this.#seats);
  }

  /** @param {Move} move @param {string} before @param {string} after */
  line(move, before, after) {
    return logLine(move, before, after, this.#seats);
  }

  /** @param {Move} move */
  sound({ action }) {
    const { kind, boat } = readAction(action);
    return { bet: 'seal', roll: 'dice', forward: boat ? 'board' : 'step', back: 'back', end: 'step' }[kind];
  }

  reason = reasonWords;

  /** Dice are told when they lie. @param {Move} move */
  suspense({ action }) {
    return readAction(action).kind === 'roll';
  }

  /** Bets are secret. */
  hides = true;

  /** @param {string} view */
  secrets(view) {
    return readView(view).bets;
  }

  /** Why the turn cannot be ended now, for the shell's button; '' if it can. */
  whyNotEnd() {
    if (!this.#now || !this.#view || this.#now.legal.includes('.')) return '';
    if (!this.#now.legal.length || this.#now.legal.includes('bet')) {
      return whyNotNow(this.#view, this.#now.over, this.#seats);
    }
    return t(this.#moves.length ? 'evades.why.must' : 'evades.why.throw');
  }

  get keys() {
    const keys = [['1–8', 'dice'], ['t', 'throw'], ['b', 'bet'], ['← →', 'arrows'], ['Enter', 'enter'], ['Esc', 'esc']];
    return keys.map(([key, name]) => ({ key, text: t(`evades.keys.${name}`) }));
  }
}

customElements.define('evades-face', Face);
