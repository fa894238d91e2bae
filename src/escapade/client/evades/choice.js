// @ts-check
/** What the player can choose, read from `legal` and the view. Knows no rules. */
import { PAWNS, readAction, readView } from './notation.js';

/** @typedef {import('./notation.js').View} View */
/** A legal move; `number` is that of its die.
 * @typedef {{ action: string, kind: 'forward' | 'back', pawn: string, to: number, boat: boolean, number: number }}
 *   Choice */
/** Where a pawn is: `boat` is 0 outside boats, `space` is 0 at the windows, `above` are the pawns on top of it.
 * @typedef {{ space: number, boat: number, level: number, above: string }} Place */

/** Dice in listing order, the white one last. */
export const DICE = `${PAWNS}w`;

/** @param {View} view @param {string} pawn @returns {Place} */
export function placeOf(view, pawn) {
  const boat = view.boats.findIndex((aboard) => aboard.includes(pawn)) + 1;
  if (boat) return { space: 0, boat, level: view.boats[boat - 1].indexOf(pawn), above: '' };
  const space = Number(Object.keys(view.stacks).find((at) => view.stacks[Number(at)].includes(pawn)) ?? 0);
  const stack = space ? view.stacks[space] : '', level = Math.max(0, stack.indexOf(pawn));
  return { space, boat: 0, level, above: stack.slice(level + 1) };
}

/** The sets of dice that may be thrown. @param {string[]} legal */
export const throwsOf = (legal) =>
  legal.filter((action) => action.startsWith('roll:')).map((action) => action.slice(5));

/** @param {string[]} sets @param {string} dice */
export const canThrow = (sets, dice) =>
  sets.some((set) => set.length === dice.length && [...dice].every((die) => set.includes(die)));

/** Whether a set on offer has all of these dice. @param {string[]} sets @param {string} dice */
export const fits = (sets, dice) => sets.some((set) => [...dice].every((die) => set.includes(die)));

/** The most and the fewest colours that may be thrown; the white die can replace one. @param {string[]} sets */
export function coloursOf(sets) {
  const counts = sets.map((set) => set.replace('w', '').length);
  return { most: Math.max(0, ...counts), fewest: Math.min(...counts, 7), white: sets.some((set) => set.includes('w')) };
}

/** @param {string} dice in any order */
export const listed = (dice) => [...DICE].filter((die) => dice.includes(die)).join('');

/** @param {string[]} legal @param {View} view @returns {Choice[]} */
export function movesOf(legal, view) {
  return legal.map((action) => ({ action, ...readAction(action) })).filter(({ kind }) =>
    kind === 'forward' || kind === 'back'
  )
    .map(({ action, kind, pawn, to, boat }) => {
      const way = /** @type {'forward' | 'back'} */ (kind);
      return { action, kind: way, pawn, to, boat, number: view.dice[way === 'back' ? 'w' : pawn] };
    });
}

/** What others did, for the board: the way of each pawn that a seat moved.
 * @param {import('../faces.js').Step[]} last @returns {import('./board.js').Past[]} */
export const recent = (last) =>
  last.flatMap(({ move: { seat, action }, before }) => {
    const { kind, pawn, to, boat } = readAction(action);
    if (kind !== 'forward' && kind !== 'back') return [];
    return [{ seat, to, boat, from: placeOf(readView(before), pawn).space }];
  });

/** Moves by target: those with the same target share a pin.
 * @param {Choice[]} moves @returns {Map<string, Choice[]>} by `21` or `#1` */
export function byTarget(moves) {
  const targets = new Map();
  for (const move of moves) {
    const target = `${move.boat ? '#' : ''}${move.to}`;
    targets.set(target, [...(targets.get(target) ?? []), move]);
  }
  return targets;
}
