// @ts-check
/** What the host has set and guests could take for chance: told in the lobby and at the table. */
import { markup } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { openSheet } from '../lib/sheet.js';

/** @typedef {import('./state.js').Table} Table */

/** In words, with a way to look at the position. @param {Table} table */
const words = ({ chosen, start }) =>
  markup`${chosen.map((what) => markup`<p>${t(`chosen.${what}`)}</p>`)}
  ${
    start &&
    markup`<p><a class="btn" target="_blank" href="/replay#position=${encodeURIComponent(start)}">${
      t('chosen.look')
    }</a></p>`
  }`;

/** For the lobby and the sheet behind “?”; the host reads what the guests do. @param {Table} table */
export const chosenNote = (table) =>
  table.chosen.length > 0 &&
  markup`<div class="chosen" role="note">${table.host && markup`<p class="dim">${t('chosen.told')}</p>`}${
    words(table)
  }</div>`;

/** A button beside the turn, for everyone but the host. @param {Table} table */
export const chosenMark = (table) =>
  table.chosen.length > 0 && !table.host &&
  markup`<button type="button" class="chosen" data-key="chosen" data-do="chosen">${t('chosen.mark')}</button>`;

/** All of it on a sheet. @param {Table} table */
export const openChosen = (table) => openSheet({ title: () => t('chosen.title'), body: () => words(table) });
