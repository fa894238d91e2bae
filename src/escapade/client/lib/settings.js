// @ts-check
/** What this browser remembers: settings, the last setup, and its tables. */

/** @typedef {{ table: string, key: string | null, game: string, seats: number[], at: number }} Kept */
/** @typedef {{ language?: string, name?: string, speed: number, wait: boolean, sound: boolean, setup?: any,
 *   games: Kept[], learnt?: Record<string, string[]>, guided?: string, mended?: Record<string, number[]>,
 *   puzzles?: import('../learn/solving.js').Own }} Settings */

const STORE = 'escapade';
/** Multiples of the usual pace; 0 shows moves at once. */
export const SPEEDS = [0.5, 1, 2, 0];
/** `speed` multiplies the usual pace of moves; 0 shows them at once. `wait`: bots wait a moment with their answer, so
 * that a turn can be taken back. `learnt` has the tasks done by kind of game, `guided` the table of the first game,
 * `mended` the turns of each table in which a better one has been found.
 * @type {Settings} */
export const settings = { speed: 1, wait: true, sound: true, games: [], ...read() };

function read() {
  try {
    return JSON.parse(localStorage.getItem(STORE) ?? '{}');
  } catch {
    return {};
  } // storage may be blocked, or hold something else
}

/** @param {Partial<Settings>} change */
export function save(change) {
  Object.assign(settings, { games: read().games ?? settings.games }, change);
  try {
    localStorage.setItem(STORE, JSON.stringify(settings));
  } catch { /* then nothing is remembered */ }
}

/** Put a table on top of the list, with the key to the player's seats there.
 * @param {string} table @param {string | null} key @param {string} game @param {number[]} [seats] */
export function keep(table, key, game, seats = settings.games.find((one) => one.table === table)?.seats ?? []) {
  const rest = (read().games ?? settings.games).filter((/** @type {Kept} */ one) => one.table !== table);
  save({ games: [{ table, key, game, seats, at: Date.now() }, ...rest].slice(0, 50) });
}

/** The key to the player's seats at a table. @param {string} table */
export const keyTo = (table) => settings.games.find((one) => one.table === table)?.key ?? null;

/** A new key for a seat: 144 random bits. */
export const newKey = () =>
  btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(18)))).replaceAll('+', '-').replaceAll('/', '_');

/** Remove a table from the list. @param {string} table */
export const forget = (table) => save({ games: settings.games.filter((one) => one.table !== table) });
