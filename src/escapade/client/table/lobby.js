// @ts-check
/** The lobby of a table with free seats. */
import { agreed } from './agreed.js';
import { chosenNote } from './chosen.js';
import { markup } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { linkBox } from '../lib/links.js';
import { portrait } from '../lib/portraits.js';
import { sign } from '../lib/seats.js';
import { settings } from '../lib/settings.js';
import { levelIn, levelName, levelsOf } from '../lib/offer.js';

/** @typedef {import('./state.js').Table} Table */
/** @typedef {import('../lib/messages.js').Sitter} Sitter */

/** What can be done with a free seat. @param {Table} table @param {number} seat @param {boolean} seated */
function choices(table, seat, seated) {
  const number = markup`<span class="off"> ${seat}</span>`;
  const sit = markup`<button type="submit" class="btn gold" name="seat" value="${seat}">${
    t('lobby.sit')
  }${number}</button>`;
  const usual = levelIn(table.game, 'sailor'),
    levels = levelsOf(table.game).map((level) =>
      markup`<option value="${level}" ${level === usual && 'selected'}>${levelName(level)}</option>`
    );
  const fill = markup`<label class="off" for="bot-${seat}">${t('lobby.level')}</label>
    <select id="bot-${seat}" data-level="${seat}">${levels}</select>
    <button type="button" class="btn" data-do="fill" data-seat="${seat}">${t('lobby.fill')}${number}</button>`;
  return markup`
  ${!seated && sit}
  ${table.host && fill}`;
}

/** @param {Table} table @param {Sitter} sitter @param {number} seat @param {boolean} seated */
function row(table, { name, colour, free, yours, bot, here }, seat, seated) {
  const remark = yours ? t('table.you') : bot ? levelName(bot) : free || here ? '' : t('table.away');
  return markup`<li data-key="seat-${seat}" class="${free ? 'free' : ''}">${sign(colour)}<span
      class="n">${
    free ? t('lobby.free') : markup`${bot && portrait(bot)}<b>${name}</b> <small>${remark}</small>`
  }</span>
    ${free && markup`<span class="choices">${choices(table, seat, seated)}</span>`}</li>`;
}

/** @param {Table} table @param {string} link */
export function lobby(table, link) {
  const seated = table.seats.some(({ yours }) => yours), free = table.seats.filter((sitter) => sitter.free).length;
  const field = markup`<label class="field"><span>${t('lobby.name')}</span><input class="input" name="name" required
    maxlength="24" pattern="[^\\/&quot;]*\\S[^\\/&quot;]*" title="${t('lobby.nameRule')}" autocomplete="nickname"
    value="${settings.name ?? ''}"></label>`;
  const name = settings.name
    ? markup`<details class="name" data-key="name"><summary>${
      t('lobby.as', { name: settings.name })
    }</summary>${field}</details>`
    : field;
  const invite = linkBox(link, t('lobby.invite'));
  const rules = markup`<section data-key="agreed" aria-labelledby="agreed-title"><h3 id="agreed-title">${
    t('help.table')
  }</h3>${agreed(table)}
    <button type="button" class="btn" data-do="keys">${t('lobby.learn')}</button></section>`;
  return markup`<form class="lobby paper"><h2>${t('lobby.title', { n: free })}</h2>
    ${chosenNote(table)}
    ${!seated && name}
    <ol>${table.seats.map((sitter, n) => row(table, sitter, n + 1, seated))}</ol>
    <p class="dim">${t('lobby.starts')}</p>
    ${table.host ? [invite, rules] : [rules, invite]}</form>`;
}
