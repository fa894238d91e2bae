// @ts-check
/** The steps of Cartagena's lesson, and their pictures. */
import { markup } from '../lib/dom.js';
import { sign } from '../lib/seats.js';
import { icon } from './drawings.js';

export const STEPS = ['goal', 'turn', 'advance', 'retreat', 'tip'];

const BLUE = 0, RED = 1, GREEN = 2;

/** A piece of tunnel: each space's symbol and the pirates on it. An arrow leads from one space to another, with what is
 * played or drawn.
 * @param {[string, ...number[]][]} spaces @param {number} from @param {number} to @param {unknown} note */
function tunnel(spaces, from, to, note) {
  const a = from * 100 + 50, b = to * 100 + 50;
  return markup`<div class="strip ${to < from && 'back'}" aria-hidden="true">
    <svg viewBox="0 0 700 84"><path d="M${a} 80C${a} 6 ${b} 6 ${b} 70M${b - 15} 54L${b} 74 ${b + 15} 54"/></svg>${note}
    <ol>${
    spaces.map(([symbol, ...pirates], i) =>
      markup`<li class="${i === to && 'goal'}">${icon(symbol)}<span>${pirates.map(sign)}</span></li>`
    )
  }</ol></div>`;
}

/** @type {Record<string, () => import('../lib/dom.js').Markup>} */
export const PICTURES = {
  advance: () =>
    tunnel(
      [['key'], ['bottle', BLUE], ['skull'], ['dagger', RED], ['pistol', GREEN], ['dagger'], ['three-cornered hat']],
      1,
      5,
      markup`<span class="card">${icon('dagger')}</span>`,
    ),
  retreat: () =>
    tunnel(
      [['three-cornered hat'], ['key', RED, GREEN], ['skull'], ['dagger', RED, RED, GREEN], ['pistol'], [
        'bottle',
        BLUE,
      ], ['dagger']],
      5,
      1,
      markup`<b>+2</b>`,
    ),
};
