// @ts-check
/** How the chances went: a line for each player, and the turn in which the game turned. */
import { markup } from '../lib/dom.js';
import { percent, t } from '../lib/lang.js';
import { SEATS, sign } from '../lib/seats.js';

/** Everyone's winning chances after a turn. @typedef {{ turn: number, seat: number, chances: number[] }} After */

const WIDTH = 600, HEIGHT = 150;

/** The chances after each turn, if the server tells them with a state or a replay.
 * @param {object | null | undefined} told @returns {After[]} */
export const chancesOf = (told) => /** @type {{ chances?: After[] }} */ (told ?? {}).chances ?? [];

/** The turn that changed the chances most, and who gained by it; undefined if there was none.
 * @param {After[]} turns @returns {{ turn: number, gainer: number, gain: number } | undefined} */
export function turningPoint(turns) {
  const changes = turns.slice(1).map(({ turn, chances }, n) => {
    const gains = chances.map((chance, seat) => chance - turns[n].chances[seat]), gain = Math.max(...gains);
    return { turn, gainer: gains.indexOf(gain), gain };
  });
  return changes.toSorted((a, b) => b.gain - a.gain)[0];
}

/** @param {After[]} turns @param {{ name: string, colour: number }[]} seats */
export function chart(turns, seats) {
  const most = turningPoint(turns);
  if (!most) return markup``;
  const x = (/** @type {number} */ n) => (n / (turns.length - 1)) * WIDTH;
  const lines = seats.map(({ colour }, seat) => {
    const points = turns.map(({ chances }, n) => `${x(n).toFixed(1)},${(HEIGHT * (1 - chances[seat])).toFixed(1)}`);
    return markup`<polyline points="${points.join(' ')}" stroke="${SEATS[colour].fill}"/>`;
  });
  const at = x(turns.findIndex(({ turn }) => turn === most.turn)).toFixed(1);
  const words = t('finish.turned', { n: most.turn, name: seats[most.gainer].name, gain: percent(most.gain) });
  return markup`<figure class="chances"><svg viewBox="-4 -4 ${WIDTH + 8} ${HEIGHT + 8}" role="img"
      aria-label="${t('finish.chances')}"><path d="M0 ${HEIGHT / 2}H${WIDTH}M0 0V${HEIGHT}H${WIDTH}"/>
      <path class="turned" d="M${at} 0V${HEIGHT}"/>${lines}</svg>
    <figcaption><span>${seats.map(({ name, colour }) => markup`${sign(colour)} ${name} `)}</span>${words}</figcaption>
    </figure>`;
}
