// @ts-check
/** Steps through a game: turn by turn, action by action, or by itself. */
import { loadStyle, markup, morph } from '../lib/dom.js';
import { saveRecord } from '../table/finish.js';
import { forPage } from '../lib/keys.js';
import { has, list, percent, t } from '../lib/lang.js';
import { linkBox, serveLinks } from '../lib/links.js';
import { Log } from '../table/log.js';
import { ICONS } from '../lib/icons.js';
import { finish, Playback } from '../table/playback.js';
import { openPlayOn } from './play-on.js';
import { sign } from '../lib/seats.js';
import { openSheet } from '../lib/sheet.js';
import { sound } from '../lib/sound.js';
import { newFace } from '../faces.js';
import { announce, note, plain } from '../lib/announce.js';
import { go } from '../main.js';
import { clockOf } from '../lib/notation.js';
import { gameName } from '../lib/offer.js';
import { barButton, drawBar, frame, toggleSide } from '../table/frame.js';
import { winners } from '../table/state.js';

/** @typedef {import('../lib/messages.js').Replay} Replay */
/** @typedef {import('../table/state.js').Step} Step */
/** Where to start, the link to the game without the turn, how to choose another game of the same file, and what can be
 * played in a position. `analysis` is where to ask for one, `analyse` whether to ask at once, `learn` whether to learn
 * from the mistakes of one's `own` seats at once, in this game or in `all`; `table` is the game's name here. Inside
 * another site's page, `whole` is the way to the page that has all of this.
 * @typedef {{ turn: number, link: string, choose?: (number: number) => void, number: number, legal?: string[],
 *   analysis?: { path: string, body?: object }, analyse?: boolean, learn?: string, table?: string, own?: number[],
 *   whole?: string }}
 * Place */

/** What can be done inside another site's page, too. */
const STEPS = new Set(['first', 'backTurn', 'back', 'play', 'next', 'nextTurn', 'last']);

export class Stepper {
  #at = 0;
  /** Where the running playback will stop. */ #goal = 0;
  /** @type {Log | null} */ #log = null;
  /** @type {import('../faces.js').Face | null} */ #face = null;
  #playing = false;
  /** What the face says about what can be played. */ #told = '';
  /** @type {string | null} */ #suggested = null;
  /** @type {import('./analysis.js').Analysis | null} */ #analysis = null;
  /** Marked turns that the log shows. @type {Set<number>} */ #marks = new Set();
  /** What is tried out at the moment. @type {import('./trying.js').Trying | null} */ #trying = null;

  /** @param {HTMLElement} root @param {Replay} replay @param {Place} place */
  constructor(root, replay, place) {
    this.replay = replay;
    this.place = place;
    const { parts, leave } = frame(root);
    this.parts = parts;
    this.leaveFrame = leave;
    this.stop = new AbortController();
    /** @type {Step[]} */
    this.steps = replay.steps.map(({ seat, turn, action, view, late }, n) => ({
      n,
      move: { seat, turn, action, late },
      before: n ? replay.steps[n - 1].view : replay.start,
      after: view,
    }));
    this.playback = new Playback({
      show: (step, speed) => this.#show(step, speed),
      hurry: () => this.#face && finish(this.#face),
      rested: () => {
        this.#playing = false;
        this.#draw();
      },
    });
    const { signal } = this.stop;
    root.addEventListener('click', (event) => this.#clicked(event), { signal });
    root.addEventListener('input', (event) => this.#slid(event), { signal });
    root.addEventListener('change', (event) => this.#otherGame(event), { signal });
    root.addEventListener('ending', () => this.#ending(), { signal });
    root.addEventListener('act', (event) => {
      if (this.#trying) this.#trying.act(/** @type {CustomEvent} */ (event).detail.action);
      else this.#deeds.playOn(null);
    }, { signal });
    root.addEventListener('tell', (event) => {
      const { text } = /** @type {CustomEvent} */ (event).detail;
      if (this.#trying) return this.#trying.tell(text);
      this.#told = text;
      this.#drawDock();
    }, { signal });
    document.addEventListener('keydown', (event) => this.#pressed(event), { signal });
    document.addEventListener('language', () => {
      this.#told = '';
      this.#draw();
      this.#trying?.draw();
      this.#log?.again();
      this.#log?.mark(this.#at);
    }, { signal });
    parts.side.addEventListener('toggle', () => this.#log?.mark(this.#at), { signal });
    this.#begin();
  }

  leave() {
    this.stop.abort();
    this.playback.clear();
    this.leaveFrame();
  }

  async #begin() {
    this.#face = await newFace(this.replay.kind);
    if (this.stop.signal.aborted) return;
    this.parts.face.replaceChildren(this.#face);
    this.#setup();
    if (!this.#legal.length) {
      this.#log = new Log(this.parts.log, {
        face: this.#face,
        colour: (seat) => this.replay.colours[seat - 1],
        chosen: (step) => this.#jump(step),
        judged: (turn) => this.#logMark(turn),
      });
    }
    const { turn } = this.place, begin = this.steps.findIndex(({ move }) => move.turn >= turn);
    this.#jump(turn ? begin < 0 ? this.steps.length : begin : 0);
    this.#log?.show(this.steps);
    this.#log?.mark(this.#at);
    if (this.place.learn) this.#learnFromAll();
    else if (this.place.analyse) this.#analyse();
  }

  #setup() {
    const { game, kind, rules, printing, names, colours } = this.replay;
    this.#face?.setup({
      game,
      kind,
      rules,
      printing,
      seats: names.map((name, n) => ({ name, colour: colours[n], bot: null })),
    });
  }

  // ---- stepping

  get #view() {
    if (this.#trying) return this.#trying.view;
    return this.#at ? this.steps[this.#at - 1].after : this.replay.start;
  }

  /** The step at which the turn after a step ends. @param {number} step */
  #turnEnd(step) {
    const end = this.steps.findIndex(({ move }, n) => n > step && move.turn !== this.steps[step].move.turn);
    return end < 0 ? this.steps.length : end;
  }

  /** The step at which the turn before a step begins. @param {number} step */
  #turnBegin(step) {
    const turn = this.steps[step - 1]?.move.turn;
    return Math.max(0, this.steps.findIndex(({ move }) => move.turn === turn));
  }

  /** Play the moves up to a step. If moves are being played already, jump to their end. @param {number} goal */
  #forward(goal) {
    if (this.playback.busy) return this.#jump(Math.min(this.#goal, this.steps.length));
    this.#goal = goal;
    this.playback.add(...this.steps.slice(this.#at, goal));
    this.#draw();
  }

  /** @param {number} step */
  #jump(step) {
    this.#stopTrying();
    this.#goal = this.#at = Math.max(0, Math.min(step, this.steps.length));
    this.playback.clear();
    if (this.#at) announce(this.#words(this.steps[this.#at - 1]));
    this.#draw();
  }

  /** @param {Step} step @param {number} speed */
  async #show(step, speed) {
    const { n } = step, face = this.#face;
    if (!face) return;
    const suspense = speed > 0 && face.suspense?.(step.move);
    if (!suspense) announce(this.#words(step));
    if (speed) sound(face.sound(step.move));
    await face.animate(step.move, step.before, step.after, speed);
    if (this.#at !== n) return; // the reader has jumped elsewhere in the meantime
    if (suspense) announce(this.#words(step));
    this.#at = n + 1;
    this.#draw();
  }

  /** @param {Step} step */
  #words({ move, before, after }) {
    const late = move.late ? `${t('log.late')} ` : '';
    return this.#face ? late + plain(this.#face.say(move, before, after)) : '';
  }

  #play() {
    this.#playing = !this.#playing;
    if (!this.#playing) return this.playback.stop();
    if (this.#at === this.steps.length) this.#jump(0);
    this.#forward(this.steps.length);
  }

  /** @type {Record<string, (button: HTMLElement | null) => void>} */
  #deeds = {
    suggest: (button) => this.#suggest(button?.dataset.action ?? null),
    first: () => this.#jump(0),
    backTurn: () => this.#jump(this.#turnBegin(this.#at)),
    back: () => this.#jump(this.#at - 1),
    play: () => this.#play(),
    next: () => this.#at < this.steps.length && this.#forward(this.#at + 1),
    nextTurn: () => this.#at < this.steps.length && this.#forward(this.#turnEnd(this.#at)),
    last: () => this.#jump(this.steps.length),
    side: () => toggleSide(this.parts.side),
    keys: async () => (await import('../learn/help.js')).openHelp(this.replay, () => this.#keys()),
    menu: async () => (await import('../lib/menu.js')).openMenu(),
    share: () => this.#share(),
    record: () => saveRecord(this.replay.record, `escapade-${this.replay.game}`),
    playOn: () => openPlayOn(this.#view, this.replay),
    analyse: () => this.#analyse(),
    try: () => this.#tryOut(this.#view),
    better: () => this.#showBetter(),
  };

  /** @type {Record<string, string>} */
  #shortcuts = {
    ArrowRight: 'nextTurn',
    ArrowLeft: 'backTurn',
    '.': 'next',
    ',': 'back',
    Home: 'first',
    End: 'last',
    ' ': 'play',
    l: 'side',
    '?': 'keys',
    a: 'analyse',
    x: 'try',
    w: 'better',
  };

  #keys() {
    const texts = [
      ['← →', 'turn'],
      ['Shift+← Shift+→ , .', 'action'],
      ['Home End', 'ends'],
      ['Space', 'play'],
      [
        'l',
        'log',
      ],
      ['?', 'keys'],
      ...this.place.analysis ? [['a', 'analyse'], ['x', 'try'], ['w', 'better']] : [],
    ];
    return texts.map(([key, what]) => ({ key, text: t(`replay.keys.${what}`) }));
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    const { key, shiftKey, target } = event, on = /** @type {Element} */ (target);
    if (
      !forPage(event) || event.defaultPrevented || (on.matches('input') && key !== ' ') ||
      (key === ' ' && on.closest('button'))
    ) return;
    if (this.#trying) return this.#pressedTrying(event);
    const what = shiftKey && key === 'ArrowRight'
      ? 'next'
      : shiftKey && key === 'ArrowLeft'
      ? 'back'
      : this.#shortcuts[key];
    if (!what || (this.place.whole && !STEPS.has(what))) return;
    event.preventDefault();
    this.#deeds[what](null);
  }

  /** @param {KeyboardEvent} event */
  #pressedTrying(event) {
    const what = this.#trying?.shortcuts[event.key];
    if (what) event.preventDefault();
    if (what) this.#trying?.deeds[what](null);
    else if (event.key === 'l' || event.key === '?') this.#deeds[this.#shortcuts[event.key]](null);
  }

  /** @param {Event} event */
  #clicked(event) {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('[data-do]'));
    if (!button || this.parts.face.contains(button)) return;
    const what = button.dataset.do ?? '', deed = this.#trying?.deeds[what] ?? this.#deeds[what];
    if (button.ariaDisabled !== 'true') deed?.(button);
  }

  // ---- analysis

  /** Whose game it is, for charts. */
  get #players() {
    return this.replay.names.map((name, n) => ({ name, colour: this.replay.colours[n] }));
  }

  /** Go over the game, and show what is found. */
  async #analyse() {
    const { analysis, own = [] } = this.place;
    if (!analysis) return;
    const { Analysis } = await import('./analysis.js');
    if (this.stop.signal.aborted) return;
    this.#analysis ??= new Analysis(this.parts.log, {
      ...analysis,
      players: this.#players,
      own,
      changed: () => this.#judged(),
      jump: (turns) => this.#jumpTo(turns),
      learn: (seat) => this.#learn([seat]),
    }, this.stop.signal);
    const { side } = this.parts, done = this.#analysis.read();
    if (side.hasAttribute('popover') && !side.matches(':popover-open')) toggleSide(side);
    this.#analysis.focus();
    this.#drawDock();
    await done;
  }

  /** Something more is known of the turns. */
  #judged() {
    for (const { index, mark } of this.#analysis?.found.judged.values() ?? []) {
      const turn = this.#analysis?.found.outline?.turns[index] ?? 0;
      if (!mark || this.#marks.has(turn)) continue;
      this.#marks.add(turn);
      this.#log?.remark(turn);
    }
    if (!this.#trying) this.#drawDock();
  }

  /** Jump to where so many turns have been played. @param {number} turns */
  #jumpTo(turns) {
    const turn = this.#analysis?.found.outline?.turns[turns - 1] ?? -1, { side } = this.parts;
    this.#jump(this.steps.findLastIndex(({ move }) => move.turn <= turn) + 1);
    if (side.matches(':popover-open')) side.hidePopover();
  }

  /** The mark of a turn in the log. @param {number} turn */
  #logMark(turn) {
    const judged = this.#analysis?.ofTurn(turn);
    return Boolean(judged?.mark) &&
      markup`<span class="marked" aria-hidden="true">${judged?.mark === 'blunder' ? '??' : '?'}</span><span
        class="off"> ${t(`analysis.${judged?.mark}`)}</span>`;
  }

  /** The judgement of the turn that has just been played, if it is marked. */
  get #marked() {
    const step = this.steps[this.#at - 1], judged = step && this.#analysis?.ofTurn(step.move.turn);
    return judged?.mark ? judged : undefined;
  }

  /** The position in which a turn that is marked went wrong. @param {import('../lib/messages.js').Judgement} judged */
  #before({ index, at }) {
    const turn = this.#analysis?.found.outline?.turns[index];
    return this.steps[this.steps.findIndex(({ move }) => move.turn === turn) + at].before;
  }

  /** Show what would have been better, on the board. */
  #showBetter() {
    const judged = this.#marked;
    if (judged) this.#tryOut(this.#before(judged), judged);
  }

  /** Try moves out. @param {string} position @param {import('../lib/messages.js').Judgement} [better] */
  async #tryOut(position, better) {
    if (!this.#canTry) return;
    const { Trying } = await import('./trying.js');
    this.#try(new Trying(this.#stage, position, better));
  }

  get #canTry() {
    return Boolean(this.place.analysis) && !this.#view.includes('?');
  }

  /** @returns {import('./trying.js').Stage} */
  get #stage() {
    return {
      parts: this.parts,
      face: /** @type {import('../faces.js').Face} */ (this.#face),
      replay: this.replay,
      changed: () => {
        this.#drawTurn();
        this.#drawPlayers();
      },
      leave: () => this.#jump(this.#at),
    };
  }

  /** @param {import('./trying.js').Trying} trying */
  #try(trying) {
    if (this.stop.signal.aborted || !this.#face) return;
    this.#jump(this.#at);
    if (this.parts.side.matches(':popover-open')) this.parts.side.hidePopover();
    this.#trying = trying;
    loadStyle('replay/analysis');
    trying.begin();
  }

  #stopTrying() {
    const trying = this.#trying;
    this.#trying = null;
    trying?.end();
  }

  // ---- learning from mistakes

  /** Go through the mistakes of some seats, those first in which nothing better has been found yet.
   * @param {number[]} seats */
  async #learn(seats) {
    const { Mending, mended } = await import('./mistakes.js'), { outline } = this.#analysis?.found ?? {};
    const { marked } = await import('./course.js'), { table = '', learn } = this.place;
    if (!outline || !this.#analysis) return;
    const mistakes = marked(this.#analysis.found).filter(({ index }) => seats.includes(outline.seats[index])).map((
      judged,
    ) => ({
      judged,
      name: this.replay.names[outline.seats[judged.index] - 1],
      turn: outline.turns[judged.index],
      start: this.#before(judged),
    }));
    const fresh = mistakes.filter(({ turn }) => !mended(table).includes(turn));
    const rest = fresh.length || learn === 'all' ? fresh : mistakes;
    const nextGame = learn === 'all' ? () => void this.#nextGame() : null;
    const open = (/** @type {number} */ n) => {
      const lesson = { table, n: n + 1, all: rest.length, nextGame };
      const next = n + 1 < rest.length ? () => open(n + 1) : null;
      this.#try(new Mending({ ...this.#stage, ...lesson, next }, rest[n]));
    };
    if (rest.length) open(0);
    else this.#noMistakes(nextGame);
  }

  /** @param {(() => void) | null} nextGame */
  #noMistakes(nextGame) {
    this.#told = t('analysis.none');
    announce(this.#told);
    this.#drawDock();
    nextGame?.();
  }

  /** Learn from the mistakes of one's own seats as soon as all are known. */
  async #learnFromAll() {
    await this.#analyse();
    if (this.#analysis?.found.verdict) this.#learn(this.place.own ?? []);
  }

  /** Go on with the next finished game that was played here. */
  async #nextGame() {
    const { finishedGames } = await import('../home/kept.js');
    const all = await finishedGames(), here = all.findIndex(({ table }) => table === this.place.table);
    if (here + 1 < all.length) go(`/replay/${all[here + 1].table}#learn=all`);
    else note(this.parts.notes, t('analysis.allDone'));
  }

  /** Mark on the board what could be played; the same again removes the mark. @param {string | null} action */
  #suggest(action) {
    this.#suggested = action === this.#suggested ? null : action;
    this.#face?.suggest(this.#suggested);
    this.#drawLegal();
  }

  /** @param {Event} event */
  #slid(event) {
    const slider = /** @type {HTMLInputElement} */ (event.target);
    if (slider.type === 'range') this.#jump(Number(slider.value));
  }

  /** @param {Event} event */
  #otherGame(event) {
    const select = /** @type {HTMLSelectElement} */ (event.target);
    if (select.name === 'number') this.place.choose?.(Number(select.value));
  }

  // ---- links

  /** The turn that the next step belongs to. */
  get #turn() {
    return this.steps[this.#at]?.move.turn ?? clockOf(this.#view).turn;
  }

  /** The finished game of this server that can be shared with a picture, by its table. */
  get #shared() {
    return this.replay.result === '*' ? undefined : this.place.table;
  }

  async #share() {
    if (this.#shared) {
      const { openShare, sharedGame } = await import('../lib/share.js');
      return openShare(sharedGame(this.#shared, this.#title, this.#turn));
    }
    const link = `${location.origin}${this.place.link}turn=${this.#turn}`;
    const { dialog } = openSheet({
      title: () => t('replay.share'),
      body: () => linkBox(link, t('replay.link', { n: this.#turn })),
    });
    serveLinks(dialog);
  }

  /** Who plays what. */
  get #title() {
    return `${list(this.replay.names)} · ${gameName(this.replay.game)}`;
  }

  // ---- drawing

  /** Whose secrets to show: those of the player to act, or the first ones that are known. */
  get #eyes() {
    const { seat } = clockOf(this.#view), secrets = this.#face?.secrets(this.#view) ?? [];
    const known = (/** @type {number} */ one) => secrets[one - 1]?.includes('?') === false;
    return known(seat) ? seat : secrets.findIndex((_, n) => known(n + 1)) + 1;
  }

  /** What can be played here, where that is known. */
  get #legal() {
    return this.place.legal ?? [];
  }

  get #over() {
    return !this.#trying && this.#at === this.steps.length && this.replay.result !== '*';
  }

  #draw() {
    if (!this.#face || this.#trying) return;
    if (!this.playback.busy || this.#goal === this.#at) {
      this.#face.update({
        view: this.#view,
        moves: this.steps.slice(0, this.#at).map(({ move }) => move),
        eyes: this.#eyes,
        legal: this.#legal.filter((action) => action !== 'bet'), // a secret choice is not made here
        covered: false,
        over: this.#over,
        sealed: [],
        canEnd: false,
        busy: !this.#legal.length,
        replayed: !this.#legal.length,
      });
    }
    this.#drawBar();
    this.#drawTurn();
    this.#drawPlayers();
    this.#drawDock();
    this.#drawLegal();
    this.#log?.mark(this.#at);
    this.#analysis?.at((this.#analysis.found.outline?.turns ?? []).filter((turn) => turn < this.#turn).length);
    if (this.place.link) history.replaceState(history.state, '', `${this.place.link}turn=${this.#turn}`);
    document.title = `${t('replay.title')} · ${gameName(this.replay.game)} · Escapade`;
  }

  #drawBar() {
    const { whole } = this.place;
    if (whole) {
      this.parts.title.textContent = this.#title;
      return morph(this.parts.bar, outside(`${whole}?turn=${this.#turn}`, gameName(this.replay.game)));
    }
    drawBar(
      this.parts,
      gameName(this.replay.game),
      markup`<button type="button" class="quiet to-side" aria-label="${t('log.title')}"
          data-do="side">${ICONS.log}<span>${t('log.title')}</span></button>
      ${this.place.analysis && barButton('analyse', ICONS.chart, t('analysis.analyse'))}
      ${this.place.link && barButton('share', ICONS.link, t(this.#shared ? 'lobby.share' : 'replay.share'))}`,
    );
  }

  get #outcome() {
    const { names, result, resigned } = this.replay, won = winners(result).map((one) => names[one - 1]);
    if (resigned) return t('finish.resigned', { loser: names[resigned - 1], name: won[0] });
    return won.length > 1
      ? t('finish.shared', { names: list(won) })
      : won.length
      ? t('finish.wins', { name: won[0] })
      : t('finish.drawn');
  }

  #ending() {
    const ending = this.#face?.ending;
    if (!ending) return;
    ending.opened(openSheet({ title: () => this.#outcome, body: ending.body }, `finish ${ending.looks}`).dialog);
  }

  /** @param {number} seat */
  #turnOf(seat) {
    const name = this.replay.names[seat - 1];
    return name === t('replay.seat', { n: seat }) ? t('replay.seatTurn', { n: seat }) : t('table.turnOf', { name });
  }

  #drawTurn() {
    const { seat, turn } = clockOf(this.#view), { proven, chosen, games } = this.replay;
    const whose = this.#over ? this.#outcome : this.#turnOf(seat);
    const seal = markup` <span class="proven" title="${t('replay.provenSays')}">${t('replay.proven')}</span>`;
    const set = chosen.filter((what) => has(`replay.set.${what}`)).map((what) =>
      markup`<span class="proven not" title="${t(`replay.set.${what}.says`)}">${t(`replay.set.${what}.name`)}</span>`
    );
    const numbers = Array.from({ length: games }, (_, n) => n + 1);
    /** @param {number} n */
    const option = (n) => markup`<option value="${n}" ${n === this.place.number && 'selected'}>${n}</option>`;
    const others = markup`<label class="games"><span>${t('replay.games', { n: games })}</span>
      <select name="number">${numbers.map(option)}</select></label>`;
    morph(
      this.parts.turn,
      markup`<p>${whose}</p><p class="pips">${t('replay.turn', { n: turn })}${proven && seal}${set}</p>
      ${games > 1 && others}`,
    );
  }

  #drawPlayers() {
    const { seat } = clockOf(this.#view), { names, colours } = this.replay;
    const rows = names.map((name, n) =>
      markup`<li data-key="seat-${n + 1}" class="player ${n + 1 === seat ? 'now' : ''}">${sign(colours[n])}
        <span class="n"><b>${name}</b></span><span class="k">${this.#face?.summary(n + 1)}</span></li>`
    );
    morph(this.parts.players, markup`${rows}`);
    morph(this.parts.details, markup`${rows}`);
    this.parts.players.style.setProperty('--seats', String(names.length));
  }

  /** A position's log is what could come next. */
  #drawLegal() {
    const face = this.#face, view = this.#view, { seat, turn } = clockOf(view);
    if (!face || !this.#legal.length) return;
    const rows = this.#legal.map((action) =>
      markup`<li data-key="${action}"><button type="button" data-do="suggest" data-action="${action}"
        aria-pressed="${String(action === this.#suggested)}">${sign(this.replay.colours[seat - 1])}<span>${
        face.say({ seat, turn, action }, view, view)
      }</span></button></li>`
    );
    morph(
      this.parts.log,
      markup`<header><h2 id="log-title">${t('replay.legal', { n: rows.length })}</h2></header>
      <ol aria-labelledby="log-title">${rows}</ol>`,
    );
  }

  #drawDock() {
    if (this.#trying) return this.#trying.drawDock();
    const move = this.#at ? this.steps[this.#at - 1] : null, unknown = this.#view.includes('?');
    const said = this.steps.length ? 'replay.start' : unknown ? 'replay.unknown' : 'replay.position';
    morph(
      this.parts.dock,
      markup`<p class="prompt"><span>${this.#told || (move ? this.#words(move) : t(said))} ${this.#verdict()}</span></p>
      ${this.steps.length > 0 && this.#controls()}`,
    );
    const slider = this.parts.dock.querySelector('input');
    if (slider) slider.value = String(this.#at);
    const save = markup`<button type="button" class="btn" data-do="record">${t('replay.record')}</button>`;
    const on = markup`<button type="button" class="btn gold" data-key="on" data-do="playOn">${
      t('replay.playOn')
    }</button>`;
    morph(
      this.parts.chat,
      markup`<p class="buttons">${
        this.place.analysis && !this.#analysis &&
        markup`<button type="button" class="btn gold" data-key="analyse" data-do="analyse">${
          t('analysis.analyse')
        }</button>`
      }${this.replay.record && save}${
        this.#canTry && !this.#over &&
        markup`<button type="button" class="btn" data-key="try" data-do="try">${t('analysis.explore')}</button>`
      }${!this.#over && !unknown && on}</p>`,
    );
  }

  /** What the turn gave away that has just been played. */
  #verdict() {
    const judged = this.#marked;
    return judged &&
      markup`<span class="judged">${t(`analysis.${judged.mark}`)}, ${
        t('analysis.gave', { lost: percent(judged.lost) })
      }</span> <button type="button" class="link" data-do="better">${t('analysis.what')}</button>`;
  }

  /** The slider, and the buttons below it. */
  #controls() {
    const last = this.steps.length, back = this.#at > 0, forth = this.#at < last;
    const button = (/** @type {keyof typeof ICONS} */ what, on = true, mark = what) =>
      markup`<button type="button" class="btn" data-key="${what}" data-do="${what}"
        aria-label="${t(`replay.do.${mark}`)}" title="${t(`replay.do.${mark}`)}"
        ${on ? '' : 'disabled'}>${ICONS[mark]}</button>`;
    return markup`<input type="range" min="0" max="${last}" value="${this.#at}" aria-label="${t('replay.slider')}"
        aria-valuetext="${t('replay.turn', { n: this.#turn })}">
      <div class="buttons steps">${button('first', back)}${button('backTurn', back)}${button('back', back)}
        ${button('play', true, this.#playing ? 'pause' : 'play')}
        ${button('next', forth)}${button('nextTurn', forth)}${button('last', forth)}</div>`;
  }
}

/** The header inside another site's page. @param {string} link @param {string} game */
const outside = (link, game) =>
  markup`<div class="name"><a class="word" href="${link}" target="_blank"
      rel="noopener">Escapade</a><p>${game}</p></div>
    <a class="btn" href="${link}" target="_blank" rel="noopener">${t('share.full')}</a>`;
