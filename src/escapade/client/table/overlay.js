// @ts-check
/** What is drawn over the board: the lobby, the cover between players at one device, the way back to a seat, hints. */
import { canUndo, undoButton } from './dock.js';
import { markup } from '../lib/dom.js';
import { hintList, hintSoFar, hintSteps } from './hints.js';
import { t } from '../lib/lang.js';
import { acting, own } from './state.js';

/** @typedef {import('./dock.js').Moment} Moment */
/** @typedef {import('../faces.js').Face} Face */
/** @typedef {import('./state.js').Table} Table */
/** @typedef {{ kind: '' | 'full' | 'cover' | 'return' | 'hints', markup: import('../lib/dom.js').Markup }} Overlay */

/** `clues` is how many steps of the best hint have been asked for.
 * @param {Moment} moment
 * @param {{ lost: string, lobby: (table: Table) => import('../lib/dom.js').Markup, face: Face | null,
 *   suggested: string | null, clues: number }} page
 *   @returns {Overlay} */
export function overlay(moment, { lost, lobby, face, suggested, clues }) {
  const { known, playing, covered } = moment, { table, asking, advice } = known, state = table?.state;
  if (lost) {
    return {
      kind: 'full',
      markup: markup`<p class="lost">${t(`fault.${lost}`)}</p><a class="btn gold" href="/">${t('finish.home')}</a>`,
    };
  }
  if (!table) return { kind: '', markup: markup`` };
  if (!state) return { kind: 'full', markup: lobby(table) };
  if (covered && !playing) {
    return { kind: 'cover', markup: cover(table.seats[state.eyes - 1].name, canUndo(moment) && undoButton(moment)) };
  }
  const away = table.seats.findIndex(({ yours, bot }) => yours && bot);
  if (away >= 0 && state.seat) {
    return {
      kind: 'return',
      markup: markup`<button type="button" class="btn gold" data-do="return"
          data-seat="${away + 1}">${t('table.return', { name: table.seats[away].name })}</button>`,
    };
  }
  if (moment.guide) return { kind: 'hints', markup: moment.guide };
  if (asking) return { kind: 'hints', markup: markup`<p class="dim">${t('hints.asking')}</p>` };
  return advice && face
    ? { kind: 'hints', markup: hints(known, face, suggested, clues) }
    : { kind: '', markup: markup`` };
}

/** @param {string} name @param {unknown} undo for whoever has the device still */
const cover = (name, undo) =>
  markup`<div role="dialog" aria-modal="true" aria-labelledby="cover"><p id="cover">${t('table.pass', { name })}</p>
  <button type="button" class="btn gold" data-do="ready">${t('table.ready', { name })}</button>${undo}</div>`;

/** @param {Moment['known']} known @param {Face} face @param {string | null} suggested @param {number} clues */
function hints(known, face, suggested, clues) {
  const { table, advice } = known, seat = acting(known);
  if (!table?.state || !advice) return markup``;
  const { view, turn } = table.state, names = table.seats.map(({ name }) => name);
  const say = (/** @type {string} */ action) => face.say({ seat, turn, action }, view, view);
  const shared = own(known).length > 1;
  /** @type {import('./hints.js').Circle} */
  const circle = { names, seat, shared, say, reason: (values) => face.reason(values) };
  const [best] = advice, all = best && hintSteps(best, face, view).length;
  return best && clues < all ? hintSoFar(best, face, view, circle, clues) : hintList(advice, circle, suggested);
}
