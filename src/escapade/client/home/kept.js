// @ts-check
/** The games that this browser remembers, and the sheet that lists them. */
import { markup } from '../lib/dom.js';
import { language, list, t } from '../lib/lang.js';
import { readEdition } from '../lib/notation.js';
import { editionName } from '../lib/offer.js';
import { sign } from '../lib/seats.js';
import { forget, keep, settings } from '../lib/settings.js';
import { openSheet } from '../lib/sheet.js';

/** @typedef {import('../lib/messages.js').Summary} Summary */

/** The server's summaries of the remembered games, newest first; empty if it cannot be reached.
 * @returns {Promise<Summary[]>} */
export async function summaries() {
  if (!settings.games.length) return [];
  const ids = settings.games.map(({ table }) => `id=${encodeURIComponent(table)}`);
  try {
    const answer = await fetch(`/api/tables?${ids.join('&')}`);
    const found = /** @type {Summary[]} */ (answer.ok ? await answer.json() : []);
    return settings.games.flatMap(({ table }) => found.filter((one) => one.table === table));
  } catch {
    return [];
  }
}

/** @param {Summary} summary */
export const isOver = (summary) => summary.result !== '*';

/** The finished games in which the player had a seat, newest first. */
export const finishedGames = async () =>
  (await summaries()).filter((one) => isOver(one) && keptOf(one.table)?.seats.length);

/** What this browser remembers of a table. @param {string} table */
const keptOf = (table) => settings.games.find((one) => one.table === table);

/** Whose turn it is, who has won, or how many seats are free. @param {Summary} summary */
function standing({ table, names, free, seat, result }) {
  const own = keptOf(table)?.seats ?? [];
  if (result === '=') return t('home.drawn');
  if (result !== '*') {
    const won = result.split('/').map(Number);
    if (won.length === 1 && own.length === 1 && own[0] === won[0]) return t('home.youWon');
    return t('home.won', { names: list(won.map((winner) => names[winner - 1])), n: won.length });
  }
  if (free) return t('home.free', { n: free });
  return own.includes(seat) ? t('home.yours') : t('home.turn', { name: names[seat - 1] ?? '' });
}

/** Against whom, or between whom if all or none of them sat here. @param {Summary} summary */
function company({ table, names }) {
  const own = keptOf(table)?.seats ?? [], others = names.filter((name, n) => name && !own.includes(n + 1));
  return own.length && others.length ? t('home.against', { names: list(others) }) : list(names.filter(Boolean));
}

/** When this browser was last at a table. @param {string} table */
function dayOf(table) {
  const at = new Date(keptOf(table)?.at ?? 0), here = navigator.languages.find((one) => one.startsWith(language));
  const day = new Intl.DateTimeFormat(here ?? language, { dateStyle: 'medium' });
  return at.valueOf() ? markup`<time datetime="${at.toISOString()}">${day.format(at)}</time>` : '';
}

/** A link to a game's table, or to its replay once it is over. @param {Summary} summary */
export function gameLink(summary) {
  const { table, game, colours, seat } = summary;
  return markup`<a class="game" href="${isOver(summary) ? '/replay/' : '/t/'}${table}">
    <span class="signs">${
    colours.map((colour, i) => markup`<span class="${i + 1 === seat && 'on'}">${sign(colour)}</span>`)
  }</span>
    <span><b>${standing(summary)}</b><small>${editionName(readEdition(game).edition)} · ${
    company(summary)
  }</small><small>${dayOf(table)}</small></span>
    <span class="act">${t(isOver(summary) ? 'home.replay' : 'home.open')}</span></a>`;
}

/** @param {string} table @param {string} edition @param {Summary | undefined} summary */
function listed(table, edition, summary) {
  const held = settings.games.some((one) => one.table === table);
  const game = summary
    ? gameLink(summary)
    : markup`<span class="game dim">${t('home.gone', { game: editionName(edition) })} ${dayOf(table)}</span>`;
  return markup`<li data-key="${table}">${held ? game : markup`<span class="game dim">${t('home.forgotten')}</span>`}
    <button type="button" class="quiet" data-do="${held ? 'forget' : 'recall'}"
        data-table="${table}">${t(held ? 'home.forget' : 'common.undo')}</button></li>`;
}

/** Open the list of remembered games. @param {() => void} changed */
export async function openGames(changed) {
  const all = await summaries(), kept = [...settings.games];
  const { dialog, draw } = openSheet({
    title: () => t('home.way.mine.name'),
    body: () => (kept.length
      ? markup`<ul class="games-list">${
        kept.map(({ table, game }) =>
          listed(
            table,
            game,
            all.find((one) => one.table === table),
          )
        )
      }</ul>`
      : markup`<p class="dim">${t('home.none')}</p>`),
    footer: () => {
      const [played] = all.filter((one) => isOver(one) && keptOf(one.table)?.seats.length);
      return markup`<a class="btn" href="/replay">${t('home.replay')}</a>${
        played && markup`<a class="btn gold" href="/replay/${played.table}#learn=all">${t('home.learnAll')}</a>`
      }`;
    },
  });
  dialog.addEventListener('click', (event) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('[data-table]'));
    const game = kept.find(({ table }) => table === button?.dataset.table);
    if (!game) return;
    if (button?.dataset.do === 'forget') forget(game.table);
    else keep(game.table, game.key, game.game, game.seats);
    draw();
    changed();
  });
}
