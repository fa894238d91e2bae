// @ts-check
/** Puzzles: a position with one turn that is clearly the best. Ratings and what was solved are kept on this device. */
import { crewOf, newFace } from '../faces.js';
import { announce, plain } from '../lib/announce.js';
import { markup, morph } from '../lib/dom.js';
import { ICONS } from '../lib/icons.js';
import { alsoSpeak, list, percent, t } from '../lib/lang.js';
import { gameName, kindName, KINDS, levelName } from '../lib/offer.js';
import { sign } from '../lib/seats.js';
import { save, settings } from '../lib/settings.js';
import { sound } from '../lib/sound.js';
import { ask, refusal } from '../replay/asking.js';
import { button } from '../replay/trying.js';
import { barButton, drawBar, frame, toggleSide } from '../table/frame.js';
import { reasonText } from '../table/hints.js';
import { Log } from '../table/log.js';
import { finish } from '../table/playback.js';
import { listen } from './listening.js';
import { NEW, outcome, pick } from './solving.js';

/** @typedef {import('../faces.js').Face} Face */
/** @typedef {import('../lib/messages.js').Puzzled} Puzzled */
/** @typedef {import('../lib/messages.js').Puzzles} Puzzles */
/** @typedef {import('../lib/messages.js').Step} Step */

/** @param {HTMLElement} root @param {string[]} rest */
export function open(root, [id = '']) {
  const page = new PuzzlePage(root);
  page.begin(id);
  return () => page.leave();
}

class PuzzlePage {
  /** @type {Puzzles | null} */ #all = null;
  /** @type {Face | null} */ #face = null;
  /** The puzzle with what was tried of it. @type {Puzzled | null} */ #now = null;
  /** The steps on the board. @type {Step[]} */ #line = [];
  /** Whether the answer was asked for. */ #shown = false;
  /** What the face says, or why something could not be done. */ #told = '';
  #busy = true;
  /** The turns before, where they are part of the puzzle. @type {Log | null} */ #log = null;
  /** How often a puzzle was begun: what an earlier one still shows is left out. */ #run = 0;

  /** @param {HTMLElement} root */
  constructor(root) {
    const { parts, leave } = frame(root);
    this.parts = parts;
    this.leaveFrame = leave;
    this.before = Object.assign(document.createElement('section'), { className: 'log before' });
    parts.log.after(this.before);
    this.stop = new AbortController();
    const { signal } = this.stop;
    listen(root, parts, signal, {
      deeds: this.#deeds,
      shortcuts: this.#shortcuts,
      act: (action) => this.#act(action),
      tell: (text) => this.#tell(text),
      cancel: () => this.#face?.cancel(),
      respoken: () => {
        this.#told = '';
        if (this.#now) this.#setup(this.#now);
        this.#log?.again();
        this.#draw();
      },
    });
    root.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLSelectElement) this.#narrow(target.name, target.value);
    }, { signal });
  }

  leave() {
    this.stop.abort();
    this.#run++;
    this.leaveFrame();
  }

  /** @param {string} id a puzzle's, or none for one that fits */
  async begin(id) {
    const [answer] = await Promise.all([
      fetch('/api/puzzles').catch(() => null),
      alsoSpeak('course'),
      alsoSpeak('puzzles'),
    ]);
    if (this.stop.signal.aborted) return;
    if (!answer?.ok) {
      this.#told = t('setup.fault.offline');
      return this.#draw();
    }
    this.#all = await answer.json();
    await this.#start(id || this.#next());
  }

  // ---- what is remembered

  get #own() {
    return { ...NEW, ...settings.puzzles };
  }

  /** @param {Partial<typeof NEW>} change */
  #keep(change) {
    save({ puzzles: { ...this.#own, ...change } });
  }

  /** The next puzzle that fits, by its id; none where there is none. */
  #next() {
    const { kind, theme } = this.#own;
    const rows = (this.#all?.puzzles ?? []).filter((row) =>
      (!kind || row.kind === kind) && (!theme || row.themes.includes(theme)) && row.id !== this.#now?.id
    );
    return pick(rows, this.#own, Math.random())?.id ?? '';
  }

  /** Look at puzzles of one kind or theme. @param {string} name @param {string} value */
  #narrow(name, value) {
    this.#keep(name === 'kind' ? { kind: value, theme: '' } : { theme: value });
    this.#start(this.#next());
  }

  // ---- a puzzle

  /** @param {string} id */
  async #start(id) {
    const run = ++this.#run;
    this.#shown = false;
    this.#told = '';
    this.#line = [];
    this.#log = null;
    this.before.replaceChildren();
    this.#busy = true;
    if (this.#face) finish(this.#face);
    if (!id) {
      this.#now = null;
      return this.#draw();
    }
    const puzzled = await ask(`/api/puzzles/${id}`, {});
    if (run !== this.#run) return;
    if (puzzled.fault) {
      this.#told = refusal(puzzled.fault);
      announce(this.#told);
      return this.#draw();
    }
    if (puzzled.kind !== this.#now?.kind || !this.#face) {
      const face = await newFace(puzzled.kind);
      if (run !== this.#run) return;
      this.#face = face;
      this.parts.face.replaceChildren(face);
    }
    history.replaceState(history.state, '', `/puzzles/${id}`);
    this.#now = puzzled;
    this.#setup(puzzled);
    this.#tellBefore(puzzled);
    this.#busy = false;
    this.#draw();
    announce(this.#goal);
    /** @type {HTMLElement | null} */ (this.parts.turn.querySelector('h2'))?.focus({ preventScroll: true });
  }

  get #names() {
    const { seat = 1, players = 2, kind = '' } = this.#now ?? {}, crew = [...crewOf(kind)];
    return Array.from({ length: players }, (_, n) => (n === seat - 1 ? settings.name || 'Robin' : crew.shift() ?? ''));
  }

  /** @param {Puzzled} puzzled */
  #setup({ game, kind, rules }) {
    this.#face?.setup({
      game,
      kind,
      rules,
      printing: KINDS[kind]?.offers.printings?.[0] ?? '',
      seats: this.#names.map((name, colour) => ({ name, colour, bot: null })),
    });
  }

  /** Write down the turns before. @param {Puzzled} puzzled */
  #tellBefore({ opening, before }) {
    if (!before.length || !this.#face) return;
    this.#log = new Log(this.before, { face: this.#face, colour: (seat) => seat - 1 });
    this.#log.show(before.map(({ seat, turn, action, view }, n) => (
      { n, move: { seat, turn, action }, before: before[n - 1]?.view ?? opening, after: view }
    )));
  }

  get #view() {
    return this.#line[this.#line.length - 1]?.view ?? this.#now?.start ?? '';
  }

  get #legal() {
    return this.#busy || this.#shown || this.#now?.verdict !== 'open' ? [] : this.#now.legal;
  }

  /** @param {string} action */
  async #act(action) {
    if (!this.#now || !this.#legal.includes(action)) return;
    const run = this.#run, actions = [...this.#line.map((step) => step.action.replace(/[+~=].*$/, '')), action];
    this.#busy = true;
    this.#told = '';
    this.#drawDock();
    const puzzled = await ask(`/api/puzzles/${this.#now.id}`, { actions });
    if (run !== this.#run) return;
    if (puzzled.fault) {
      this.#busy = false;
      this.#told = refusal(puzzled.fault);
      announce(this.#told);
      return this.#draw();
    }
    if (!await this.#play(puzzled.steps.slice(this.#line.length))) return;
    this.#now = puzzled;
    this.#busy = false;
    if (puzzled.verdict !== 'open') await this.#judged();
    this.#draw();
    if (puzzled.verdict !== 'open') this.#focusOnward();
  }

  /** Show steps on the board; whether the puzzle is still the same afterwards. @param {Step[]} steps */
  async #play(steps) {
    const run = this.#run, face = this.#face;
    for (const step of steps) {
      if (!face || run !== this.#run) return false;
      const { seat, turn, action, view } = step, before = this.#view, move = { seat, turn, action };
      announce(plain(face.say(move, before, view)));
      if (settings.speed) sound(face.sound(move));
      await face.animate(move, before, view, document.hidden ? 0 : settings.speed);
      if (run !== this.#run) return false;
      this.#line.push(step);
      this.#update();
    }
    return true;
  }

  async #judged() {
    if (!this.#now) return;
    const right = this.#now.verdict === 'right';
    sound(right ? 'turn' : 'back');
    announce(this.#judgement);
    await this.#rate(right);
  }

  /** The first try counts. @param {boolean} solved */
  async #rate(solved) {
    const id = this.#now?.id ?? '', own = this.#own;
    if (id in own.tried) return;
    const { rating, deviation, volatility } = own;
    this.#keep(outcome(own, id, solved, this.#all?.day ?? '', Object.values(this.#all?.today ?? {})));
    const rated = await ask(`/api/puzzles/${id}/rating`, { solved, rating, deviation, volatility });
    if (rated.fault) return;
    this.#keep({ rating: rated.rating, deviation: rated.deviation, volatility: rated.volatility });
    this.#drawSide();
  }

  async #show() {
    if (!this.#now || this.#busy) return;
    const { id } = this.#now, run = this.#run;
    this.#busy = true;
    await this.#rate(false);
    const puzzled = await ask(`/api/puzzles/${id}`, { give_up: true });
    if (run !== this.#run || puzzled.fault) return;
    this.#shown = true;
    this.#line = [];
    this.#now = puzzled;
    this.#draw();
    if (!await this.#play(puzzled.answer?.steps ?? [])) return;
    this.#busy = false;
    this.#draw();
    announce(this.#judgement);
    this.#focusOnward();
  }

  #focusOnward() {
    /** @type {HTMLElement | null} */ (this.parts.dock.querySelector('.gold'))?.focus();
  }

  // ---- what the reader does

  /** @type {Record<string, (pressed: HTMLElement | null) => void>} */
  #deeds = {
    again: () => this.#start(this.#now?.id ?? ''),
    show: () => this.#show(),
    next: () => this.#start(this.#next()),
    today: (pressed) => this.#start(pressed?.dataset.id ?? ''),
    end: () => this.#act('.'),
    share: () => this.#share(),
    side: () => toggleSide(this.parts.side),
    keys: () => this.#help(),
    menu: async () => (await import('../lib/menu.js')).openMenu(),
  };

  /** @type {Record<string, string>} */
  #shortcuts = { n: 'next', a: 'again', s: 'show', e: 'end', l: 'side', '?': 'keys' };

  /** @param {string} text */
  #tell(text) {
    this.#told = text;
    this.#drawDock();
  }

  async #share() {
    if (!this.#now) return;
    const { openShare, sharedPuzzle } = await import('../lib/share.js');
    openShare(sharedPuzzle(this.#now.id, `${t('puzzles.title')} · ${gameName(this.#now.game)}`));
  }

  async #help() {
    if (!this.#now) return;
    const keys = Object.entries(this.#shortcuts).map(([key, what]) => ({ key, text: t(`puzzles.keys.${what}`) }));
    const { openHelp } = await import('./help.js');
    const printing = KINDS[this.#now.kind]?.offers.printings?.[0] ?? '';
    openHelp({ ...this.#now, printing }, () => [...this.#face?.keys ?? [], ...keys]);
  }

  // ---- drawing

  get #row() {
    return this.#all?.puzzles.find(({ id }) => id === this.#now?.id);
  }

  get #goal() {
    return t(this.#log ? 'puzzles.goal-read' : 'puzzles.goal', { name: this.#names[(this.#now?.seat ?? 1) - 1] });
  }

  /** What has become of it, in words; nothing while that is open. */
  get #judgement() {
    const { verdict, lost, answer } = this.#now ?? {};
    if (verdict === 'wrong' && !this.#shown) return t('puzzles.wrong', { lost: percent(lost ?? 0) });
    if (!answer) return '';
    const told = [t(this.#shown ? 'puzzles.shown' : 'puzzles.right')];
    if (answer.other.length) {
      told.push(t('puzzles.worth', { chance: percent(answer.chance), less: percent(answer.less) }));
    } else told.push(t('puzzles.wins', { less: percent(answer.less) }));
    if (this.#log) told.push(t('puzzles.unread'));
    return told.join(' ');
  }

  /** Why, as far as the engine can tell. */
  get #why() {
    const { answer, seat = 1 } = this.#now ?? {}, face = this.#face;
    if (!answer || !face) return '';
    const circle = {
      names: this.#names,
      seat,
      shared: false,
      say: () => '',
      reason: (/** @type {Record<string, any>} */ values) => face.reason(values),
    };
    return answer.reasons.map((one) => reasonText(one, circle)).join(' · ');
  }

  get #looks() {
    return this.#now?.verdict === 'wrong' && !this.#shown ? 'slip' : this.#judgement ? 'good' : '';
  }

  #draw() {
    drawBar(
      this.parts,
      t('puzzles.title'),
      markup`<button type="button" class="quiet to-side" data-do="side" aria-label="${
        t('puzzles.more')
      }">${ICONS.log}<span>${t('puzzles.more')}</span></button>
      ${this.#now && barButton('share', ICONS.link, t('lobby.share'))}`,
    );
    document.title = `${t('puzzles.title')} · Escapade`;
    this.#drawSide();
    this.#drawGoal();
    this.#update();
    this.#drawCrew();
    this.#drawDock();
  }

  #update() {
    this.parts.face.setAttribute('aria-busy', String(this.#busy));
    if (!this.#now) return;
    const legal = this.#legal;
    this.#face?.update({
      view: this.#view,
      moves: this.#line,
      eyes: this.#now.seat,
      legal,
      covered: false,
      over: false,
      sealed: [],
      canEnd: legal.includes('.'),
      busy: legal.length === 0,
    });
  }

  #drawGoal() {
    const row = this.#row, answer = this.#now?.answer;
    if (!this.#now || !row) return morph(this.parts.turn, markup`<h2 tabindex="-1">${t('puzzles.title')}</h2>`);
    morph(
      this.parts.turn,
      markup`<h2 tabindex="-1">${gameName(this.#now.game)} <small>${
        t('puzzles.rated', { rating: row.rating })
      }</small></h2><p class="goal">${this.#goal}</p>${
        this.#judgement && markup`<p class="said ${this.#looks}">${this.#judgement}</p>`
      }${this.#why && markup`<p class="said">${this.#why}</p>`}${
        answer && markup`<p class="said dim">${t('puzzles.found', { levels: list(answer.solved.map(levelName)) })}</p>`
      }`,
    );
  }

  #drawSide() {
    const { rating, deviation, streak, best, tried, kind, theme } = this.#own, rows = this.#all?.puzzles ?? [];
    const solved = Object.values(tried).filter(Boolean).length, count = Object.keys(tried).length;
    const themes = [...new Set(rows.filter((row) => !kind || row.kind === kind).flatMap((row) => row.themes))];
    const today = Object.entries(this.#all?.today ?? {});
    morph(
      this.parts.log,
      markup`<header><h2>${t('puzzles.more')}</h2></header><dl class="figures">
      <div><dt>${t('puzzles.rating')}</dt><dd>${Math.round(rating)}<small> ±${
        Math.round(2 * deviation)
      }</small></dd></div>
      <div><dt>${t('puzzles.solved')}</dt><dd>${solved}<small> / ${count}</small></dd></div>
      <div><dt>${t('puzzles.streak')}</dt><dd>${streak}<small> (${
        t('puzzles.best', { n: best })
      })</small></dd></div></dl>
      <p class="buttons">${
        today.map(([one, id]) =>
          markup`<button type="button" class="btn" data-do="today" data-id="${id}">${
            id in tried && markup`${ICONS.end}<span class="off">${t('course.done')} </span>`
          }<span>${t('puzzles.today', { game: kindName(one) })}</span></button>`
        )
      }</p>
      <label class="pick">${t('home.game-label')} <select name="kind">${
        options([['', t('puzzles.every')], ...Object.keys(KINDS).map((one) => [one, kindName(one)])], kind)
      }</select></label>
      <label class="pick">${t('puzzles.theme')} <select name="theme">${
        options([['', t('puzzles.every')], ...themes.map((one) => [one, t(`puzzles.themes.${one}`)])], theme)
      }</select></label>`,
    );
    morph(
      this.parts.chat,
      markup`<p class="buttons">${
        Object.keys(KINDS).map((one) =>
          markup`<a class="btn" href="/learn/${one}">${
            t('course.title', {
              game: kindName(one),
            })
          }</a>`
        )
      }</p>`,
    );
  }

  #drawCrew() {
    const { seat } = this.#now ?? {};
    morph(
      this.parts.players,
      markup`${
        this.#now &&
        this.#names.map((name, n) =>
          markup`<li data-key="seat-${n + 1}" class="player ${n + 1 === seat ? 'now' : ''}">${sign(n)}
        <span class="n"><b>${name}</b></span><span class="k">${this.#face?.summary(n + 1)}</span></li>`
        )
      }`,
    );
    this.parts.players.style.setProperty('--seats', String(this.#now?.players ?? 0));
  }

  #drawDock() {
    morph(
      this.parts.dock,
      markup`<p class="prompt ${this.#looks}">${
        this.#judgement || this.#told || (this.#all && !this.#now && t('puzzles.none'))
      }${this.#why && markup` <small>${this.#why}</small>`}</p><div class="buttons">${this.#buttons()}</div>`,
    );
  }

  #buttons() {
    const { verdict } = this.#now ?? {};
    if (!this.#now) return markup``;
    if (verdict === 'right' || this.#shown) {
      return markup`${button('again', ICONS.again, t('course.again'), !this.#busy)}${
        button('next', ICONS.next, t('puzzles.next'), !this.#busy, 'gold')
      }`;
    }
    if (verdict === 'wrong') {
      return markup`${button('show', ICONS.hint, t('course.show'), !this.#busy)}${
        button('again', ICONS.again, t('course.retry'), !this.#busy, 'gold')
      }`;
    }
    return markup`${this.#log && button('side', ICONS.log, t('log.title'), true, 'to-side')}${
      button('again', ICONS.undo, t('course.restart'), this.#line.length > 0)
    }${button('show', ICONS.hint, t('course.show'), !this.#busy)}${
      button('end', ICONS.end, t('table.end'), this.#legal.includes('.'))
    }`;
  }
}

/** @param {string[][]} rows @param {string} chosen */
const options = (rows, chosen) =>
  rows.map(([value, text]) => markup`<option value="${value}" ${value === chosen && 'selected'}>${text}</option>`);
