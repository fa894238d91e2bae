// @ts-check
/** Which symbols a game is played with: the server names them by edition and printing. */
import { has, t } from '../lib/lang.js';
import { KINDS } from '../lib/offer.js';

/** The symbols by the letters that stand for them, in the order of the notation.
 * @typedef {Record<string, string>} SymbolSet */

/** @param {string} edition @param {string} printing where it is not offered, the first one counts @returns
 * {SymbolSet} */
export function symbolsOf(edition, printing) {
  const { symbols } = KINDS.cartagena.offers, own = symbols[edition] ?? Object.values(symbols)[0];
  return own[printing] ?? Object.values(own)[0];
}

/** A symbol in words: its `name`, a `short` one, `a` one of them, or `many`.
 * @param {SymbolSet} set @param {string} letter
 * @param {'name' | 'short' | 'a' | 'many'} form @param {number} [n] how many */
export function thing(set, letter, form, n) {
  const path = `thing.${set[letter]}.${form}`;
  return has(path) ? t(path, { n }) : [n, set[letter] ?? letter].filter((part) => part !== undefined).join(' ');
}
