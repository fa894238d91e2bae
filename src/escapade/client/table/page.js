// @ts-check
/** The table's page: handles the server's messages and the player's actions. */
import { chosenNote, openChosen } from './chosen.js';
import { canHint, canUndo } from './dock.js';
import { saveRecord } from './finish.js';
import { markup } from '../lib/dom.js';
import { forPage } from '../lib/keys.js';
import { alsoSpeak, list, t } from '../lib/lang.js';
import { gameName } from '../lib/offer.js';
import { openLinks, serveLinks, serverAddress } from '../lib/links.js';
import { go } from '../main.js';
import { forget, keep, keyTo, newKey, save, settings, SPEEDS } from '../lib/settings.js';
import { Line } from './socket.js';
import { sound } from '../lib/sound.js';
import { announce, note, plain } from '../lib/announce.js';
import { toggleSide } from './frame.js';
import { acting, NOTHING, own, reduce, wasDropped, watched } from './state.js';
import { Display } from './display.js';

/** @typedef {import('./state.js').Known} Known */
/** @typedef {import('../lib/messages.js').ToClient} ToClient */
/** @typedef {import('../lib/offer.js').Level} Level */

/** The level of a bot that stands in for somebody absent. */
const STAND_IN = 'buccaneer';

/** Faults after which it is unknown whether a message was done, or it can be sent again. */
const MAYBE_DONE = ['broken', 'busy', 'not-saved'];
/** Faults after which there is nothing more to hear. */
const LOST = ['no-table', 'damaged', 'closed'];

/** @param {HTMLElement} root @param {string[]} rest */
export function open(root, [id]) {
  const page = new TablePage(root, id);
  return () => page.leave();
}

/** The key to the player's seats: from the link, which is then removed from the address, or as remembered.
 * @param {string} id */
function ownKey(id) {
  const key = /^#([A-Za-z0-9_-]{16,64})$/.exec(location.hash)?.[1];
  if (!key) return keyTo(id);
  keep(id, key, '');
  history.replaceState(null, '', location.pathname);
  return key;
}

class TablePage {
  /** @type {Known} */ #known = NOTHING;
  /** Messages are handled one after another, even while the face is still loading. @type {Promise<void>} */ #inbox =
    Promise.resolve();
  #fetching = false;
  #rematching = false;
  /** The seat that was asked for and is not held yet; `fresh` if its key was made for that.
   * @type {{ seat: number, name: string, fresh: boolean } | null} */ #sitting = null;

  /** @param {HTMLElement} root @param {string} id */
  constructor(root, id) {
    this.root = root;
    this.id = id;
    this.key = ownKey(id);
    this.view = new Display(root, (what) => this.#do(what, null));
    this.line = new Line({
      hello: () => (this.key ? { table: id, key: this.key } : { table: id }),
      heard: (message) => {
        this.#inbox = this.#inbox.then(() => this.#take(message)).catch(console.error);
      },
      changed: (up) => this.#lineChanged(up),
    });
    this.stop = new AbortController();
    const { signal } = this.stop;
    root.addEventListener('click', (event) => this.#clicked(event), { signal });
    root.addEventListener('submit', (event) => this.#submitted(event), { signal });
    root.addEventListener('change', ({ target }) => {
      if (target instanceof HTMLInputElement && target.name === 'name') save({ name: target.value.trim() });
    }, { signal });
    for (
      const [kind, on] of /** @type {const} */ ([['pointerover', true], ['pointerout', false], ['focusin', true], [
        'focusout',
        false,
      ]])
    ) {
      root.addEventListener(kind, ({ target }) => {
        const hint = /** @type {Element} */ (target).closest('[data-do="suggest"]');
        if (hint instanceof HTMLElement) this.view.preview(on ? hint.dataset.action ?? null : null);
      }, { signal });
    }
    root.addEventListener('act', (event) => this.#play(/** @type {CustomEvent} */ (event).detail.action), { signal });
    root.addEventListener('tell', (event) => this.view.tell(/** @type {CustomEvent} */ (event).detail.text), {
      signal,
    });
    root.addEventListener('ending', () => this.view.ending(), { signal });
    root.addEventListener('counted', () => this.view.counted(), { signal });
    document.addEventListener('keydown', (event) => this.#pressed(event), { signal });
    document.addEventListener('language', () => this.view.translate(), { signal });
    this.view.parts.side.addEventListener('toggle', () => {
      this.view.unread = 0;
      this.#draw();
    }, { signal });
    serveLinks(root, signal);
    if (settings.guided === id) this.#beGuided();
    this.#draw();
  }

  async #beGuided() {
    const [guide] = await Promise.all([import('./guide.js'), alsoSpeak('course')]);
    this.view.guide = guide;
    this.#draw();
  }

  leave() {
    this.stop.abort();
    this.line.close();
    this.view.leave();
  }

  #draw() {
    this.view.draw(this.#known);
  }

  /** @param {import('./state.js').Message} message */
  #reduce(message) {
    this.#known = reduce(this.#known, message, performance.now());
  }

  // ---- messages

  /** What a message makes the page do, besides changing what is known.
   * @type {{ [Type in ToClient['type']]?: (message: Extract<ToClient, { type: Type }>, before: Known) => void |
   *   Promise<void> }} */
  #answers = {
    table: (_, before) => this.#tableTold(before),
    moved: (_, before) => this.#moved(before),
    undone: () => this.view.playback.clear(),
    held: ({ key }) => {
      this.key = key;
      keep(this.id, key, this.#known.table?.game ?? '');
    },
    said: (line) => this.#heardChat(line),
    hints: ({ hints }) => {
      const { guide } = this.view.moment;
      announce(guide ? plain(guide) : t('hints.come', { n: hints.length }));
    },
    fault: (fault) => this.#refused(fault),
  };

  /** @param {ToClient} message */
  async #take(message) {
    if (this.stop.signal.aborted) return;
    const before = this.#known;
    this.#reduce(message);
    if (this.#known === before && message.type !== 'held') return;
    await /** @type {((message: ToClient, before: Known) => void | Promise<void>) | undefined} */ (this
      .#answers[message.type])?.(message, before);
    const { table, views } = this.#known;
    if (table?.rematch && table.rematch !== before.table?.rematch) this.#followed(table.rematch, before.table !== null);
    if (views.includes('')) this.#fetchPast();
    this.#draw();
  }

  /** @param {Known} before */
  async #tableTold(before) {
    const { table, pending } = this.#known;
    if (!table) return;
    if (wasDropped(before, this.#known)) note(this.view.parts.notes, t('table.dropped'));
    if (this.key) keep(this.id, this.key, table.game, own(this.#known));
    this.view.playback.clear();
    await this.view.begin(table);
    this.view.finishIfOver(this.#known);
    if (!table.state) {
      const [{ lobby }, address] = await Promise.all([import('./lobby.js'), serverAddress()]);
      this.view.lobby = (table) => lobby(table, `${address}/t/${this.id}`);
    }
    // What was sent when the connection broke may not have arrived. The server ignores repeats.
    if (pending) {
      const { version, action } = pending;
      this.line.send({ type: 'play', version, action, final: !settings.wait });
    }
    if (this.#sitting) this.#sitAgain(this.#sitting, table);
  }

  /** @param {{ seat: number, name: string }} sitting @param {NonNullable<Known['table']>} table */
  #sitAgain({ seat, name }, { seats }) {
    const { yours, free } = seats[seat - 1] ?? {};
    if (yours) this.#sitting = null;
    else if (!free) this.#standUp();
    else if (this.key) this.line.send({ type: 'sit', seat, name, key: this.key });
  }

  /** @param {Known} before */
  #moved(before) {
    const { table } = this.#known, state = table?.state, old = before.table?.state;
    if (!table || !state || !old) return;
    const move = table.moves[table.moves.length - 1], last = before.table?.moves[table.moves.length - 2];
    if (move.late && !(last?.late && last.turn === move.turn)) {
      note(this.view.parts.notes, t('table.late', { name: table.seats[move.seat - 1].name }));
    }
    this.view.acted();
    this.view.playback.add({
      n: table.moves.length - 1,
      move,
      before: old.view,
      after: state.view,
      eyes: [old.eyes, state.eyes],
    });
  }

  /** @param {import('../lib/messages.js').Fault} fault */
  #refused({ code, about }) {
    if (about === 'rematch') this.#rematching = false;
    if (about === 'sit' && !MAYBE_DONE.includes(code)) this.#standUp();
    if (code === 'stale') return this.line.hello();
    if (!LOST.includes(code)) return note(this.view.parts.notes, t(`fault.${code}`));
    this.view.lost = code;
    this.line.close();
  }

  /** @param {{ seat: number, text: string }} line */
  #heardChat({ seat, text }) {
    const { side } = this.view.parts;
    if (own(this.#known).includes(seat)) return;
    sound('chat');
    announce(`${this.#known.table?.seats[seat - 1]?.name}: ${text}`);
    if (side.hasAttribute('popover') && !side.matches(':popover-open')) this.view.unread++;
  }

  /** @param {string} next the table of the next game @param {boolean} just whether it has just been made */
  #followed(next, just) {
    if (this.key && !keyTo(next)) keep(next, this.key, this.#known.table?.game ?? '');
    if (this.#rematching) setTimeout(() => go(`/t/${next}`));
    else if (just) note(this.view.parts.notes, t('finish.ready'));
  }

  /** @param {boolean} up */
  #lineChanged(up) {
    this.view.up = up;
    if (up) this.#draw();
    else setTimeout(() => this.#draw(), 700); // do not show short interruptions
  }

  /** Fetch the positions of earlier moves, for the log and for replaying them. */
  async #fetchPast() {
    if (this.#fetching) return;
    this.#fetching = true;
    const answer = await this.#ask('replay');
    this.#fetching = false;
    if (!answer) return;
    this.#reduce({ type: 'past', ...await answer.json() });
    this.#draw();
  }

  /** Fetch something about this table; null if that fails. @param {'replay' | 'record'} what */
  async #ask(what) {
    const answer = await fetch(
      `/api/tables/${this.id}/${what}`,
      this.key ? { headers: { Authorization: `Bearer ${this.key}` } } : {},
    ).catch(() => null);
    return answer?.ok ? answer : null;
  }

  // ---- actions

  /** @param {string} action */
  #play(action) {
    const { table, pending } = this.#known, { playing, covered } = this.view.moment;
    const legal = playing || covered || pending ? [] : table?.state?.legal ?? [];
    const offered = legal.some((one) => action === one || action.startsWith(`${one}:`)); // `bet` stands for every bet
    if (!table || !offered) return;
    this.#reduce({ type: 'sent', seat: acting(this.#known), action });
    this.view.acted();
    // Without a connection it is kept, and sent when the table is told again.
    const sent = this.line.send({ type: 'play', version: table.version, action, final: !settings.wait });
    if (!sent) announce(t('table.kept'));
    this.#draw();
  }

  /** What the buttons and keys do. @type {Record<string, (seat: number, button: HTMLElement | null) => void>} */
  #deeds = {
    undo: () => {
      if (!this.view.up) return this.#unsent();
      if (!canUndo(this.view.moment)) return this.view.tell(t('table.noUndo'));
      this.#send({ type: 'undo', version: this.#version });
    },
    end: () => {
      if (!this.view.up) return this.#unsent();
      return this.view.moment.legal.includes('.') ? this.#play('.') : this.view.tell(this.view.whyNotEnd());
    },
    hint: () => this.#hint(),
    unhint: () => this.#closeHints(),
    more: () => this.view.more(),
    alone: () => {
      this.view.guide = null;
      save({ guided: undefined });
      this.#closeHints();
      note(this.view.parts.notes, t('guide.free'));
    },
    suggest: (_, button) => this.view.suggest(button?.dataset.action ?? null),
    pause: () => this.view.pause(),
    step: () => this.view.step(),
    speed: () => {
      save({ speed: SPEEDS[(SPEEDS.indexOf(settings.speed) + 1) % SPEEDS.length] });
      this.#draw();
    },
    skip: () => void this.view.playback.skip(),
    again: () => this.view.again(),
    side: () => toggleSide(this.view.parts.side),
    keys: () => this.#help(),
    links: () => void openLinks(this.id, this.key),
    chosen: () => void (this.#known.table && openChosen(this.#known.table)),
    menu: async () => {
      const [{ openMenu }, { waysOut }] = await Promise.all([import('../lib/menu.js'), import('./leaving.js')]);
      openMenu({ body: () => waysOut(this.#known), act: (what) => this.#do(what, null) });
    },
    resign: async () => {
      const { askToResign, resigner } = await import('./leaving.js'), seat = resigner(this.#known);
      if (seat) askToResign(this.#known, () => this.line.send({ type: 'resign', seat }));
    },
    leave: () => void this.#leaveTable(),
    mute: () => {
      save({ sound: !settings.sound });
      note(this.view.parts.notes, t(settings.sound ? 'table.soundOn' : 'table.soundOff'));
    },
    ready: () => this.view.uncover(),
    replace: (seat) => this.#send({ type: 'bot', seat, level: STAND_IN }),
    return: (seat) => this.#send({ type: 'bot', seat, level: null }),
    fill: (seat) => this.#fill(seat),
    rematch: () => {
      this.#rematching = this.#send({ type: 'rematch' });
    },
    share: () => this.#share(),
    record: async () => saveRecord(await (await this.#ask('record'))?.text(), `escapade-${this.id}`),
  };

  /** Share the game, which is over. */
  async #share() {
    const { openShare, sharedGame } = await import('../lib/share.js'), { table } = this.#known;
    if (!table) return;
    openShare(sharedGame(this.id, `${list(table.seats.map(({ name }) => name))} · ${gameName(table.game)}`));
  }

  /** Go home. Where others would wait, a bot plays on. */
  async #leaveTable() {
    const { waitedFor } = await import('./leaving.js');
    const seats = waitedFor(this.#known) ? own(this.#known) : [];
    for (const seat of seats) this.line.send({ type: 'bot', seat, level: STAND_IN });
    go('/');
  }

  /** @param {string} what @param {HTMLElement | null} button */
  #do(what, button) {
    this.#deeds[what]?.(Number(button?.dataset.seat), button);
  }

  /** @param {Event} event */
  #clicked(event) {
    const button = /** @type {Element} */ (event.target).closest('[data-do]');
    if (button instanceof HTMLElement && !this.view.parts.face.contains(button)) {
      this.#do(button.dataset.do ?? '', button);
    }
  }

  /** @param {Event} event */
  #submitted(event) {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target),
      fields = new FormData(form, /** @type {SubmitEvent} */ (event).submitter);
    const name = String(fields.get('name') ?? '').trim(), text = String(fields.get('text') ?? '').trim();
    if (name) this.#sit(Number(fields.get('seat')), name);
    if (text && this.#send({ type: 'say', text })) {
      /** @type {HTMLInputElement} */ (form.elements.namedItem('text')).value = '';
    }
  }

  /** Take a seat with a key that is kept before it is sent, so that the seat is not lost if the line breaks.
   * @param {number} seat @param {string} name */
  #sit(seat, name) {
    this.#sitting = { seat, name, fresh: !this.key };
    this.key ??= newKey();
    keep(this.id, this.key, this.#known.table?.game ?? '');
    this.line.send({ type: 'sit', seat, name, key: this.key });
  }

  /** Go on watching: the seat was not to be had. */
  #standUp() {
    if (this.#sitting?.fresh) {
      forget(this.id);
      this.key = null;
    }
    this.#sitting = null;
  }

  get #version() {
    return this.#known.table?.version ?? 0;
  }

  /** Put a bot of the level that is chosen beside a free seat there. @param {number} seat */
  #fill(seat) {
    const select = /** @type {HTMLSelectElement | null} */ (this.root.querySelector(`[data-level="${seat}"]`));
    if (select) this.#send({ type: 'bot', seat, level: /** @type {Level} */ (select.value) });
  }

  /** Send something that is not kept; whether it could be sent.
   * @param {import('../lib/messages.js').FromClient} message */
  #send(message) {
    const sent = this.line.send(message);
    if (!sent) this.#unsent();
    return sent;
  }

  #unsent() {
    note(this.view.parts.notes, t('table.unsent'));
  }

  #hint() {
    if (!this.view.up) return this.#unsent();
    const { guide } = this.view.moment, [first] = this.#known.advice ?? [];
    if (guide && first) return this.view.suggest(first.action);
    if (first) return this.view.more();
    if (this.#known.asking || !canHint(this.view.moment)) return;
    if (!this.#send({ type: 'hint', version: this.#version })) return;
    this.#reduce({ type: 'asked' });
    this.#draw();
  }

  async #help() {
    const { table } = this.#known;
    if (!table) return;
    const [{ openHelp }, { agreed }] = await Promise.all([import('../learn/help.js'), import('./agreed.js')]);
    const now = () => this.#known.table ?? table;
    openHelp(table, () => this.#keys(), () => markup`${agreed(now())}${chosenNote(now())}`, watched(table));
  }

  #closeHints() {
    this.#reduce({ type: 'unasked' });
    this.view.suggest(null);
    this.#draw();
    /** @type {HTMLElement | null} */ (this.view.parts.dock.querySelector('[data-do="hint"]'))?.focus();
  }

  // ---- keys

  /** @type {Record<string, string>} */
  #shortcuts = { u: 'undo', e: 'end', h: 'hint', s: 'skip', a: 'again', l: 'side', m: 'mute', '?': 'keys' };

  #keys() {
    const shell = Object.entries(this.#shortcuts).filter(([, what]) => what !== 'hint' || this.#known.table?.hints).map(
      ([key, what]) => ({ key, text: t(`table.keys.${what}`) }),
    );
    return [...this.view.keys.filter(({ key }) => key !== 'Esc'), ...shell, { key: 'c', text: t('table.keys.chat') }, {
      key: 'Esc',
      text: t('table.keys.cancel'),
    }];
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (!forPage(event) || event.defaultPrevented || this.view.parts.over.classList.contains('cover')) return;
    if (event.key === 'Escape') {
      return this.#known.advice && !this.view.guide ? this.#closeHints() : this.view.cancel();
    }
    if (event.key === 'c') return this.#toChat(event);
    const what = this.#shortcuts[event.key];
    if (!what) return;
    event.preventDefault();
    this.#do(what, null);
  }

  /** @param {Event} event */
  #toChat(event) {
    const { chat, side } = this.view.parts, field = /** @type {HTMLElement | null} */ (chat.querySelector('input'));
    if (!field) return;
    event.preventDefault();
    if (!side.matches(':popover-open')) toggleSide(side);
    field.focus();
  }
}
