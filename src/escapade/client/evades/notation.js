// @ts-check
/** Positions and actions of Les Évadés, read into plain objects. Knows no rules. */

/** `stacks` has the pawns on each space, the lowest first; `moved` has `+` or `-` for pawns that went forward or back;
 * `limit` is the last turn that the house allows.
 * @typedef {{ stacks: Record<number, string>,
 *   boats: string[], bets: string[], dice: Record<string, number>, moved: Record<string, string>,
 *   seat: number, turn: number, limit: number }} View */

/** The seven pawns by their letters. */
export const PAWNS = 'bryldon';

/** @param {string} text @returns {View} */
export function readView(text) {
  const [edition, places, bets, dice, moved, clock] = text.split(' ');
  const [seat, turn] = clock.split(':').map(Number);
  /** @type {Record<number, string>} */ const stacks = {};
  const boats = ['', '', '', ''];
  for (const place of places.split(',')) {
    const [where, pawns] = place.split(':');
    if (where.startsWith('#')) boats[Number(where.slice(1)) - 1] = pawns;
    else stacks[Number(where)] = pawns;
  }
  return {
    stacks,
    boats,
    bets: bets.split('/'),
    dice: Object.fromEntries([...dice.matchAll(/([a-z])(\d)/g)].map(([, die, n]) => [die, Number(n)])),
    moved: Object.fromEntries([...moved.matchAll(/([a-z])([+-])/g)].map(([, pawn, way]) => [pawn, way])),
    seat,
    turn,
    limit: Number(/\+turn-limit=(\d+)/.exec(edition)?.[1] ?? Infinity),
  };
}

/** An action of Les Évadés: `to` is a space, or the boat's number where `boat` is true.
 * @typedef {{ kind: 'bet' | 'roll' | 'forward' | 'back' | 'end', pawn: string, to: number, boat: boolean, dice: string,
 *   numbers: number[], bet: string }} Action
 * @param {string} text @returns {Action} */
export function readAction(text) {
  const blank = { pawn: '', to: 0, boat: false, dice: '', numbers: /** @type {number[]} */ ([]), bet: '' };
  if (text === '.') return { ...blank, kind: 'end' };
  if (text.startsWith('bet')) return { ...blank, kind: 'bet', bet: text.slice(4) };
  if (text.startsWith('roll:')) {
    const [dice, numbers] = text.slice(5).split('=');
    return { ...blank, kind: 'roll', dice, numbers: [...(numbers ?? '')].map(Number) };
  }
  const to = text.slice(2);
  return {
    ...blank,
    kind: text[1] === '>' ? 'forward' : 'back',
    pawn: text[0],
    boat: to.startsWith('#'),
    to: Number(to.replace('#', '')),
  };
}
