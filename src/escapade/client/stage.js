// @ts-check
/** What the page of a table and that of a replay share: their parts, and the game's face among them. */
import { byId, html, loadStyle, morph } from './dom.js';
import { t } from './lang.js';
import { MARKS } from './marks.js';

/** @typedef {ReturnType<typeof html>} Markup */
/** @typedef {import('./state.js').Move} Move */
/** @typedef {{ game: string, rules: Record<string, string | number>, printing: string, seats: { name: string, colour: number, bot: string | null }[] }} Info */
/** A position and the moves that led to it. @typedef {{ view: string, moves: Move[], eyes: number, legal: string[], covered: boolean, over: boolean, sealed: number[], canEnd: boolean, busy: boolean }} Shown */
/** What a game's face answers to. It knows a view and the legal actions, and no rules; it tells `act` and `tell`, and `ending` where the last
 * sheet is asked for. That sheet is the shell's; a game that has more to tell on it than an order of players brings its body.
 * @typedef {HTMLElement & { setup: (info: Info) => void, update: (now: Shown) => void, animate: (move: Move, before: string, after: string, speed: number) => Promise<void>,
 *   suggest: (action: string | null) => void, cancel: () => void, summary: (seat: number) => Markup, say: (move: Move, before: string, after: string) => Markup,
 *   sound: (move: Move) => string, whyNotEnd: () => string, keys: { key: string, text: string }[],
 *   ending?: { looks: string, body: () => Markup, opened: (sheet: HTMLElement) => void } }} Face */

/** @type {Record<string, () => Promise<unknown>>} */
const FACES = { cartagena: () => import('./cartagena.js'), evades: () => import('./evades.js') };

/** Bring what a game's face is made of. It waits for its style here: WebKit takes a module that awaits something itself for ready
 * when it is imported a second time. @param {string} kind */
export const loadFace = (kind) => Promise.all([FACES[kind](), loadStyle(kind)]);

/** @param {string} kind @returns {Promise<Face>} */
export async function newFace(kind) {
  await loadFace(kind);
  return /** @type {Face} */ (document.createElement(`${kind}-face`));
}

/** Where log, chat and players’ details stand beside the board; elsewhere they are a sheet. The same as in table.css. */
const WIDE = matchMedia('(min-width: 1000px) and (min-height: 560px)');

/** The parts of the page, by name. @typedef {Record<'title' | 'bar' | 'turn' | 'players' | 'face' | 'over' | 'dock' | 'side' | 'head' | 'details' | 'log' | 'chat' | 'notes', HTMLElement>} Parts */

/** Draw the empty page, and give its parts and a function that leaves it. @param {HTMLElement} root @returns {{ parts: Parts, leave: () => void }} */
export function frame(root) {
  morph(root, html`<main class="stage-page">
    <h1 class="off" data-part="title"></h1>
    <header class="bar" data-part="bar"></header>
    <section class="turn" data-part="turn"></section>
    <ol class="crew" data-part="players"></ol>
    <div class="box" data-part="face"></div>
    <div class="over" data-part="over"></div>
    <section class="actions" data-part="dock"></section>
    <aside class="aside" id="aside" data-part="side"><header class="head" data-part="head"></header><ol class="crew full" data-part="details"></ol><section class="log" data-part="log"></section><section class="chat" data-part="chat"></section></aside>
    <div class="notes" data-part="notes"></div></main>`);
  const parts = /** @type {Parts} */ (Object.fromEntries([...root.querySelectorAll('[data-part]')].map((part) => [part.getAttribute('data-part'), part])));
  const fit = () => (WIDE.matches ? parts.side.removeAttribute('popover') : parts.side.setAttribute('popover', 'auto'));
  const name = () => {
    parts.turn.setAttribute('aria-label', t('table.turn'));
    parts.players.setAttribute('aria-label', t('table.players'));
    parts.details.setAttribute('aria-label', t('table.players'));
    parts.dock.setAttribute('aria-label', t('table.actions'));
    parts.side.setAttribute('aria-label', t('table.side'));
  };
  WIDE.addEventListener('change', fit);
  document.addEventListener('language', name);
  fit();
  name();
  return { parts, leave: () => { WIDE.removeEventListener('change', fit); document.removeEventListener('language', name); } };
}

/** Draw the header, with what is the same on both pages. @param {Parts} parts @param {string} game @param {Markup} buttons */
export function drawBar(parts, game, buttons) {
  const name = html`<div class="name"><a class="word" href="/">Escapade</a><p>${game}</p></div>`;
  parts.title.textContent = game || 'Escapade';
  morph(parts.bar, html`${name}${buttons}${barButton('keys', MARKS.keys, t('table.keys.title'))}${barButton('menu', MARKS.menu, t('table.menu'))}`);
  morph(parts.head, html`${name}${barButton('side', MARKS.close, t('common.close'))}`);
}

/** A button of the header. @param {string} what @param {Markup} mark @param {string} text */
export const barButton = (what, mark, text) => html`<button type="button" class="quiet" data-do="${what}" aria-label="${text}" title="${text}">${mark}</button>`;

/** Open or close the sheet with log and chat, where it is one. @param {HTMLElement} side */
export function toggleSide(side) {
  if (side.hasAttribute('popover')) side.togglePopover();
}

let announced = 0;

/** Tell a screen reader. What comes in one breath is told together, or the first of it would be lost. @param {string} text */
export function announce(text) {
  const live = byId('live'), now = performance.now();
  live.textContent = now - announced < 400 ? `${live.textContent} ${text}` : text;
  announced = now;
}

/** Tell what went wrong, for a while and without being in the way. @param {HTMLElement} notes @param {string} text */
export function note(notes, text) {
  const line = Object.assign(document.createElement('p'), { textContent: text, className: 'told' });
  notes.append(line);
  announce(text);
  setTimeout(() => line.remove(), 6000);
}

/** The plain words of some markup. @param {Markup} markup */
export function plain({ text }) {
  const template = document.createElement('template');
  template.innerHTML = text;
  return (template.content.textContent ?? '').replace(/\s+/g, ' ').trim();
}

/** The set of symbols that a game of Cartagena is played with, as the catalogs call it. @param {string} game @param {string} printing */
export const symbolSet = (game, printing) => (game.startsWith('first-escape') ? 'second' : printing);

/** Who is to act in a position, and in which turn; both games write it last. @param {string} view */
export function clockOf(view) {
  const numbers = view.slice(view.lastIndexOf(' ') + 1).split(':').map(Number);
  return { seat: numbers[0], actions: numbers.length === 3 ? numbers[1] : 0, turn: numbers[numbers.length - 1] };
}

/** The name of what is played, as in `Jamaica` with a sign for house rules. @param {string} game */
export const gameName = (game) => t(`edition.${game.split('+')[0]}.name`) + (game.includes('+') ? ` ${t('table.house')}` : '');
