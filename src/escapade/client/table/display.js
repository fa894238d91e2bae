// @ts-check
/** Everything the table's page shows: the game's face, its moves one after another, and what is around it. */
import { drawChat } from './chat.js';
import { dock, turnBox, turnShown, turnText, WARN } from './dock.js';
import { markup, morph } from '../lib/dom.js';
import { celebrate, openFinish, outcome } from './finish.js';
import { t } from '../lib/lang.js';
import { Log } from './log.js';
import { ICONS } from '../lib/icons.js';
import { overlay } from './overlay.js';
import { hintSteps } from './hints.js';
import { finish, Playback } from './playback.js';
import { playerRows } from './players.js';
import { settings } from '../lib/settings.js';
import { sound } from '../lib/sound.js';
import { newFace } from '../faces.js';
import { announce, plain } from '../lib/announce.js';
import { gameName } from '../lib/offer.js';
import { barButton, drawBar, frame } from './frame.js';
import { acting, fresh, lastTurns, NOTHING, own, steps, watched, winners } from './state.js';
import { tellTurn } from './title.js';

/** @typedef {import('./state.js').Known} Known */
/** A move to be shown. `eyes` are the seats whose secrets are in the views before and after it; `again` marks one that
 * was shown before.
 * @typedef {import('./state.js').Step & { eyes: [number, number], again?: boolean }} Scene */

export class Display {
  /** @type {Known} */ #known = NOTHING;
  /** @type {import('../faces.js').Face | null} */ #face = null;
  /** @type {Log | null} */ #log = null;
  /** The position on the board while moves are being shown: after n moves.
   * @type {{ n: number, view: string, eyes: number }} */
  #at = { n: 0, view: '', eyes: 0 };
  /** The seat whose player has confirmed that nobody else is looking. */ #ready = 0;
  /** The face's prompt. `#said` is the move being shown, in words. */ #prompt = '';
  #said = '';
  /** Whether there is more to show than the player's own move. */ #skippable = false;
  /** @type {string | null} */ #suggested = null;
  /** How many steps of the best hint have been asked for. */ #clues = 1;
  #celebrated = false;
  #warned = 0;
  #grace = false;
  /** Whether the cards have been dealt. */ #dealt = true;
  /** @type {ReturnType<typeof openFinish> | null} */ #sheet = null;

  up = false;
  /** The fault because of which there is no table to show. */ lost = '';
  /** What is shown until the game begins. */ lobby = (/** @type {import('./state.js').Table} */ _table) => markup``;
  unread = 0;
  /** What guides through the first game. @type {typeof import('./guide.js') | null} */ guide = null;
  /** The version that a hint was asked for by itself. */ #hinted = -1;

  /** @param {HTMLElement} root @param {(what: string) => void} act what the buttons of the last sheet do */
  constructor(root, act) {
    const { parts, leave } = frame(root);
    this.parts = parts;
    this.act = act;
    /** @type {Playback<Scene>} */
    this.playback = new Playback({
      show: (scene, speed) => this.#show(scene, speed),
      hurry: () => this.#face && finish(this.#face),
      rested: () => this.#rested(),
    });
    const ticking = setInterval(() => this.#tick(), 250);
    this.leave = () => {
      clearInterval(ticking);
      leave();
      this.playback.clear();
      this.#sheet?.dialog.close();
      tellTurn('', '');
    };
  }

  /** Create the face once the game has begun. @param {NonNullable<Known['table']>} table */
  async begin({ kind, game, rules, printing, seats, state, moves, start }) {
    if (this.#face || !state) return;
    this.#dealt = moves.length > 0 || start !== null;
    this.#celebrated = state.seat === 0;
    const face = await newFace(kind);
    if (!this.parts.face.isConnected) return; // the page was left while it was loading
    this.parts.face.replaceChildren(face);
    face.setup({
      game,
      kind,
      rules,
      printing,
      seats: seats.map(({ name, colour, bot }) => ({ name, colour, bot })),
      shared: seats.filter(({ yours }) => yours).length > 1,
    });
    this.#log = new Log(this.parts.log, {
      face,
      colour: (seat) => seats[seat - 1].colour,
      again: () => lastTurns(this.#known).length > 0,
    });
    this.#face = face;
  }

  get keys() {
    return this.#face?.keys ?? [];
  }

  // ---- moves on the board

  /** Cards or pirates have arrived while a move is being shown. */
  counted() {
    this.#drawPlayers();
  }

  /** @param {Scene} scene @param {number} speed */
  async #show(scene, speed) {
    const face = this.#face, { n, move, before, after, eyes: [then, now] } = scene;
    if (!face) return;
    this.#at = { n, view: before, eyes: then };
    this.#skippable = scene.again || this.playback.left > 0 || !own(this.#known).includes(move.seat);
    const told = plain(face.say(move, before, after)), suspense = speed > 0 && face.suspense?.(move);
    this.#said = suspense ? turnText(this.#known, move.seat) : told;
    if (!suspense) announce(told);
    this.#update(now);
    this.#drawTurn();
    this.#drawDock();
    if (speed) sound(face.sound(move));
    await face.animate(move, before, after, speed);
    if (suspense) {
      this.#said = told;
      announce(told);
      this.#drawDock();
    }
    this.#at = { n: n + 1, view: after, eyes: now };
    this.#update(now);
    this.#drawPlayers();
    this.#drawTurn();
    if (!scene.again) this.#drawLog(this.playback.left);
  }

  /** All moves have been shown: it is somebody's turn, or the game is over. */
  #rested() {
    this.#said = '';
    this.draw(this.#known);
    const { table } = this.#known, last = table?.moves[table.moves.length - 1], mine = own(this.#known);
    if (table?.state?.seat === 0 && !this.#celebrated) {
      this.#celebrate(
        table,
        winners(table.state.result).some((seat) => mine.includes(seat)),
      );
    } else if (this.#moment().legal.length && (mine.length > 1 || !mine.includes(last?.seat ?? 0))) this.#callToTurn();
  }

  #callToTurn() {
    sound('turn');
    announce(turnText(this.#known, acting(this.#known)));
  }

  /** @param {NonNullable<Known['table']>} table @param {boolean} won */
  #celebrate(table, won) {
    if (!this.#face) return;
    this.#celebrated = true;
    sound(won ? 'win' : 'over');
    announce(outcome(this.#known));
    this.ending();
    celebrate(table);
  }

  /** Tell that a game is over which ended without a move. @param {Known} known */
  finishIfOver(known) {
    if (known.table?.state?.seat !== 0 || this.#celebrated) return;
    this.#known = known;
    this.#rested();
  }

  /** Pause, or go on. */
  pause() {
    this.playback.pause();
    this.#drawDock();
  }

  /** Show one more move, and pause. */
  step() {
    this.playback.step();
    this.#drawDock();
  }

  /** Open the last sheet. */
  ending() {
    if (this.#face) this.#sheet = openFinish(() => this.#known, this.#face, this.act);
  }

  /** Show again what the others did last. */
  again() {
    const eyes = this.#known.table?.state?.eyes ?? 0;
    if (!this.playback.busy) {
      this.playback.add(
        ...lastTurns(this.#known).map((step) => ({
          ...step,
          eyes: /** @type {[number, number]} */ ([eyes, eyes]),
          again: true,
        })),
      );
    }
  }

  /** Mark a hinted action on the board. Null, or the same action again, removes the mark.
   * @param {string | null} action */
  suggest(action) {
    this.#suggested = action === this.#suggested ? null : action;
    this.#face?.suggest(this.#suggested);
    this.#drawOver();
  }

  /** Tell the next step of the best hint. */
  more() {
    const { table, advice } = this.#known, view = table?.state?.view, [best] = advice ?? [];
    if (!best || !view || !this.#face) return;
    const steps = hintSteps(best, this.#face, view), step = steps[this.#clues];
    if (!step) return;
    this.#clues++;
    this.#suggested = step === 'action' || step === 'turn' ? best.action : null;
    this.#face.suggest(step === 'piece' ? best.action : this.#suggested, step === 'piece');
    this.#drawOver();
    const lines = [...this.parts.over.querySelectorAll('li')];
    announce(step === 'why' ? t('hints.come', { n: lines.length }) : lines[lines.length - 1].textContent ?? '');
    if (step === 'why') lines[0].querySelector('button')?.focus();
  }

  /** Mark an action for as long as its hint is looked at. @param {string | null} action */
  preview(action) {
    this.#face?.suggest(action ?? this.#suggested);
  }

  /** Remove the cover: the player whose turn it is has confirmed. */
  uncover() {
    this.#ready = this.#known.table?.state?.eyes ?? 0;
    this.draw(this.#known);
    /** @type {HTMLElement | null} */ (this.parts.face.querySelector('button:not(:disabled), [tabindex="0"]'))?.focus();
    this.#callToTurn();
  }

  cancel() {
    this.#face?.cancel();
  }

  whyNotEnd() {
    return this.#face?.whyNotEnd() ?? '';
  }

  /** @param {string} text */
  tell(text) {
    if (text === this.#prompt) return;
    this.#prompt = text;
    announce(text);
    this.#drawDock();
  }

  /** Clear prompt and hint after an action. */
  acted() {
    this.#prompt = '';
    this.#suggested = null;
  }

  /** Whether to hide this seat's secrets, because another player at this device may still be looking.
   * @param {number} eyes */
  #covered(eyes) {
    return own(this.#known).length > 1 && this.#face?.hides !== false && this.#known.table?.state?.seat !== 0 &&
      eyes !== 0 && eyes !== this.#ready;
  }

  /** The table as it is shown now.
   * @param {number} [eyes] whose secrets are coming up @returns {import('./dock.js').Moment} */
  #moment(eyes = this.#known.table?.state?.eyes ?? 0) {
    const known = this.#known, state = known.table?.state, playing = this.playback.busy, covered = this.#covered(eyes);
    const view = playing ? this.#at.view : state?.view ?? '';
    return {
      known,
      playing,
      covered,
      skippable: this.#skippable,
      paused: this.playback.paused,
      up: this.up,
      view,
      pips: view ? this.#face?.pips?.(view) : undefined,
      asked: this.#prompt,
      said: this.#said,
      legal: playing || known.pending || covered || !this.up ? [] : state?.legal ?? [],
      clock: state?.seat ? this.#left(state.left) : null,
      grace: this.#left(state?.grace ?? null),
      guide: this.guide && this.#face && !playing && this.up ? this.guide.guideLine(known, this.#face) : null,
    };
  }

  get moment() {
    return this.#moment();
  }

  /** How much is left of seconds that came with the state. @param {number | null} seconds */
  #left(seconds) {
    return seconds === null ? null : Math.max(0, seconds - (performance.now() - this.#known.at) / 1000);
  }

  // ---- drawing

  /** @param {Known} known */
  draw(known) {
    if (known.advice !== this.#known.advice) this.#clues = 1;
    this.#known = known;
    const { table } = known;
    this.#update(table?.state?.eyes ?? 0);
    this.#drawBar();
    this.#drawBanner();
    this.#drawOver();
    this.#drawTurn();
    this.#drawPlayers();
    this.#drawDock();
    if (!this.playback.busy) this.#drawLog(0);
    if (table) drawChat(this.parts.chat, table);
    this.#sheet?.draw();
    if (this.#face && !this.#dealt) {
      this.#dealt = true;
      this.#face.deal?.(settings.speed);
    }
    const name = table ? gameName(table.game, watched(table)) : '';
    tellTurn(acting(known) ? turnText(known, acting(known)) : '', name);
    if (this.guide) queueMicrotask(() => this.#beGuided());
  }

  /** Ask for a hint, or end the guidance when its turns are over. */
  #beGuided() {
    const { known, guide } = this.#moment(), { version = 0 } = known.table ?? {};
    if (!guide || this.#hinted === version) return;
    this.#hinted = version;
    this.act(this.guide?.guideText(known) ? 'hint' : 'alone');
  }

  /** Draw everything in another language. */
  translate() {
    this.#prompt = '';
    this.draw(this.#known);
    this.#log?.again();
  }

  /** @param {number} eyes whose secrets are coming up */
  #update(eyes) {
    const { playing, covered, view, legal } = this.#moment(eyes),
      { table, pending } = this.#known,
      state = table?.state;
    if (!state) return;
    this.#face?.update({
      view,
      moves: playing ? table.moves.slice(0, this.#at.n) : table.moves,
      eyes: playing ? this.#at.eyes : state.eyes,
      legal,
      covered,
      over: !playing && state.seat === 0,
      sealed: state.sealed,
      canEnd: legal.includes('.'),
      busy: playing || Boolean(pending) || !this.up,
      offline: !this.up,
      last: playing || pending ? [] : fresh(this.#known),
    });
  }

  #drawBar() {
    const { table } = this.#known,
      unread = this.unread > 0 &&
        markup`<b class="unread">${this.unread}<span class="off"> ${t('chat.unread')}</span></b>`;
    drawBar(
      this.parts,
      table ? gameName(table.game, watched(table)) : '',
      markup`
      <button type="button" class="quiet to-side" data-do="side"
          aria-label="${t('table.side')}">${ICONS.log}<span>${t('log.title')}</span>${unread}</button>${
        barButton('links', ICONS.link, t('table.links'))
      }`,
    );
  }

  #drawBanner() {
    const { notes } = this.parts,
      text = this.lost || this.up ? '' : t(this.#known.table ? 'table.down' : 'table.loading');
    const old = notes.querySelector('.banner');
    if ((old?.textContent ?? '') === text) return;
    old?.remove();
    if (!text) return;
    notes.prepend(Object.assign(document.createElement('p'), { className: 'banner', textContent: text }));
    if (this.#known.table) announce(text);
  }

  #drawOver() {
    const { over, face, dock: buttons, players, side } = this.parts,
      { kind, markup } = overlay(this.#moment(), {
        lost: this.lost,
        lobby: this.lobby,
        face: this.#face,
        suggested: this.#suggested,
        clues: this.#clues,
      });
    const fresh = kind === 'cover' && !over.classList.contains('cover');
    over.className = `over ${kind}`;
    morph(over, markup);
    for (const part of [face, buttons, players, side]) part.inert = kind === 'cover';
    if (fresh) /** @type {HTMLElement | null} */ (over.querySelector('[data-do="ready"]'))?.focus();
  }

  #drawTurn() {
    const moment = this.#moment(), seat = turnShown(moment);
    if (!this.#known.table?.state) return this.parts.turn.replaceChildren();
    this.parts.turn.classList.toggle('mine', seat > 0 && acting(this.#known) === seat);
    morph(this.parts.turn, turnBox(moment));
  }

  #drawPlayers() {
    const { table } = this.#known;
    if (!table?.state || !this.#face) return;
    const rows = playerRows(table, turnShown(this.#moment()), this.#face);
    morph(this.parts.players, rows);
    morph(this.parts.details, rows);
    this.parts.players.style.setProperty('--seats', String(table.seats.length));
  }

  /** @param {number} unseen moves that are still to be shown */
  #drawLog(unseen) {
    const all = steps(this.#known);
    this.#log?.show(unseen ? all.slice(0, -unseen) : all);
  }

  #drawDock() {
    if (this.#known.table?.state) morph(this.parts.dock, dock(this.#moment()));
    else this.parts.dock.replaceChildren();
  }

  /** Update the clocks between messages. */
  #tick() {
    const { clock, grace, known } = this.#moment(), turn = known.table?.state?.turn ?? 0;
    if (clock !== null) this.#drawTurn();
    if (grace || this.#grace) {
      this.#drawDock();
      this.#drawOver();
    }
    this.#grace = Boolean(grace);
    if (clock === null || clock >= WARN || !acting(known) || this.#warned === turn) return;
    this.#warned = turn;
    sound('warn');
    announce(t('table.hurry', { n: Math.ceil(clock) }));
  }
}
