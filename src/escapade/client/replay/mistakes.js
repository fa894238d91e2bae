// @ts-check
/** Learning from one's mistakes: the positions in which they were made, to find a better turn. */
import { announce } from '../lib/announce.js';
import { markup } from '../lib/dom.js';
import { ICONS } from '../lib/icons.js';
import { percent, t } from '../lib/lang.js';
import { clockOf } from '../lib/notation.js';
import { save, settings } from '../lib/settings.js';
import { ask } from './asking.js';
import { button, Trying } from './trying.js';

/** @typedef {import('../lib/messages.js').Judgement} Judgement */
/** A mistake: what it is in the analysis, whose, in which turn, and the position before it.
 * @typedef {{ judged: Judgement, name: string, turn: number, start: string }} Mistake */
/** @typedef {import('./trying.js').Stage & { table: string, next: (() => void) | null, nextGame: (() => void) | null,
 *   n: number, all: number }} Lesson */

/** What may be given away by a turn that is as good as the best: the analysis is no finer. */
const NEARLY = 0.04;

/** The turns of a game in which a better one has been found on this device. @param {string} table */
export const mended = (table) => settings.mended?.[table] ?? [];

/** @param {string} table @param {number} turn */
function learn(table, turn) {
  if (!table || mended(table).includes(turn)) return;
  const games = Object.entries({ ...settings.mended, [table]: [...mended(table), turn] });
  save({ mended: Object.fromEntries(games.slice(-100)) });
}

/** One mistake to be mended. The best turn is hidden until it is found or asked for. */
export class Mending extends Trying {
  /** @type {'' | 'asking' | 'right' | 'wrong' | 'shown'} */ #state = '';
  #lost = 0;
  /** What speaks for what was played. */ #why = '';
  /** Whether what is better leaves the turn open, as a throw of dice does. */ #open = false;

  /** @param {Lesson} lesson @param {Mistake} mistake */
  constructor(lesson, mistake) {
    super(lesson, mistake.start);
    this.lesson = lesson;
    this.mistake = mistake;
    Object.assign(this.deeds, {
      again: () => this.#again(),
      show: () => this.#show(),
      following: () => lesson.next?.(),
      nextGame: () => lesson.nextGame?.(),
    });
    Object.assign(this.shortcuts, { a: 'again', s: 'show', n: 'following' });
    delete this.shortcuts.h;
  }

  /** @override */
  async begin() {
    const { better } = this.mistake.judged, led = await ask('/api/position', { position: this.start, actions: better });
    this.#open = !led.fault && led.result === '*' && clockOf(led.position).turn === clockOf(this.start).turn;
    await super.begin();
    announce(this.#task);
  }

  /** Whether as much has been played as is to be judged: the turn, or as much of it as `better` has. */
  get #whole() {
    return this.turned || (this.#open && this.line.length >= this.mistake.judged.better.length);
  }

  /** @override */
  async acted() {
    if (this.#state || !this.#whole) return;
    this.#state = 'asking';
    this.drawDock();
    const actions = this.line.map(({ move }) => move.action), { better } = this.mistake.judged;
    const same = actions.length === better.length && better.every((one, n) => bare(actions[n]) === bare(one));
    const told = same
      ? { lost: 0, hints: [{ action: bare(actions[0]), reasons: this.mistake.judged.reasons }] }
      : await ask('/api/advice', { position: this.start, actions });
    if (told.fault) {
      this.#state = '';
      return this.undo();
    }
    this.#lost = told.lost;
    this.#why = this.why(
      told.hints.find((/** @type {{ action: string }} */ { action }) => action === bare(actions[0]))?.reasons ?? [],
    );
    this.#state = told.lost < NEARLY ? 'right' : 'wrong';
    if (this.#state === 'right') learn(this.lesson.table, this.mistake.turn);
    announce(this.#words());
    this.drawDock();
    /** @type {HTMLElement | null} */ (this.stage.parts.dock.querySelector('.gold'))?.focus();
  }

  /** @override */
  undo() {
    this.#state = '';
    super.undo();
  }

  #again() {
    while (this.line.length) super.undo();
    this.#state = '';
    this.closeAdvice();
    this.draw();
  }

  #show() {
    this.#again();
    this.#state = 'shown';
    this.better = this.mistake.judged;
    this.draw();
    this.suggest(this.mistake.judged.better[0]);
  }

  get #task() {
    const { judged: { mark, lost }, name, turn } = this.mistake, { n, all } = this.lesson;
    return t('analysis.task', { n, all, turn, name, what: t(`analysis.${mark}`), lost: percent(lost) });
  }

  #words() {
    if (this.#state === 'asking') return t('hints.asking');
    if (this.#state === 'right') return [t('analysis.right'), this.#why].filter(Boolean).join(' ');
    if (this.#state === 'wrong') return t('analysis.wrong', { lost: percent(this.#lost) });
    return this.#state === 'shown' ? t('analysis.shown') : '';
  }

  /** @override */
  prompt() {
    const words = this.#words();
    if (words) return markup`<span class="${this.#state === 'right' ? 'praise' : 'judged'}">${words}</span>`;
    return this.line.length ? super.prompt() : this.#task;
  }

  /** @override */
  buttons() {
    const { next, nextGame } = this.lesson, done = this.#state === 'right' || this.#state === 'shown';
    const onward = next
      ? button('following', ICONS.next, t('analysis.next'), true, done ? 'gold' : '')
      : nextGame
      ? button('nextGame', ICONS.next, t('analysis.nextGame'), true, done ? 'gold' : '')
      : '';
    const leave = button('leave', ICONS.back, t('analysis.back'), true, done && !next && !nextGame ? 'gold' : '');
    if (this.#state === 'wrong') {
      return markup`${button('again', ICONS.again, t('analysis.tryAgain'), true, 'gold')}${
        button('show', ICONS.hint, t('analysis.show'), true)
      }${onward}${leave}`;
    }
    if (done) return markup`${button('again', ICONS.again, t('analysis.tryAgain'), true)}${leave}${onward}`;
    return markup`${button('undo', ICONS.undo, t('table.undo'), this.line.length > 0)}${
      button('show', ICONS.hint, t('analysis.show'), true)
    }${button('end', ICONS.end, t('table.end'), this.legal.includes('.'))}${onward || leave}`;
  }
}

/** An action without its outcome. @param {string} action */
const bare = (action) => action.replace(/[+~=].*$/, '');
