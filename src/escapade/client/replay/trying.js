// @ts-check
/** Moves that are tried out from a position of a game: played on the board, judged and advised on by the engine. */
import { announce, plain } from '../lib/announce.js';
import { markup, morph } from '../lib/dom.js';
import { ICONS } from '../lib/icons.js';
import { t } from '../lib/lang.js';
import { clockOf } from '../lib/notation.js';
import { settings } from '../lib/settings.js';
import { sound } from '../lib/sound.js';
import { hintList, reasonText } from '../table/hints.js';
import { ask, refusal } from './asking.js';

/** @typedef {import('../lib/messages.js').Advice} Advice */
/** @typedef {import('../lib/messages.js').Judgement} Judgement */
/** @typedef {import('../table/state.js').Step} Step */
/** What it works on: the page's parts and face, the game, and what is done after a move and when the reader has had
 * enough.
 * @typedef {{ parts: import('../table/frame.js').Parts, face: import('../faces.js').Face,
 *   replay: import('../lib/messages.js').Replay, changed: () => void, leave: () => void }} Stage */

export class Trying {
  /** @type {Step[]} */ line = [];
  /** What may be played after each of these. @type {string[][]} */ #legal = [];
  #busy = true;
  #told = '';
  /** @type {Advice[] | null} */ #advice = null;
  #asking = false;
  /** @type {string | null} */ #suggested = null;
  #gone = false;

  /** @param {Stage} stage @param {string} start the position @param {Judgement} [better] what would have been better
   * there, if that is to be shown */
  constructor(stage, start, better) {
    this.stage = stage;
    this.start = start;
    this.better = better;
  }

  async begin() {
    const checked = await ask('/api/position', { position: this.start });
    if (this.#gone) return;
    this.#busy = false;
    if (checked.fault) return this.#refused(checked.fault);
    this.#legal = [checked.legal];
    this.draw();
    this.tell(''); // what this is comes first, and then what the face says
    if (this.better) this.suggest(this.better.better[0]);
    const { dock } = this.stage.parts;
    dock.tabIndex = -1; // the focus is where the task is told, and on no button that Enter would press
    dock.focus();
  }

  /** Stop, and clear what lies over the board. */
  end() {
    this.#gone = true;
    this.stage.face.suggest(null);
    this.stage.parts.face.removeAttribute('aria-busy');
    this.stage.parts.over.className = 'over';
    this.stage.parts.over.replaceChildren();
  }

  get view() {
    return this.line[this.line.length - 1]?.after ?? this.start;
  }

  /** Bets are secret, and not made here. */
  get legal() {
    return (this.#legal[this.line.length] ?? []).filter((action) => action !== 'bet');
  }

  get over() {
    return !this.#busy && !(this.#legal[this.line.length] ?? []).length;
  }

  /** Whether the turn that it began in has ended. */
  get turned() {
    return this.over || clockOf(this.view).turn !== clockOf(this.start).turn;
  }

  /** Play something. @param {string} action */
  async act(action) {
    if (this.#busy || !this.legal.includes(action)) return;
    this.#busy = true;
    this.closeAdvice();
    this.draw();
    const checked = await ask('/api/position', { position: this.view, actions: [action] });
    if (this.#gone) return;
    if (checked.fault) {
      this.#busy = false;
      this.draw();
      return this.#refused(checked.fault);
    }
    const [{ seat, turn, action: played, view }] = checked.steps, { face } = this.stage, before = this.view;
    const step = { n: this.line.length, move: { seat, turn, action: played }, before, after: view };
    announce(plain(face.say(step.move, before, view)));
    if (settings.speed) sound(face.sound(step.move));
    await face.animate(step.move, before, view, settings.speed);
    if (this.#gone) return;
    this.line.push(step);
    this.#legal[this.line.length] = checked.legal;
    this.#busy = false;
    this.#told = '';
    this.draw();
    this.acted();
  }

  /** What follows a move. */
  acted() {}

  undo() {
    if (this.#busy || !this.line.length) return;
    this.line.pop();
    this.#told = '';
    this.closeAdvice();
    this.draw();
  }

  /** Ask what could be done here. */
  async advise() {
    if (this.#busy || this.#asking || this.over) return;
    this.#asking = true;
    this.#drawOver();
    const view = this.view, told = await ask('/api/advice', { position: view });
    this.#asking = false;
    if (this.#gone || view !== this.view) return;
    if (told.fault) this.#refused(told.fault);
    else {
      this.#advice = told.hints;
      announce(t('hints.come', { n: told.hints.length }));
    }
    this.#drawOver();
  }

  closeAdvice() {
    this.#advice = null;
    this.better = undefined;
    this.suggest(null);
    this.#drawOver();
  }

  /** Mark an action on the board; the same again removes the mark. @param {string | null} action */
  suggest(action) {
    this.#suggested = action === this.#suggested ? null : action;
    this.stage.face.suggest(this.#suggested);
    this.#drawOver();
  }

  /** @type {Record<string, (button: HTMLElement | null) => void>} */
  deeds = {
    undo: () => this.undo(),
    end: () => this.act('.'),
    hint: () => this.advise(),
    unhint: () => this.closeAdvice(),
    suggest: (button) => this.suggest(button?.dataset.action ?? null),
    leave: () => this.stage.leave(),
  };

  /** @type {Record<string, string>} */
  shortcuts = { u: 'undo', e: 'end', h: 'hint', g: 'leave' };

  /** What the face says. @param {string} text */
  tell(text) {
    this.#told = text;
    this.drawDock();
  }

  /** @param {import('../lib/messages.js').Refusal} fault */
  #refused(fault) {
    this.#told = refusal(fault);
    announce(this.#told);
    this.drawDock();
  }

  draw() {
    const { face, parts } = this.stage, legal = this.legal;
    parts.face.setAttribute('aria-busy', String(this.#busy));
    face.update({
      view: this.view,
      moves: this.line.map(({ move }) => move),
      eyes: clockOf(this.view).seat,
      legal,
      covered: false,
      over: this.over,
      sealed: [],
      canEnd: legal.includes('.'),
      busy: this.#busy,
    });
    this.drawDock();
    this.#drawOver();
    this.stage.changed();
  }

  drawDock() {
    morph(
      this.stage.parts.dock,
      markup`<p class="prompt">${this.prompt()}</p><div class="buttons">${this.buttons()}</div>`,
    );
  }

  /** What the dock says. @returns {unknown} */
  prompt() {
    const last = this.line[this.line.length - 1];
    if (this.over) return t('analysis.over');
    return this.#told || (last ? plain(this.stage.face.say(last.move, last.before, last.after)) : t('analysis.try'));
  }

  /** @returns {unknown} */
  buttons() {
    return markup`${button('undo', ICONS.undo, t('table.undo'), this.line.length > 0)}${
      button('hint', ICONS.hint, t('analysis.advice'), !this.over)
    }${button('end', ICONS.end, t('table.end'), this.legal.includes('.'))}${
      button('leave', ICONS.back, t('analysis.back'), true, 'gold')
    }`;
  }

  #drawOver() {
    const { parts: { over } } = this.stage;
    const inside = this.#asking
      ? markup`<p class="dim">${t('hints.asking')}</p>`
      : this.#advice
      ? this.#hints(this.#advice)
      : this.better && this.#better(this.better);
    over.className = inside ? 'over hints' : 'over';
    morph(over, inside || markup``);
  }

  /** @param {Advice[]} advice */
  #hints(advice) {
    return hintList(advice, this.#circle, this.#suggested);
  }

  get #circle() {
    const { face, replay: { names } } = this.stage, { seat, turn } = clockOf(this.view), view = this.view;
    const say = (/** @type {string} */ action) => face.say({ seat, turn, action }, view, view);
    const reason = (/** @type {Record<string, any>} */ values) => face.reason(values);
    return { names, seat, shared: true, say, reason };
  }

  /** Reasons in words. @param {import('../lib/messages.js').Why[]} reasons */
  why(reasons) {
    return reasons.map((why) => reasonText(why, this.#circle)).join(' · ');
  }

  /** What would have been better, and why. @param {Judgement} better */
  #better({ better: line, reasons }) {
    const circle = this.#circle;
    return markup`<header><h2>${t('analysis.better')}</h2><button type="button" class="quiet"
        data-do="unhint">${t('common.close')}</button></header>
      <ol class="turn-line">${
      line.map((action, n) =>
        n
          ? markup`<li class="then">${n + 1}. ${circle.say(action)}</li>`
          : markup`<li><button type="button" data-do="suggest" data-action="${action}"
          aria-pressed="${String(action === this.#suggested)}"><b>1.</b><span class="what">${
            circle.say(action)
          }</span></button></li>`
      )
    }</ol><p>${this.why(reasons)}</p>`;
  }
}

/** @param {string} what @param {import('../lib/dom.js').Markup} mark @param {string} text @param {boolean} on
 * @param {string} [looks] */
export const button = (what, mark, text, on, looks = '') =>
  markup`<button type="button" class="btn ${looks}" data-key="${what}" data-do="${what}"
    aria-disabled="${String(!on)}">${mark}<span>${text}</span></button>`;
