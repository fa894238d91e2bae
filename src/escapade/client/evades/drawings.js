// @ts-check
/** Drawings of the seven convicts, the boats and the wax that seals a bet. */
import { raw } from '../lib/dom.js';

/** A colour for each, and a mark for people who cannot tell the colours apart. Marks are drawn from -10 to 10.
 * @type {Record<string, { fill: string, dark: string, ink: string, mark: string }>} */
const CONVICTS = {
  b: { fill: '#3f86d8', dark: '#1a437c', ink: '#143663', mark: 'M3.2-8.6A9 9 0 1 0 8.4 4.6 7.4 7.4 0 0 1 3.2-8.6z' },
  r: {
    fill: '#d8423a',
    dark: '#7c1a18',
    ink: '#8e1b18',
    mark:
      'M0 8.8C-5.5 4.6-9.4 1-9.4-3.2-9.4-6.4-7-8.4-4.6-8.4-2.6-8.4-.9-7.2 0-5.2.9-7.2 2.6-8.4 4.6-8.4 7-8.4 9.4-6.4' +
      ' 9.4-3.2 9.4 1 5.5 4.6 0 8.8z',
  },
  y: {
    fill: '#f3cd3d',
    dark: '#8a6a0c',
    ink: '#5f4700',
    mark: 'M0-9.8L2.7-3.3 9.6-2.9 4.3 1.5 6 8.3 0 4.6-6 8.3-4.3 1.5-9.6-2.9-2.7-3.3z',
  },
  l: { fill: '#9cd65c', dark: '#4b7a1c', ink: '#2f5509', mark: 'M0-8.6L9.4 7.4H-9.4z' },
  d: {
    fill: '#2c8357',
    dark: '#0d432a',
    ink: '#0c4329',
    mark: 'M-1.3 3.6A4.6 4.6 0 1 1-4.6-2.6 4.6 4.6 0 1 1 4.6-2.6 4.6 4.6 0 1 1 1.3 3.6L2.8 9H-2.8z',
  },
  o: { fill: '#f08a2c', dark: '#8f440a', ink: '#7a3600', mark: 'M0-9.8L7 0 0 9.8-7 0z' },
  n: {
    fill: '#96684a',
    dark: '#482a18',
    ink: '#43230f',
    mark: 'M-8.4 8.6V-1A8.4 8 0 0 1 8.4-1V8.6H3.6V-1A3.6 3.6 0 0 0-3.6-1V8.6z',
  },
};

/** Height over width of circles that lie flat on the island. */
export const FLAT = 0.58;
/** Height of a disc, in the units of the board. */
export const THICK = 21;

/** A disc seen at an angle: the mark on top shows who is free, the one on the edge who is below.
 * @param {string} pawn */
export function disc(pawn) {
  const { fill, dark, ink, mark } = CONVICTS[pawn];
  const side = `M-31 ${-THICK}V0A31 18 0 0 0 31 0V${-THICK}z`;
  return raw(`<svg viewBox="-36 -44 72 66" aria-hidden="true">
    <path d="${side}" fill="${dark}"/><path d="${side}" fill="${fill}" opacity=".62"/>
    <path d="M31 ${-THICK}V0A31 18 0 0 1 13 16.4V-4z" opacity=".22"/>
    <path d="M-31 0A31 18 0 0 0 31 0" fill="none" stroke="#0b0a12" stroke-width="2.4" opacity=".85"/>
    <rect x="-12" y="-3.5" width="24" height="19" rx="6" fill="#fdf3da"/>
    <path transform="translate(0 6) scale(.82)" d="${mark}" fill="${ink}"/>
    <g class="lock"><path d="M19.4-1v-3.4a3.3 3.3 0 0 1 6.6 0V-1" fill="none" stroke="#fdf3da" stroke-width="2"/>
      <rect x="17.6" y="-1.4" width="10.2" height="8.2" rx="1.6" fill="#fdf3da"/></g>
    <ellipse cy="${-THICK}" rx="31" ry="18" fill="${fill}" stroke="#0b0a12" stroke-opacity=".75" stroke-width="2"/>
    <ellipse cy="${-THICK - 1}" rx="28" ry="15.6" fill="none" stroke="#fff" stroke-opacity=".45" stroke-width="1.6"/>
    <ellipse cy="${-THICK}" rx="20" ry="13.2" fill="#fdf3da" stroke="${dark}" stroke-width="1.6"/>
    <path transform="translate(0 ${-THICK}) scale(1.1 .98)" d="${mark}" fill="${ink}"/></svg>`);
}

/** A disc seen flat, for sheets, dice and sentences. @param {string} pawn */
export function chip(pawn) {
  const { fill, dark, ink, mark } = CONVICTS[pawn];
  return raw(
    '<svg class="chip" viewBox="-20 -20 40 40" aria-hidden="true">' +
      `<circle r="18.5" fill="${fill}" stroke="#0b0a12" stroke-opacity=".8" stroke-width="2"/>` +
      `<circle r="16" fill="none" stroke="#fff" stroke-opacity=".4" stroke-width="1.4"/>
      <circle r="12.6" fill="#fdf3da" stroke="${dark}" stroke-width="1.2"/>` +
      `<path d="${mark}" fill="${ink}" transform="scale(.94)"/></svg>`,
  );
}

/** The white die's sign: back. */
export const backSign = raw(
  '<svg class="chip" viewBox="-20 -20 40 40" aria-hidden="true"><circle r="18.5" fill="#fff" stroke="#23304a"' +
    ' stroke-width="2"/>' +
    '<path d="M7-9L-6 0 7 9" fill="none" stroke="#23304a" stroke-width="5" stroke-linecap="round"' +
    ' stroke-linejoin="round"/></svg>',
);

/** A sealed bet. */
export const wax = raw(`<svg class="wax" viewBox="-12 -12 24 24" aria-hidden="true">
  <path d="M0-11l3 2 4-1 1 4 3 2-1 4 1 4-4 1-2 4-4-1-4 2-2-4-4-1 1-4-1-4 3-2 1-4 4 1z" fill="#b3261e" stroke="#5f0f0b"/>
  <circle r="5.4" fill="none" stroke="#ffb7a3" stroke-width="1.6"/>
  <path d="M-1.6-2.6V2.4H2.4" fill="none" stroke="#ffb7a3" stroke-width="1.5"/></svg>`);

/** A bet that is being written. */
export const quill = raw(`<svg class="quill" viewBox="0 0 24 24" aria-hidden="true">
  <path d="M5 19C8 10 13 5 20 4 19 11 15 15 8 16M5 19l-1 2M8 16c2-4 5-7 8-8.6"
    fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"/></svg>`);

/** A boat, small, beside its number. */
export const boatSign = raw(`<svg class="boatsign" viewBox="0 0 20 16" aria-hidden="true">
  <path d="M1 9h18c-1 4-3 6-5 6H6C4 15 2 13 1 9zM9 8V1l6 5z" fill="currentColor"/></svg>`);

/** A lock, where there is no room for the word. */
export const lockSign = raw(`<svg class="locksign" viewBox="0 0 12 14" aria-hidden="true">
  <path d="M3 6V4a3 3 0 0 1 6 0v2" fill="none" stroke="currentColor" stroke-width="2"/>
  <rect x="1" y="6" width="10" height="8" rx="1.6" fill="currentColor"/></svg>`);

const HULLS = ['#8a5731', '#7a4a3a', '#5d5a49', '#a3352c'];

/** Places in a boat, from its middle. @param {number} boat 1 to 4 */
export const places = (boat) => (boat === 4 ? [[18, -2]] : [[-12, -2], [46, -2]]);

/** A boat in two layers; pawns are drawn between them. @param {number} boat 1 to 4 */
export function boatLayers(boat) {
  const small = boat === 4, left = small ? -64 : -90, right = small ? 74 : 92, mast = left + 22, flag = small ? 34 : 22;
  const seats = places(boat).map(([x, y]) => `<ellipse cx="${x}" cy="${y + 2}" rx="27" ry="13"/>`).join('');
  const rim = `M${left}-7C${left + 32} 14 ${right - 32} 14 ${right}-9`;
  return {
    back: raw(
      `<svg viewBox="-110 -96 220 150" aria-hidden="true"><ellipse cx="2" cy="36" rx="${(right - left) / 2 + 8}" ry="9"
        fill="#02101c" opacity=".45"/>
      <path d="M${left}-6C${left + 30}-22 ${right - 30}-22 ${right}-8C${right - 30} 14 ${left + 30} 14 ${left}-6z"
        fill="#2c1a10" stroke="#1b0f08" stroke-width="3"/>
      <g fill="#0008" stroke="#ffe9b8" stroke-opacity=".65" stroke-width="2" stroke-dasharray="5 5">${seats}</g>
      <path d="M${mast} 6V-90" stroke="#4a2c16" stroke-width="5" stroke-linecap="round"/>
      <path d="M${mast}-91l${flag} 7-${flag} 7z" fill="${small ? '#ffd36b' : '#c9503f'}"/></svg>`,
    ),
    front: raw(`<svg viewBox="-110 -96 220 150" aria-hidden="true">
      <path d="${rim}C${right - 4} 22 ${right - 26} 38 ${right - 44} 40H${left + 34}
        C${left + 14} 38 ${left + 2} 18 ${left}-7z" fill="${HULLS[boat - 1]}" stroke="#1f1108" stroke-width="3"/>
      <path d="M${left + 6} 10C${left + 36} 25 ${right - 34} 25 ${right - 6} 8
        M${left + 16} 25C${left + 44} 33 ${right - 44} 33 ${
      right - 18
    } 23" fill="none" stroke="#000" stroke-opacity=".35" stroke-width="2.4"/>
      <path d="${rim}" fill="none" stroke="#ffe2ad" stroke-opacity=".6" stroke-width="3"/>
      <path d="M${mast - 20}-76q20-6 40 0q5 24 0 50q-20-6-40 0q5-26 0-50z" fill="#f7ebd0" stroke="#6f5a34"
        stroke-width="2"/>
      <text x="${mast}" y="-37" text-anchor="middle" font-size="38" font-weight="700" fill="#2b1a0e">${boat}</text>
      </svg>`),
  };
}
