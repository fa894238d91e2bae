// @ts-check
/** The symbols (C3), each with a shape and a colour of its own, on a field of 64 × 64; and the pirates. */
import { raw } from '../lib/dom.js';
import { SEATS } from '../lib/seats.js';

/** @typedef {{ mid: string, dark: string, light: string }} Tones */

/** @type {Record<string, Tones>} */
const TONES = {
  amber: { mid: '#b9542a', dark: '#6f3018', light: '#f0c9b4' },
  steel: { mid: '#2f6f96', dark: '#1b4560', light: '#b9d3e2' },
  crimson: { mid: '#9a2a38', dark: '#5e1822', light: '#e3b3b9' },
  brass: { mid: '#a37a10', dark: '#654b08', light: '#efdca6' },
  plum: { mid: '#5d4687', dark: '#392a55', light: '#cabfdb' },
  leaf: { mid: '#2f8f47', dark: '#1b582a', light: '#b5dcbe' },
  bone: { mid: '#f8f1de', dark: '#38393d', light: '#d5cab0' },
};

/** @param {string} d @param {string} colour */
const shape = (d, colour) => `<path d="${d}" fill="${colour}"/>`;
/** @param {string} d @param {string} colour @param {number} width */
const line = (d, colour, width) =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round"
    stroke-linejoin="round"/>`;
/** @param {number} x @param {number} y @param {number} r @param {string} colour */
const dot = (x, y, r, colour) => `<circle cx="${x}" cy="${y}" r="${r}" fill="${colour}"/>`;

/** @type {Record<string, (tones: Tones) => string>} */
const DRAWINGS = {
  bottle: ({ mid, dark, light }) =>
    shape('M26 8h12v5l-2 2v9c0 5 11 7 11 17v16c0 4-2 6-6 6H23c-4 0-6-2-6-6V41c0-10 11-12 11-17v-9l-2-2z', mid) +
    shape('M27.5 1h9v8h-9z', dark) + shape('M17 40h30v15H17z', light) + line('M27 43.5l10 8m0-8l-10 8', dark, 3.4) +
    line('M31 16v8', light, 2.6),
  jug: ({ mid, dark, light }) =>
    line('M43 17c13-3 16 16 4 22', mid, 5) +
    shape('M21 7h21l-3 9c9 5 13 12 13 21 0 13-9 21-20 21S12 50 12 37c0-9 4-16 12-21z', mid) +
    shape('M21 7h21l-1.4 5H22.4z', dark) + shape('M13 33c10 5 28 5 38 0l1 6c-11 5-29 5-40 0z', light) +
    line('M20 43c1 3 2 5 4 8', light, 3),
  dagger: ({ mid, dark, light }) =>
    `<g transform="rotate(38 32 32)">${shape('M32-4l7 11v31H25V7z', mid)}${shape('M32-4l7 11v31h-7z', light)}` +
    `${line('M32 4v30', dark, 1.6)}` +
    `${shape('M14 37c4 3 32 3 36 0v7c-4 2-32 2-36 0z', dark)}${shape('M27.5 44h9v15h-9z', mid)}
    ${line('M27.5 49h9m-9 5h9', light, 2)}
    ` +
    `${dot(32, 63, 5.5, dark)}</g>`,
  hook: ({ mid, dark, light }) =>
    shape('M19 47h26l3 13H16z', dark) + shape('M21 40h22v8H21z', mid) +
    line('M32 41v-9c0-6 12-7 12-17C44 7 37 4 31 5c-7 1-11 7-9 14', mid, 6.8) +
    shape('M18.4 20l7.4-2.8-.4 9.6z', mid) + dot(32, 54, 2.6, light),
  tricorne: ({ mid, dark, light }) =>
    shape('M2 45c9 14 51 14 60 0-10-5-50-5-60 0z', dark) +
    shape('M2 45C4 25 16 29 21 18 24 10 27 6 32 6s8 4 11 12c5 11 17 7 19 27-13-9-47-9-60 0z', mid) +
    line('M3 45c13-9 45-9 58 0', '#e8b64c', 4) +
    dot(32, 23, 6.6, light) + shape('M28.6 27h6.8v6h-6.8z', light) + dot(29.6, 23, 1.7, dark) +
    dot(34.4, 23, 1.7, dark),
  hat: ({ mid, dark, light }) =>
    shape('M43 26C44 12 52 4 62 3c0 10-6 19-16 27z', light) + line('M45 29C48 18 54 10 61 4', dark, 1.8) +
    shape('M1 44c8-9 54-9 62 0 0 9-14 15-31 15S1 53 1 44z', dark) +
    shape('M14 44c0-18 4-30 18-30s18 12 18 30c-9 6-27 6-36 0z', mid) +
    shape('M14.3 37c9 6 26 6 35.4 0l.3 7c-9 6-27 6-36 0z', '#e8b64c') + line('M21 22c2-3 5-4 8-4', light, 2.6),
  key: ({ mid, dark, light }) =>
    `<g transform="rotate(35 32 32)"><circle cx="32" cy="11" r="10.5" fill="none" stroke="${mid}" stroke-width="7"/>` +
    `${shape('M28 20h8v44h-8z', mid)}` +
    `${shape('M35 44h13v7h-6v4h6v8H35z', dark)}${shape('M26 22h12v5H26z', dark)}${line('M30.3 29v30', light, 1.8)}</g>`,
  keys: ({ mid, dark, light }) =>
    `<circle cx="32" cy="15" r="10.5" fill="none" stroke="${mid}" stroke-width="5"/>` +
    `<g transform="rotate(24 32 22)">${shape('M29.2 24h5.6v37h-5.6z', mid)}
    ${shape('M34 45h9v5.4h-4v3h4v5.6h-9z', mid)}
    ${dot(32, 24, 5.4, mid)}</g>` +
    `<g transform="rotate(-24 32 22)">${shape('M29.2 24h5.6v35h-5.6z', dark)}
    ${shape('M21 43h9v14h-9v-5.4h4v-3h-4z', dark)}
    ` +
    `${dot(32, 24, 5.4, dark)}</g>${dot(32, 24, 2, light)}`,
  pistol: ({ mid, dark, light }) =>
    shape('M44 25c11 2 12 13 17 27 1 4-8 7-11 3-4-6-6-14-14-17z', dark) +
    shape('M3 18h37l3-6 6 1-1 6c4 1 6 4 5 9-1 5-7 7-14 6l-9-5H3z', mid) + line('M31 31c0 7 8 9 11 4', mid, 3.2) +
    shape('M3 18h26v3.8H3z', light) +
    dot(41, 24, 2.8, light) + shape('M6 29h20v4H6z', dark),
  skull: ({ mid, dark, light }) =>
    `<path d="M32 3C15 3 6 14 6 28c0 8 3 13 8 16v9c0 4 2 6 6 6h24c4 0 6-2 6-6v-9c5-3 8-8 8-16C58 14 49 3 32 3z"` +
    ` fill="${mid}" stroke="${dark}" stroke-width="3.6"/>` +
    shape('M14 45c10 5 26 5 36 0v3c-10 5-26 5-36 0z', light) + dot(21, 29, 7.4, dark) + dot(43, 29, 7.4, dark) +
    shape('M32 35l5 9H27z', dark) +
    line('M25 50v7m7-6v6m7-7v7', dark, 2.8),
  parrot: ({ mid, dark, light }) =>
    shape('M26 44l-9 18 9-4 2 6 9-18z', dark) +
    shape('M31 3c10 0 17 7 17 17 0 16-9 23-18 29-8-5-13-13-12-25C18 12 22 3 31 3z', mid) +
    shape('M40 8c12-2 18 8 11 20-2-6-6-8-11-8z', '#e8b64c') + shape('M22 22c13 0 17 11 9 25-10-5-13-14-9-25z', dark) +
    line('M26 29c3 3 4 7 3 12', light, 2.2) +
    dot(35, 14, 5, '#fff8e6') + dot(36, 14, 2.6, '#221a12'),
  disc: ({ mid, dark }) => dot(32, 32, 26, dark) + dot(32, 32, 20, mid),
};

/** Drawing and colour of each symbol, by the server's name for it. @type {Record<string, [string, string]>} */
const SYMBOLS = {
  bottle: ['bottle', 'amber'],
  jug: ['jug', 'amber'],
  dagger: ['dagger', 'steel'],
  hook: ['hook', 'steel'],
  'three-cornered hat': ['tricorne', 'crimson'],
  tricorne: ['tricorne', 'crimson'],
  hat: ['hat', 'crimson'],
  key: ['key', 'brass'],
  keys: ['keys', 'brass'],
  'bunch of keys': ['keys', 'brass'],
  pistol: ['pistol', 'plum'],
  skull: ['skull', 'bone'],
  parrot: ['parrot', 'leaf'],
};

/** A picture of a symbol; a plain disc if there is no drawing for it. @param {string} symbol */
export function icon(symbol) {
  const [drawing, tones] = SYMBOLS[symbol] ?? ['disc', 'brass'];
  return raw(`<svg class="thing-icon" viewBox="0 0 64 64" aria-hidden="true">${DRAWINGS[drawing](TONES[tones])}</svg>`);
}

const BODY = 'M-15 19c0-16 6-24 15-24s15 8 15 24c-8 4-22 4-30 0z';
const HAT = 'M-17.5-12c2-7 6-6 9-11 4-6 13-6 17 0 3 5 7 4 9 11-10-4.6-25-4.6-35 0z';

/** One pirate, its feet at the lower edge; the halo shows when it can be chosen. @param {number} colour */
export function pirate(colour) {
  const { fill, dark, ink, mark } = SEATS[colour], round = 'stroke-linecap="round" stroke-linejoin="round"';
  return raw(`<svg viewBox="-21 -29 42 56" aria-hidden="true">
    <path class="halo" opacity="0" d="${BODY}${HAT}" fill="none" stroke="#ffe08f" stroke-width="9" ${round}/>
    <ellipse cy="20" rx="16" ry="5" fill="#1a0f06" opacity=".45"/>
    <path d="${BODY}" fill="${fill}" stroke="${dark}" stroke-width="2.4"/>
    <path d="${mark}" transform="translate(0 10) scale(.86)" fill="none" stroke="${ink}" stroke-width="3.3" ${round}/>
    <circle cy="-10" r="8.6" fill="#f0c9a0" stroke="#5b3a20" stroke-width="1.6"/>
    <path d="M-8.4-9a8.4 8.4 0 0 0 16.8 0c-5 2.4-12 2.4-16.8 0z" fill="#4a2f1b" opacity=".65"/>
    <path d="${HAT}" fill="${dark}" stroke="${fill}" stroke-width="2.2" ${round}/></svg>`);
}

/** @param {string} path */
const outline = (path) => raw(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`);
export const retreatSign = outline('M9 5l-5 5 5 5M4 10h11a5 5 0 0 1 0 9h-3');
export const drawSign = outline('M6 4h9v13H6zM15 7l4 1-3 12-8-2M10.5 8v5M8 10.5h5');
