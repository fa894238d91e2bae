// @ts-check
/** The replay page: a table of this server, or a record or position that the reader brings. */
import { markup, morph } from '../lib/dom.js';
import { alsoSpeak, t } from '../lib/lang.js';
import { KINDS, levelName } from '../lib/offer.js';
import { ask, refusal } from './asking.js';
import { Stepper } from './stepper.js';
import { pack, unpack } from './record-link.js';
import { keyTo, settings } from '../lib/settings.js';
import { announce } from '../lib/announce.js';

/** @typedef {import('../lib/messages.js').Replay} Replay */

/** @param {HTMLElement} root @param {string[]} rest */
export function open(root, [id]) {
  const page = new ReplayPage(root, id);
  page.begin();
  return () => page.leave();
}

class ReplayPage {
  /** @type {Stepper | null} */ #stepper = null;
  /** What is wrong, in the language of the moment. */ #fault = () => '';
  #text = '';

  /** @param {HTMLElement} root @param {string | undefined} id */
  constructor(root, id) {
    this.root = root;
    this.id = id;
    this.stop = new AbortController();
    const { signal } = this.stop;
    document.addEventListener('language', () => {
      if (!this.#stepper) this.#form();
    }, { signal });
    root.addEventListener('submit', (event) => {
      event.preventDefault();
      this.#submitted();
    }, { signal });
    root.addEventListener('change', (event) => this.#chosen(event), { signal });
    root.addEventListener('dragover', (event) => event.preventDefault(), { signal });
    root.addEventListener('drop', (event) => this.#dropped(event), { signal });
  }

  leave() {
    this.stop.abort();
    this.#stepper?.leave();
  }

  async begin() {
    await alsoSpeak('replay');
    if (this.stop.signal.aborted) return;
    const fragment = new URLSearchParams(location.hash.slice(1)), turn = turnHere();
    if (this.id) return await this.#table(turn, fragment);
    const record = fragment.get('record'), position = fragment.get('position');
    if (record) return await this.#record(await unpack(record), turn);
    if (position) return await this.#position(position);
    this.#form();
  }

  /** A game of this server. @param {number} turn @param {URLSearchParams} fragment what is to be done with it */
  async #table(turn, fragment) {
    const key = keyTo(this.id ?? '');
    const answer = await fetch(
      `/api/tables/${this.id}/replay`,
      key ? { headers: { Authorization: `Bearer ${key}` } } : {},
    );
    if (!answer.ok) return this.#refuse(() => t('replay.noTable'));
    const replay = await answer.json(), { seats } = settings.games.find(({ table }) => table === this.id) ?? {};
    this.#show(replay, turn, `/replay/${this.id}?`, {
      analysis: replay.result === '*' ? undefined : { path: `/api/tables/${this.id}/analysis` },
      analyse: fragment.get('analyse') !== null,
      learn: fragment.get('learn') ?? '',
      table: this.id,
      own: seats ?? [],
    });
  }

  /** A record from the reader.
   * @param {string} record @param {number} [turn] @param {number} [number] which game of the file */
  async #record(record, turn = 0, number = 1) {
    this.#text = record;
    const answer = await ask('/api/replay', { record, number });
    if (answer.fault) return this.#refuse(() => refusal(answer.fault));
    this.#show(
      answer,
      turn,
      `/replay#record=${await pack(answer.record)}&`,
      {
        choose: (chosen) => this.#record(record, 0, chosen),
        number,
        analysis: { path: '/api/analysis', body: { record: answer.record } },
      },
    );
  }

  /** A position from the reader. @param {string} position */
  async #position(position) {
    this.#text = position;
    const checked = await ask('/api/position', { position });
    if (checked.fault) return this.#refuse(() => refusal(checked.fault));
    const seats = Array.from({ length: checked.players }, (_, n) => n);
    this.#show(
      {
        game: checked.game,
        kind: checked.kind,
        rules: checked.rules,
        printing: KINDS[checked.kind]?.offers.printings?.[0] ?? '',
        names: seats.map((n) => t('replay.seat', { n: n + 1 })),
        colours: seats,
        start: checked.position,
        steps: [],
        result: '*',
        scores: null,
        record: '',
        proven: false,
        chosen: [],
        games: 1,
      },
      0,
      '',
      { legal: checked.legal },
    );
  }

  /** @param {Replay} replay @param {number} turn @param {string} link
   * @param {Partial<import('./stepper.js').Place>} more */
  #show(replay, turn, link, more) {
    if (this.stop.signal.aborted) return;
    this.#stepper?.leave();
    this.#stepper = new Stepper(this.root, { ...replay, names: distinct(replay.names) }, {
      number: 1,
      ...more,
      turn,
      link,
    });
  }

  /** @param {() => string} fault */
  #refuse(fault) {
    this.#fault = fault;
    announce(fault());
    this.#form();
  }

  #submitted() {
    const text = this.root.querySelector('textarea')?.value.trim() ?? '';
    this.#fault = () => '';
    if (!text) return;
    return /^\[/.test(text) ? this.#record(text) : this.#position(text);
  }

  /** @param {Event} event */
  async #chosen(event) {
    const file = /** @type {HTMLInputElement} */ (event.target).files?.[0];
    if (file) await this.#record(await file.text());
  }

  /** @param {DragEvent} event */
  async #dropped(event) {
    event.preventDefault();
    const file = event.dataTransfer?.files[0];
    if (file) await this.#record(await file.text());
  }

  #form() {
    document.title = `${t('replay.title')} · Escapade`;
    morph(
      this.root,
      markup`<main class="bring"><a class="word"
          href="/">Escapade</a><h1>${t('replay.title')}</h1><p>${t('replay.bring')}</p>
      <form class="paper"><label class="field"><span>${
        t('replay.text')
      }</span><textarea class="input" rows="8" spellcheck="false"
          aria-describedby="fault" ${this.#fault() && markup`aria-invalid="true"`}>${this.#text}</textarea></label>
        <p id="fault" class="bad">${this.#fault()}</p>
        <p class="buttons"><label class="btn"><input class="off"
            type="file" accept=".esc,text/plain">${t('replay.file')}</label><button type="submit"
            class="btn gold">${t('replay.watch')}</button></p></form></main>`,
    );
  }
}

/** The turn that the address leads to: what stands behind # is no business of the server. */
export const turnHere = () =>
  Number(new URLSearchParams(location.search).get('turn') ?? new URLSearchParams(location.hash.slice(1)).get('turn')) ||
  0;

/** Distinct names. Records name bots by their level, as in `bot:captain`. @param {string[]} names */
export function distinct(names) {
  const plain = names.map((name) => {
    const bot = /^bot:(.+)/.exec(name)?.[1];
    return bot ? levelName(bot) : name;
  });
  return plain.map((name, n) => (plain.indexOf(name) === plain.lastIndexOf(name) ? name : `${name} ${n + 1}`));
}
