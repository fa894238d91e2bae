// @ts-check
/** What is remembered of puzzles on this device, and which one comes next. */

/** @typedef {import('../lib/messages.js').PuzzleRow} Row */
/** A rating after Glicko-2; which puzzles were solved at the first try, and which not; the days in a row on which one
 * of that day was solved, the most so far and the last of them; and what is looked at.
 * @typedef {{ rating: number, deviation: number, volatility: number, tried: Record<string, boolean>, streak: number,
 *   best: number, last: string, kind: string, theme: string }} Own */

/** Somebody who has not tried any. @type {Own} */
export const NEW = {
  rating: 1500,
  deviation: 350,
  volatility: 0.06,
  tried: {},
  streak: 0,
  best: 0,
  last: '',
  kind: '',
  theme: '',
};

/** Puzzles nearest to one's rating among which luck chooses. */
const NEAR = 6;

/** The next puzzle: one that was not tried yet and is about as hard as one's rating; then one that was not solved.
 * @param {Row[]} rows @param {Pick<Own, 'rating' | 'tried'>} own @param {number} luck from 0 to 1
 * @returns {Row | undefined} */
export function pick(rows, { rating, tried }, luck) {
  const fresh = rows.filter(({ id }) => !(id in tried)), missed = rows.filter(({ id }) => !tried[id]);
  const from = fresh.length ? fresh : missed.length ? missed : rows;
  const near = [...from].sort((a, b) => Math.abs(a.rating - rating) - Math.abs(b.rating - rating)).slice(0, NEAR);
  return near[Math.floor(luck * near.length)];
}

/** What changes after the first try at a puzzle. A streak is of days on which a puzzle of the day was solved.
 * @param {Own} own @param {string} id @param {boolean} solved @param {string} day @param {string[]} today the ids of
 * the day's puzzles @returns {Partial<Own>} */
export function outcome(own, id, solved, day, today) {
  const tried = { ...own.tried, [id]: solved };
  if (!solved || !today.includes(id) || own.last === day) return { tried };
  const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  const streak = own.last === before ? own.streak + 1 : 1;
  return { tried, streak, best: Math.max(own.best, streak), last: day };
}
