// @ts-check
/** The end of Cartagena: the boat casts off with its crew, and what everyone did on the way. */
import { markup } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { portrait } from '../lib/portraits.js';
import { sign } from '../lib/seats.js';
import { pirate } from './drawings.js';
import { readAction } from './notation.js';

/** @typedef {import('./notation.js').View} View */
/** @typedef {import('../faces.js').Info} Info */
/** @typedef {import('../lib/messages.js').Move} Move */
/** What a player did in a game. @typedef {{ turns: number, played: number, drawn: number }} Deeds */

/** @param {Move[]} moves @param {number} seat @returns {Deeds} */
export function deedsOf(moves, seat) {
  const own = moves.filter((move) => move.seat === seat), actions = own.map(({ action }) => readAction(action));
  return {
    turns: new Set(own.map(({ turn }) => turn)).size,
    played: actions.filter(({ card }) => card).length,
    drawn: actions.reduce((sum, { drawn }) => sum + drawn.length, 0),
  };
}

/** The last sheet's body. @param {View} view @param {Info['seats']} seats @param {Move[]} moves */
export function ending(view, seats, moves) {
  const crews = view.pirates.map((places, n) => ({
    ...seats[n],
    aboard: places.filter((place) => place === view.boat).length,
    far: places.reduce((sum, place) => sum + place, 0),
    won: places.every((place) => place === view.boat),
    deeds: deedsOf(moves, n + 1),
  }));
  const sorted = crews.toSorted((a, b) => b.aboard - a.aboard || b.far - a.far), winner = crews.find(({ won }) => won);
  return markup`${voyage(winner ? Array.from({ length: winner.aboard }, () => winner.colour) : [])}
    <ol class="ranking">${sorted.map(row)}</ol>`;
}

/** @param {Info['seats'][number] & { aboard: number, won: boolean, deeds: Deeds }} crew */
const row = ({ name, colour, bot, aboard, won, deeds }) =>
  markup`<li class="${won ? 'won' : ''}">${sign(colour)}<span class="who">${bot && portrait(bot)}<span><b>${name}</b>
    <small>${t('cartagena.end.turns', { n: deeds.turns })} · ${t('cartagena.end.played', { n: deeds.played })} · ${
    t('cartagena.end.drawn', { n: deeds.drawn })
  }</small></span></span>
  <span class="points">${t('finish.score.cartagena', { n: aboard })}</span></li>`;

const SEA = markup`<svg class="sea" viewBox="0 0 640 200" preserveAspectRatio="xMidYMax slice"><defs>
  <linearGradient id="dawn" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#27405c"/>
    <stop offset=".62" stop-color="#d98a55"/><stop offset=".7" stop-color="#f2c47a"/></linearGradient>
  <linearGradient id="deep" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#2f8095"/>
    <stop offset="1" stop-color="#0f3d58"/></linearGradient></defs>
  <path d="M0 0h640v200H0z" fill="url(#dawn)"/><circle cx="474" cy="120" r="30" fill="#ffe7ae"/>
  <path d="M0 200V66h12V54h14v12h12V54h14v12h12v26l30 16 44 14v18z" fill="#241d1c"/>
  <path d="M0 126h640v74H0z" fill="url(#deep)"/>
  <path d="M444 134h60M430 144h88M452 154h44M438 166h70M462 180h28" stroke="#ffe0a0" stroke-width="3" opacity=".55"/>
  </svg>`;
const SAILS = markup`<svg class="rig" viewBox="-130 -200 260 260">
  <path d="M0 0V-186" stroke="#4f2d15" stroke-width="7" stroke-linecap="round"/>
  <path d="M6-182c72 18 98 62 86 118-26-12-58-18-86-16z" fill="#f3e6c8" stroke="#8a744c" stroke-width="2.5"/>
  <path d="M-6-176c-44 26-64 66-66 108 22-8 44-14 66-14z" fill="#e7d5ae" stroke="#8a744c" stroke-width="2.5"/>
  <path d="M0-188l-34 9 34 10z" fill="#b5302a"/></svg>`;
const HULL = markup`<svg class="hull" viewBox="-130 -200 260 260">
  <path d="M-124-14c70 16 176 16 246-4-8 44-36 62-66 64H-62c-32-4-52-24-62-60z" fill="#7a4a26" stroke="#33190a"
    stroke-width="4"/><path d="M-116 4c66 14 160 14 228-3" fill="none" stroke="#4f2d15" stroke-width="3"/>
  <path d="M-128 50c20-10 34 8 54 0s34 8 54 0 34 8 54 0 34 8 54 0 30 6 40 2" fill="none" stroke="#bfe3e6"
    stroke-width="5" stroke-linecap="round" opacity=".7"/></svg>`;

/** The boat with its crew; without one it stays where it is. @param {number[]} crew their colours */
const voyage = (crew) =>
  markup`<div class="voyage ${crew.length > 0 && 'away'}" aria-hidden="true">${SEA}<div class="ship">
    <div class="hold">${SAILS}<div class="hands">${
    crew.map((colour) => pirate(colour))
  }</div>${HULL}</div></div></div>`;
