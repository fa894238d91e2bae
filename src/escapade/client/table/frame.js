// @ts-check
/** The page around a board: what the pages of a table and of a replay share. */
import { closedByBack } from '../lib/back.js';
import { markup, morph } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { ICONS } from '../lib/icons.js';

/** @typedef {import('../lib/dom.js').Markup} Markup */

/** When log, chat and player details are shown beside the board instead of on a sheet. The same query is in
 * style.css. */
const WIDE = matchMedia('(min-width: 1000px) and (min-height: 560px)');

/** The parts of the page, by name.
 * @typedef {Record<'title' | 'bar' | 'turn' | 'players' | 'face' | 'over' | 'dock' | 'side' | 'head' | 'details' |
 *   'log' | 'chat' | 'notes', HTMLElement>} Parts */

/** Draw the empty page. Returns its parts, and a function that cleans up.
 * @param {HTMLElement} root @returns {{ parts: Parts, leave: () => void }} */
export function frame(root) {
  morph(
    root,
    markup`<main class="stage-page">
    <h1 class="off" data-part="title"></h1>
    <header class="bar" data-part="bar"></header>
    <section class="turn" data-part="turn"></section>
    <ol class="crew" data-part="players"></ol>
    <div class="box" data-part="face"></div>
    <div class="over" data-part="over"></div>
    <section class="actions" data-part="dock"></section>
    <aside class="aside" id="aside" data-part="side"><header class="head" data-part="head"></header>
      <ol class="crew full" data-part="details"></ol><section class="log" data-part="log"></section>
      <section class="chat" data-part="chat"></section></aside>
    <div class="notes" data-part="notes"></div></main>`,
  );
  const parts = /** @type {Parts} */ (Object.fromEntries(
    [...root.querySelectorAll('[data-part]')].map((part) => [part.getAttribute('data-part'), part]),
  ));
  const fit = () => (WIDE.matches ? parts.side.removeAttribute('popover') : parts.side.setAttribute('popover', 'auto'));
  const name = () => {
    parts.turn.setAttribute('aria-label', t('table.turn'));
    parts.players.setAttribute('aria-label', t('table.players'));
    parts.details.setAttribute('aria-label', t('table.players'));
    parts.dock.setAttribute('aria-label', t('table.actions'));
    parts.side.setAttribute('aria-label', t('table.side'));
  };
  let closed = () => {};
  parts.side.addEventListener('beforetoggle', ({ newState }) => {
    if (newState === 'open') closed = closedByBack(() => parts.side.hidePopover());
    else closed();
  });
  WIDE.addEventListener('change', fit);
  document.addEventListener('language', name);
  fit();
  name();
  return {
    parts,
    leave: () => {
      WIDE.removeEventListener('change', fit);
      document.removeEventListener('language', name);
    },
  };
}

/** Draw the header. @param {Parts} parts @param {string} game @param {Markup} buttons */
export function drawBar(parts, game, buttons) {
  const name = markup`<div class="name"><a class="word" href="/">Escapade</a><p>${game}</p></div>`;
  parts.title.textContent = game || 'Escapade';
  morph(
    parts.bar,
    markup`${name}${buttons}${barButton('keys', ICONS.keys, t('help.title'))}${
      barButton('menu', ICONS.menu, t('table.menu'))
    }`,
  );
  morph(parts.head, markup`${name}${barButton('side', ICONS.close, t('common.close'))}`);
}

/** A button of the header. @param {string} what @param {Markup} mark @param {string} text */
export const barButton = (what, mark, text) =>
  markup`<button type="button" class="quiet" data-do="${what}" aria-label="${text}" title="${text}">${mark}</button>`;

/** Toggle the sheet with log and chat, where it is a sheet. @param {HTMLElement} side */
export function toggleSide(side) {
  if (side.hasAttribute('popover')) side.togglePopover();
}
