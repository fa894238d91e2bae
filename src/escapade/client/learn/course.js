// @ts-check
/** Lessons by doing: short tasks on the board, one after another. What was done is remembered on this device. */
import { crewOf, isPractised, loadTasks, newFace } from '../faces.js';
import { announce, plain } from '../lib/announce.js';
import { markup, morph } from '../lib/dom.js';
import { ICONS } from '../lib/icons.js';
import { alsoSpeak, has, t } from '../lib/lang.js';
import { clockOf } from '../lib/notation.js';
import { editionName, editionSays, kindName, KINDS } from '../lib/offer.js';
import { sign } from '../lib/seats.js';
import { save, settings } from '../lib/settings.js';
import { openSheet } from '../lib/sheet.js';
import { sound } from '../lib/sound.js';
import { drawBar, frame, toggleSide } from '../table/frame.js';
import { finish } from '../table/playback.js';
import { listen } from './listening.js';
import { progress } from './progress.js';

/** @typedef {import('../faces.js').Face} Face */
/** @typedef {import('../faces.js').Task} Task */
/** @typedef {import('../lib/messages.js').Checked} Checked */
/** @typedef {import('../lib/messages.js').Move} Move */

/** The reader's seat in every task. */
const READER = 1;
/** Milliseconds between two moves at the usual speed. */
const REST = 450;

/** @param {HTMLElement} root @param {string[]} rest */
export function open(root, [kind]) {
  const page = new CoursePage(root, kind);
  page.begin();
  return () => page.leave();
}

class CoursePage {
  /** @type {Task[]} */ #tasks = [];
  #n = 0;
  /** @type {Face | null} */ #face = null;
  /** The position on the board, and what can be done there. @type {Checked | null} */ #now = null;
  /** @type {Move[]} */ #moves = [];
  /** What the reader has done since the task began. @type {string[]} */ #actions = [];
  /** What has become of it: '' while that is open. */ #verdict = '';
  /** The plans looked at. @type {Set<string>} */ #seen = new Set();
  /** What the face says. */ #told = '';
  #busy = true;
  /** Whether the reader has yet to say that the goal is read. */ #waiting = false;
  /** How often a task was begun: what an earlier one still shows is left out. */ #run = 0;

  /** @param {HTMLElement} root @param {string} kind */
  constructor(root, kind) {
    this.kind = kind;
    const { parts, leave } = frame(root);
    this.parts = parts;
    this.leaveFrame = leave;
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
        this.#draw();
      },
    });
    root.addEventListener('ending', () => {
      const ending = this.#face?.ending;
      if (!ending) return;
      const sheet = { title: () => kindName(kind), body: ending.body };
      ending.opened(openSheet(sheet, `finish ${ending.looks}`).dialog);
    }, { signal });
  }

  leave() {
    this.stop.abort();
    this.#run++;
    this.leaveFrame();
  }

  async begin() {
    const [tasks, face] = await Promise.all([loadTasks(this.kind), newFace(this.kind), alsoSpeak('course')]);
    if (this.stop.signal.aborted) return;
    this.#tasks = tasks;
    this.#face = face;
    this.parts.face.replaceChildren(face);
    const wanted = tasks.findIndex(({ name }) => name === location.hash.slice(1));
    await this.#start(wanted < 0 ? progress(tasks, this.#learnt).next : wanted);
  }

  // ---- a task

  get #task() {
    return this.#tasks[this.#n];
  }

  get #learnt() {
    return settings.learnt?.[this.kind] ?? [];
  }

  /** @param {number} n @param {string[]} [plan] a turn to be shown at once */
  async #start(n, plan) {
    const run = ++this.#run, again = n === this.#n, task = this.#tasks[n];
    if (!task) return this.#draw();
    if (!again) this.#seen.clear();
    this.#n = n;
    this.#moves = [];
    this.#actions = [];
    this.#verdict = this.#told = '';
    this.#busy = true;
    this.#waiting = task.waits === true;
    this.parts.face.setAttribute('aria-busy', 'true');
    if (this.#face) finish(this.#face);
    history.replaceState(history.state, '', `#${task.name}`);
    const before = await this.#ask(task.position, []);
    if (!before || run !== this.#run) return;
    this.#now = before;
    this.#setup(before);
    this.#draw();
    if (!plan) this.#readGoal();
    if (task.given && !await this.#play(task.given)) return;
    if (plan) return await this.#try(plan);
    this.#busy = false;
    this.#draw();
  }

  /** Put the goal before the reader. */
  #readGoal() {
    announce(this.#say('goal'));
    /** @type {HTMLElement | null} */ (this.parts.turn.querySelector('h2'))?.focus({ preventScroll: true });
  }

  /** @param {Checked} checked */
  #setup({ game, kind, rules, players }) {
    const names = [settings.name || 'Robin', ...crewOf(kind)];
    this.#face?.setup({
      game,
      kind,
      rules,
      printing: KINDS[kind]?.offers.printings?.[0] ?? '',
      seats: Array.from({ length: players }, (_, n) => ({ name: names[n], colour: n, bot: null })),
    });
  }

  /** What actions lead to, as the server plays them; null if it cannot be asked.
   * @param {string} position @param {string[]} actions @returns {Promise<Checked | null>} */
  async #ask(position, actions) {
    const run = this.#run;
    const answer = await fetch('/api/position', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ position, actions }),
    }).catch(() => null);
    if (answer?.ok) return await answer.json();
    if (run !== this.#run) return null;
    this.#told = t('setup.fault.offline');
    this.#busy = false;
    announce(this.#told);
    this.#draw();
    return null;
  }

  /** Play actions and show them; whether the task is still the same afterwards. @param {string[]} actions */
  async #play(actions) {
    const run = this.#run, face = this.#face, start = this.#now;
    if (!face || !start) return false;
    const reached = await this.#ask(start.position, actions);
    if (!reached || run !== this.#run) return false;
    let before = start.position;
    for (const [n, { seat, turn, action, view }] of reached.steps.entries()) {
      const move = { seat, turn, action }, speed = document.hidden ? 0 : settings.speed;
      if (n && speed) await new Promise((done) => setTimeout(done, REST / speed));
      if (run !== this.#run) return false;
      announce(plain(face.say(move, before, view)));
      if (speed) sound(face.sound(move));
      await face.animate(move, before, view, speed);
      if (run !== this.#run) return false;
      before = view;
      this.#moves.push(move);
      this.#now = { ...reached, position: view, legal: [], seat: n < reached.steps.length - 1 ? seat : reached.seat };
      this.#update();
    }
    this.#now = reached;
    return true;
  }

  /** @param {string} action */
  async #act(action) {
    const offered = this.#legal.some((one) => action === one || action.startsWith(`${one}:`));
    if (offered) await this.#try([this.#task.luck?.(action) ?? action]);
  }

  /** Do something as the reader, and see what has become of it. @param {string[]} actions */
  async #try(actions) {
    this.#busy = true;
    this.#told = '';
    this.#draw();
    if (!await this.#play(actions) || !this.#now) return;
    this.#actions = this.#moves.filter(({ seat }) => seat === READER).map(({ action }) => action);
    this.#busy = false;
    this.#verdict = this.#task.judge(this.#actions, this.#now);
    if (this.#verdict) this.#judged();
    else this.#draw();
  }

  #judged() {
    const { name, plans } = this.#task, done = new Set(this.#learnt);
    if (plans && this.#verdict in plans) this.#seen.add(this.#verdict);
    if (this.#isRight) save({ learnt: { ...settings.learnt, [this.kind]: [...done.add(name)] } });
    sound(this.#isRight ? 'turn' : 'back');
    this.#draw();
    announce(this.#judgement);
    /** @type {HTMLElement | null} */ (this.parts.dock.querySelector('.gold'))?.focus();
  }

  /** Whether the task is done: a plan counts when all have been looked at. */
  get #isRight() {
    const { plans } = this.#task;
    return plans ? this.#seen.size === Object.keys(plans).length : this.#verdict === 'right';
  }

  get #isSlip() {
    return this.#verdict !== '' && !this.#isRight && !this.#seen.has(this.#verdict);
  }

  get #legal() {
    return this.#busy || this.#waiting || this.#verdict ? [] : this.#now?.legal ?? [];
  }

  // ---- what the reader does

  /** @type {Record<string, (button: HTMLElement | null) => void>} */
  #deeds = {
    go: (button) => {
      if (this.parts.side.matches(':popover-open')) this.parts.side.hidePopover();
      this.#start(Number(button?.dataset.n));
    },
    ready: () => {
      this.#waiting = false;
      this.#draw();
    },
    again: () => this.#start(this.#n),
    show: () => this.#show(),
    plan: (button) => this.#start(this.#n, this.#task.plans?.[button?.dataset.plan ?? '']),
    end: () => this.#legal.includes('.') ? this.#act('.') : this.#whyNotEnd(),
    next: () => this.#next(),
    first: () => this.#firstGame(),
    side: () => toggleSide(this.parts.side),
    keys: () => this.#help(),
    menu: async () => (await import('../lib/menu.js')).openMenu(),
  };

  /** @type {Record<string, string>} */
  #shortcuts = { n: 'next', s: 'show', e: 'end', l: 'side', '?': 'keys' };

  /** @param {string} text */
  #tell(text) {
    this.#told = text;
    this.#drawDock();
  }

  #whyNotEnd() {
    this.#told = this.#face?.whyNotEnd() ?? '';
    announce(this.#told);
    this.#drawDock();
  }

  /** On to the next task that is not done, or to what comes after the lesson. */
  #next() {
    const { next, all } = progress(this.#tasks, this.#learnt, this.#n);
    if (all && this.#isRight) this.#finished();
    else this.#start(all ? (this.#n + 1) % this.#tasks.length : next);
  }

  /** Mark on the board what to do, from the start if something else was done. */
  async #show() {
    const { solution } = this.#task;
    const onTheWay = !this.#verdict && this.#actions.every((action, n) => action.split(/[+=~]/)[0] === solution[n]);
    if (!onTheWay || this.#busy) await this.#start(this.#n);
    this.#waiting = false;
    this.#draw();
    this.#face?.suggest(solution[this.#actions.length]);
  }

  async #help() {
    const checked = this.#now;
    if (!checked) return;
    const keys = Object.entries(this.#shortcuts).map(([key, what]) => ({ key, text: t(`course.keys.${what}`) }));
    const { openHelp } = await import('./help.js');
    openHelp({ ...checked, printing: KINDS[this.kind]?.offers.printings?.[0] ?? '' }, () => [
      ...this.#face?.keys ?? [],
      ...keys,
    ]);
  }

  /** All is done: what differs between the editions, and what comes next. */
  #finished() {
    const { editions } = KINDS[this.kind];
    const { dialog } = openSheet({
      title: () => t('course.all'),
      body: () =>
        markup`<p>${t('course.allSays')}</p>${
          editions.length > 1 &&
          markup`<h3>${t('course.editions')}</h3><dl class="agreed">${
            editions.map((one) => markup`<div><dt>${editionName(one)}</dt><dd>${editionSays(one)}</dd></div>`)
          }</dl>`
        }`,
      footer: () => this.#ways(),
    }, 'course-end');
    const first = /** @type {HTMLElement} */ (dialog.querySelector('[data-do="first"]'));
    first.focus();
    first.addEventListener('click', () => {
      dialog.close();
      this.#firstGame();
    });
  }

  async #firstGame() {
    const { faultText, startFirst } = await import('../home/setup.js'), refused = await startFirst(this.kind);
    if (!refused) return;
    this.#told = faultText(refused);
    announce(this.#told);
    this.#drawDock();
  }

  // ---- drawing

  /** A text of the task, or one that tasks of this game share. @param {string} what */
  #say(what) {
    const own = `course.${this.kind}.${this.#task.name}.${what}`;
    return t(has(own) ? own : `course.${this.kind}.slips.${what}`, this.#values);
  }

  /** What the texts name. */
  get #values() {
    return { name: crewOf(this.kind)[0] };
  }

  get #judgement() {
    if (!this.#verdict) return '';
    const said = this.#say(this.#verdict), { plans } = this.#task;
    if (plans) return this.#isRight ? `${said} ${this.#say('right')}` : said;
    return `${t(this.#isRight ? 'course.right' : 'course.slip')} ${said}`;
  }

  #draw() {
    drawBar(
      this.parts,
      t('course.title', { game: kindName(this.kind) }),
      markup`<button type="button" class="quiet to-side" data-do="side" aria-label="${
        t('course.tasks')
      }">${ICONS.log}<span>${t('course.tasks')}</span></button>`,
    );
    document.title = `${t('course.title', { game: kindName(this.kind) })} · Escapade`;
    this.#drawTasks();
    if (!this.#task) return;
    this.#drawGoal();
    this.#update();
    this.#drawCrew();
    this.#drawDock();
  }

  #update() {
    this.parts.face.setAttribute('aria-busy', String(this.#busy));
    if (!this.#now) return;
    this.#face?.update({
      view: this.#now.position,
      moves: this.#moves,
      eyes: READER,
      legal: this.#legal,
      covered: false,
      over: !this.#busy && this.#now.result !== '*',
      sealed: [],
      canEnd: this.#legal.includes('.'),
      busy: this.#legal.length === 0,
    });
  }

  #drawGoal() {
    const n = this.#n + 1, all = this.#tasks.length;
    morph(
      this.parts.turn,
      markup`<h2 tabindex="-1"><small><span class="off">${t('course.task', { n, all })}</span><span
          aria-hidden="true">${n}/${all}</span></small> ${this.#say('title')}</h2><p class="goal">${
        this.#say('goal')
      }</p>${this.#verdict && markup`<p class="said ${this.#looks}">${this.#judgement}</p>`}`,
    );
  }

  get #looks() {
    return this.#isSlip ? 'slip' : this.#verdict ? 'good' : '';
  }

  #drawTasks() {
    const done = this.#learnt;
    const rows = this.#tasks.map(({ name }, n) =>
      markup`<li data-key="${name}"><button type="button" data-do="go" data-n="${n}" ${
        n === this.#n && markup`aria-current="step"`
      }><span class="tick" aria-hidden="true">${done.includes(name) ? '✓' : n + 1}</span><span>${
        t(`course.${this.kind}.${name}.title`)
      }${done.includes(name) && markup`<span class="off">, ${t('course.done')}</span>`}</span></button></li>`
    );
    morph(
      this.parts.log,
      markup`<header><h2 id="log-title">${t('course.tasks')}</h2></header><ol aria-labelledby="log-title">${rows}</ol>`,
    );
    morph(this.parts.chat, markup`<p class="buttons">${this.#ways()}</p>`);
  }

  /** Where to go from here: the other games, the whole rules, a first game. */
  #ways() {
    return markup`${
      Object.keys(KINDS).filter((one) => one !== this.kind && isPractised(one)).map((one) =>
        markup`<a class="btn" href="/learn/${one}">${kindName(one)}</a>`
      )
    }<a class="btn" href="/rules/${this.kind}">${t('rules.whole')}</a><button type="button" class="btn gold"
        data-do="first">${t('course.first')}</button>`;
  }

  /** Whose cards are which, where hands lie open. */
  #drawCrew() {
    const { players = 0, rules, position = '' } = this.#now ?? {}, { seat } = clockOf(position);
    const rows = rules?.hands !== 'open'
      ? []
      : Array.from({ length: players }, (_, n) =>
        markup`<li data-key="seat-${n + 1}" class="player ${n + 1 === seat ? 'now' : ''}">${sign(n)}
        <span class="n"><b>${n ? crewOf(this.kind)[n - 1] : settings.name || 'Robin'}</b></span><span
          class="k">${this.#face?.summary(n + 1)}</span></li>`);
    morph(this.parts.players, markup`${rows}`);
    this.parts.players.style.setProperty('--seats', String(players));
  }

  /** What became of it stands here where there is no room beside the board. */
  #drawDock() {
    morph(
      this.parts.dock,
      markup`<p class="prompt ${this.#looks}">${
        this.#judgement || this.#told
      }</p><div class="buttons">${this.#buttons()}</div>`,
    );
  }

  #buttons() {
    const { plans } = this.#task;
    if (plans) return markup`${Object.keys(plans).map((plan) => this.#planButton(plan))}${this.#isRight && NEXT()}`;
    if (this.#isRight) return markup`${button('again', ICONS.again, t('course.again'))}${NEXT()}`;
    if (this.#verdict) return markup`${SHOW()}${button('again', ICONS.again, t('course.retry'), 'gold')}`;
    if (this.#waiting) return button('ready', ICONS.play, t('course.ready'), 'gold');
    return markup`${this.#actions.length > 0 && button('again', ICONS.again, t('course.restart'))}${SHOW()}${
      this.#legal.includes('.') && button('end', ICONS.end, t('table.end'))
    }`;
  }

  /** @param {string} plan */
  #planButton(plan) {
    return markup`<button type="button" class="btn" data-do="plan" data-key="${plan}" data-plan="${plan}"
      aria-pressed="${String(this.#verdict === plan)}">${this.#seen.has(plan) && ICONS.end}<span>${
      this.#say(`${plan}-name`)
    }</span></button>`;
  }
}

/** @param {string} what @param {import('../lib/dom.js').Markup} mark @param {string} text @param {string} [looks] */
const button = (what, mark, text, looks = '') =>
  markup`<button type="button" class="btn ${looks}" data-key="${what}"
      data-do="${what}">${mark}<span>${text}</span></button>`;

const NEXT = () => button('next', ICONS.next, t('course.next'), 'gold');
const SHOW = () => button('show', ICONS.hint, t('course.show'));
