// @ts-check
/** The score: every bet against the boats. */
import { markup } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { chip } from './drawings.js';
import { PAWNS } from './notation.js';
import { sign } from '../lib/seats.js';
import { boatsOf } from './bet.js';

/** @typedef {import('./notation.js').View} View */

/** How many got away. @param {View} view */
const away = (view) => view.boats.join('').length;

/** Whether the game has come to its end in the boats; one that is drawn has no points (G14). @param {View} view */
export const isScored = (view) => away(view) === PAWNS.length;

/** Points of a seat (G11), or null while its bet is not known. @param {View} view @param {number} seat */
export function pointsOf(view, seat) {
  const bet = view.bets[seat - 1];
  if (bet === '-' || bet === '?') return null;
  return boatsOf(bet).reduce(
    (sum, pawns, i) => sum + (i + 1) * [...pawns].filter((pawn) => view.boats[i].includes(pawn)).length,
    0,
  );
}

/** Why there is a score or none. @param {View} view */
function ended(view) {
  if (isScored(view)) return `${t('evades.score.away')} ${t('evades.score.how')}`;
  const why = view.turn > view.limit ? 'limit' : 'still';
  return `${t(`evades.score.${why}`, { n: away(view) })} ${t('evades.score.none')}`;
}

/** The score sheet; of a drawn game the bets alone.
 * @param {View} view @param {{ name: string, colour: number }[]} seats */
export function scores(view, seats) {
  const scored = isScored(view);
  const rows = seats.map((seat, i) => ({
    ...seat,
    bet: boatsOf(view.bets[i]),
    points: (scored && pointsOf(view, i + 1)) || 0,
  })).sort((a, b) => b.points - a.points);
  /** @param {number} i @returns {(pawn: string) => string | null} */
  const scoreIn = (i) => (pawn) => !scored ? '' : view.boats[i].includes(pawn) ? `+${i + 1}` : null;
  return markup`<p>${ended(view)}</p>
      <table><thead><tr><th scope="col"><span class="who">${t('evades.score.boats')}</span></th>
        ${
    view.boats.map((pawns, i) =>
      markup`<th scope="col"><span class="cap">${t('evades.boat', { boat: i + 1 })}</span>${cell(pawns, () => '')}</th>`
    )
  }
        ${scored && markup`<th scope="col" class="total">${t('evades.score.points')}</th>`}</tr></thead>
      <tbody>${
    rows.map(({ name, colour, bet, points }) =>
      markup`<tr class="${scored && points === rows[0].points ? 'best' : ''}">
        <th scope="row"><span class="who">${sign(colour)}<span>${name}</span></span></th>
        ${bet.map((pawns, i) => markup`<td>${cell(pawns, scoreIn(i))}</td>`)}
        ${scored && markup`<td class="total"><b>${points}</b></td>`}</tr>`
    )
  }</tbody></table>`;
}

/** Pawns of a boat, each with what it scored; null is a miss.
 * @param {string} pawns @param {(pawn: string) => string | null} score */
const cell = (pawns, score) =>
  markup`<span class="pair">${
    [...pawns].map((pawn) => {
      const won = score(pawn), name = t(`pawn.${pawn}.name`);
      return markup`<span class="${won === null ? 'miss' : won ? 'hit' : ''}">${chip(pawn)}<span
          class="off">${name} </span>${won ? markup`<i>${won}</i>` : ''}</span>`;
    })
  }</span>`;

/** Let hits and totals pop up one after another. @param {HTMLElement} sheet */
export function playScores(sheet) {
  sheet.querySelectorAll('tbody tr').forEach((row, i) => {
    const pop = [{ transform: 'scale(0)' }, { transform: 'scale(1.25)', offset: 0.7 }, { transform: 'none' }];
    row.querySelectorAll('.hit').forEach((hit, j) =>
      hit.animate(pop, { duration: 420, delay: 250 + i * 260 + j * 110, fill: 'backwards' })
    );
    row.querySelector('.total b')?.animate(pop, { duration: 300, delay: 700 + i * 330, fill: 'backwards' });
  });
}
