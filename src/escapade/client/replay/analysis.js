// @ts-check
/** What the turns of a game gave away: read from the server line by line, and shown beside the log. */
import { announce } from '../lib/announce.js';
import { loadStyle, markup, morph } from '../lib/dom.js';
import { percent, t } from '../lib/lang.js';
import { sign } from '../lib/seats.js';
import { refusal } from './asking.js';
import { chancesOf, chart, marked, MARKS, nothingFound, readLines, turnAt, turnedWords } from './course.js';

/** @typedef {import('./course.js').Found} Found */
/** @typedef {import('../lib/messages.js').Judgement} Judgement */
/** @typedef {import('./course.js').Player} Player */
/** Where to ask, and what else the panel needs: whose seats are the reader's own, and what happens on a change or a
 * jump.
 * @typedef {{ path: string, body?: object, players: Player[], own: number[], changed: () => void,
 *   jump: (turns: number) => void, learn: (seat: number) => void }} Page */

export class Analysis {
  /** @type {Found} */ found = nothingFound();
  #reading = false;
  #at = 0;
  /** @type {HTMLElement} */ #panel;

  /** @param {HTMLElement} before the part that it is put in front of @param {Page} page @param {AbortSignal} signal */
  constructor(before, page, signal) {
    this.page = page;
    this.signal = signal;
    this.#panel = Object.assign(document.createElement('section'), { className: 'analysis', tabIndex: -1 });
    before.before(this.#panel);
    this.#panel.addEventListener('click', (event) => this.#clicked(event), { signal });
    document.addEventListener('language', () => this.draw(), { signal });
  }

  focus() {
    this.#panel.focus();
  }

  /** Read it, or go on reading where it was broken off. */
  async read() {
    if (this.#reading || this.found.verdict) return;
    this.#reading = true;
    this.found.fault = '';
    this.draw();
    const { path, body } = this.page, { signal } = this;
    try {
      const [answer] = await Promise.all([
        fetch(path, {
          signal,
          ...(body
            ? { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
            : {}),
        }),
        loadStyle('replay/analysis'),
      ]);
      if (answer.ok) await readLines(this.found, answer, () => this.#changed());
      else this.found.fault = refusal(await answer.json());
    } catch {
      if (signal.aborted) return;
      this.found.fault = t('analysis.broken');
    }
    this.#reading = false;
    if (this.found.verdict) announce(t('analysis.done', { n: marked(this.found).length }));
    else if (this.found.fault) announce(this.found.fault);
    this.#changed();
  }

  #changed() {
    this.draw();
    this.page.changed();
  }

  /** The judgement of a turn by its number, if it is known. @param {number} turn */
  ofTurn(turn) {
    const index = this.found.outline?.turns.indexOf(turn) ?? -1;
    return this.found.judged.get(index);
  }

  /** Mark where the reader is. @param {number} turns how many have been played there */
  at(turns) {
    this.#at = turns;
    this.draw();
  }

  /** @param {Event} event */
  #clicked(event) {
    const target = /** @type {Element} */ (event.target), svg = target.closest('svg.course');
    const button = /** @type {HTMLElement | null} */ (target.closest('button'));
    const turns = this.found.outline?.turns.length ?? 0;
    if (svg) this.page.jump(turnAt(svg, /** @type {MouseEvent} */ (event).clientX, turns));
    else if (button?.dataset.index) this.page.jump(Number(button.dataset.index) + 1);
    else if (button?.dataset.learn) this.page.learn(Number(button.dataset.learn));
    else if (button?.dataset.again) this.read();
  }

  draw() {
    const { outline, judged, verdict, fault } = this.found, { players } = this.page;
    const all = outline?.turns.length ?? 0;
    const progress = !verdict && !fault && markup`<progress max="${all || 1}" value="${judged.size}"
        aria-label="${t('analysis.progress', { n: judged.size, all })}"></progress>`;
    morph(
      this.#panel,
      markup`<header><h2>${t('analysis.title')}</h2>${progress}</header>
      ${
        fault && markup`<p class="bad" role="alert">${fault} <button type="button" class="link"
          data-again="1">${t('analysis.again')}</button></p>`
      }
      ${
        outline && markup`${chart(this.found, players, this.#at)}${this.#players()}${this.#turnings()}${this.#marks()}
        <p class="dim">${t('analysis.honest')}</p>${this.#table()}`
      }`,
    );
  }

  /** Everyone's figures. */
  #players() {
    const { judged, outline, verdict } = this.found, { players, own } = this.page;
    const marks = (/** @type {number} */ seat, /** @type {string} */ mark) =>
      [...judged.values()].filter((one) => one.mark === mark && outline?.seats[one.index] === seat).length;
    return markup`<ul class="figures">${
      players.map(({ name, colour }, n) => {
        const mistakes = marks(n + 1, 'mistake'), blunders = marks(n + 1, 'blunder');
        const accuracy = verdict?.accuracy[n], luck = verdict?.luck[n];
        const words = [
          typeof accuracy === 'number' && t('analysis.accuracy', { share: percent(accuracy) }),
          mistakes > 0 && t('analysis.mistakes', { n: mistakes }),
          blunders > 0 && t('analysis.blunders', { n: blunders }),
          typeof luck === 'number' && t('analysis.luck', { share: signed(luck) }),
        ];
        const learn = verdict && mistakes + blunders > 0 && (!own.length || own.includes(n + 1));
        return markup`<li>${sign(colour)}<span><b>${name}</b> <small>${words.filter(Boolean).join(' · ')}</small></span>
          ${
          learn &&
          markup`<button type="button" class="btn" data-learn="${n + 1}">${
            t(own.length ? 'analysis.learnOwn' : 'analysis.learn')
          }</button>`
        }</li>`;
      })
    }</ul>`;
  }

  /** Where the game turned. */
  #turnings() {
    const { outline, verdict } = this.found, { players } = this.page;
    if (!outline || !verdict) return markup``;
    if (!verdict.turning.length) return markup`<p>${t('analysis.steady')}</p>`;
    return markup`<h3>${t('analysis.turning')}</h3><ol class="turnings">${
      verdict.turning.map((point) =>
        markup`<li><button type="button" data-index="${point.index}">${
          turnedWords(point, outline, players)
        }</button></li>`
      )
    }</ol>`;
  }

  /** Mistakes and blunders, to go to. */
  #marks() {
    const { outline } = this.found, all = marked(this.found);
    return all.length > 0 &&
      markup`<h3>${t('analysis.marked')}</h3><ol class="marks">${
        all.map(({ index, mark, lost }) => {
          const turn = outline?.turns[index], { name, colour } = this.page.players[(outline?.seats[index] ?? 1) - 1];
          return markup`<li><button type="button" class="${mark}" data-index="${index}"
            aria-label="${t('analysis.goTo', { n: turn, name, what: t(`analysis.${mark}`), lost: percent(lost) })}">
            ${sign(colour)}<b>${MARKS[mark]}</b> ${turn}</button></li>`;
        })
      }</ol>`;
  }

  /** The chart as a table. */
  #table() {
    const { outline, judged } = this.found, { players } = this.page, chances = chancesOf(this.found);
    return markup`<details><summary>${t('analysis.table')}</summary><table><thead><tr><th>${t('table.turn')}</th>${
      players.map(({ name }) => markup`<th>${name}</th>`)
    }<th>${t('analysis.given')}</th></tr></thead><tbody>${
      outline?.turns.map((turn, n) =>
        markup`<tr><td>${turn} ${players[outline.seats[n] - 1].name}</td>${
          players.map((_, seat) => markup`<td>${percent(chances[n + 1][seat])}</td>`)
        }<td>${judged.has(n) && percent(judged.get(n)?.lost ?? 0)} ${MARKS[judged.get(n)?.mark ?? '']}</td></tr>`
      )
    }</tbody></table></details>`;
  }
}

/** A share with its sign. @param {number} share */
const signed = (share) => `${Math.abs(share) < 0.005 ? '±' : share < 0 ? '−' : '+'}${percent(Math.abs(share))}`;
