// @ts-check
/** What the notations of all games have in common. */

/** An edition and its house rules, as in `tortuga+pirates=4`. @param {string} text */
export function readEdition(text) {
  const [edition, ...changes] = text.split('+');
  return { edition, rules: Object.fromEntries(changes.map((change) => change.split('='))) };
}

/** Who is to act in a position, and in which turn: its last field begins with the seat and ends with the turn.
 * Both are 0 for games that write positions differently. @param {string} view */
export function clockOf(view) {
  const numbers = view.slice(view.lastIndexOf(' ') + 1).split(':').map(Number);
  const [seat, turn] = [numbers[0], numbers[numbers.length - 1]];
  return Number.isInteger(seat) && Number.isInteger(turn) ? { seat, turn } : { seat: 0, turn: 0 };
}
