// @ts-check
/** The turn box, the prompt, and the buttons under the board. */
import { chosenMark } from './chosen.js';
import { nextSteps, outcome } from './finish.js';
import { markup } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { ICONS } from '../lib/icons.js';
import { clockOf } from '../lib/notation.js';
import { settings } from '../lib/settings.js';
import { acting, own } from './state.js';

/** The table as it is shown right now. `view` is what the board shows, `legal` what may be done on it;
 * `asked` is the face's prompt, `said` the move being shown; `clock` and `grace` are the seconds left in the turn and
 * for undoing its end; `guide` is what the first game adds.
 * @typedef {{ known: import('./state.js').Known, playing: boolean, skippable: boolean, paused: boolean,
 *   covered: boolean, up: boolean, view: string, pips: { left: number, most: number } | undefined, legal: string[],
 *   asked: string, said: string, clock: number | null, grace: number | null,
 *   guide: import('../lib/dom.js').Markup | null }} Moment */

/** Seconds left when the clock starts to warn. */
export const WARN = 10;

/** Whose turn it is in the position on the board. @param {Moment} moment */
export function turnShown({ known, playing, view }) {
  const state = known.table?.state;
  if (!state) return 0;
  if (playing) return clockOf(view).seat;
  return state.turn === 0 && acting(known) ? acting(known) : state.seat;
}

/** Whose turn it is, in words. Before the first turn everybody bets.
 * @param {Moment['known']} known @param {number} seat */
export function turnText(known, seat) {
  const { table } = known, mine = own(known), bets = table?.state?.turn === 0;
  if (mine.length === 1 && mine[0] === seat) return t(bets ? 'table.yourBet' : 'table.yourTurn');
  return t(bets ? 'table.betOf' : 'table.turnOf', { name: table?.seats[seat - 1]?.name });
}

/** @param {Moment} moment */
export function turnBox(moment) {
  const { known, pips, clock } = moment, seat = turnShown(moment), watchers = known.table?.watchers ?? 0;
  return markup`<p>${seat ? turnText(known, seat) : outcome(known)}</p>
    ${seat > 0 && pips && pipRow(pips)}
    ${clock !== null && markup`<p class="clock ${clock < WARN ? 'short' : ''}" role="timer">${time(clock)}</p>`}
    ${known.table && chosenMark(known.table)}
    ${watchers > 0 && markup`<p class="watchers">${t('table.watchers', { n: watchers })}</p>`}`;
}

/** How many actions are left, as dots. @param {NonNullable<Moment['pips']>} pips */
const pipRow = ({ left, most }) =>
  markup`<p class="pips" role="img" aria-label="${t('table.actionsLeft', { n: left })}">
  ${Array.from({ length: most }, (_, n) => markup`<i class="${n < left ? 'on' : ''}"></i>`)}</p>`;

/** @param {Moment} moment */
export function dock(moment) {
  const { known, playing, skippable } = moment, over = known.table?.state?.seat === 0 && !playing;
  const skip = playing && skippable && button('skip', ICONS.skip, true, 'tide');
  return markup`${moment.guide}<p class="prompt">${prompt(moment)}</p><div class="buttons">${
    !over && isShow(known) && controls(moment)
  }${over ? nextSteps(known) : own(known).length > 0 ? deeds(moment, skip) : skip}</div>`;
}

/** Whether the reader looks at bots that play among themselves. @param {Moment['known']} known */
const isShow = ({ table }) => Boolean(table?.seats.every(({ bot, yours }) => bot && !yours));

/** How a game of bots is looked at. @param {Moment} moment */
const controls = ({ paused }) =>
  markup`${button('pause', paused ? ICONS.play : ICONS.pause, true, '', t(paused ? 'table.resume' : 'table.pause'))}${
    button('step', ICONS.step, true)
  }${
    button(
      'speed',
      ICONS.speed,
      true,
      '',
      t('table.speed', { speed: t(`menu.speeds.${String(settings.speed).replace('.', '-')}`) }),
    )
  }`;

/** @param {Moment} moment */
export function undoButton(moment) {
  const { grace } = moment, on = canUndo(moment);
  return button(
    'undo',
    ICONS.undo,
    on,
    '',
    on && grace !== null ? t('table.undoFor', { n: Math.ceil(grace) }) : t('table.undo'),
  );
}

/** @param {Moment} moment @param {unknown} skip in the place of the hint, while moves are shown */
function deeds(moment, skip) {
  const { known, legal } = moment;
  return markup`${undoButton(moment)}${skip || known.table?.hints && button('hint', ICONS.hint, canHint(moment))}${
    button('end', ICONS.end, legal.includes('.'), 'gold')
  }`;
}

/** A button that can be pressed even while it is off, to find out why.
 * @param {string} what @param {import('../lib/dom.js').Markup} mark @param {boolean} on @param {string} [looks] @param
 * {string} [text] */
const button = (what, mark, on, looks = '', text = t(`table.${what}`)) =>
  markup`<button type="button" class="btn ${looks}" data-key="${what}" data-do="${what}"
      aria-disabled="${String(!on)}">${mark}<span>${text}</span></button>`;

/** @param {Moment} moment */
export const canUndo = ({ known, up, grace }) =>
  Boolean(up && known.table?.state?.undo && !known.pending && grace !== 0);

/** @param {Moment} moment */
export const canHint = ({ known, up, legal }) => Boolean(up && known.table?.hints && legal.length);

/** @param {Moment} moment */
function prompt({ known, playing, covered, up, legal, asked, said }) {
  const { table, pending } = known, state = table?.state, name = table?.seats[(state?.seat ?? 0) - 1]?.name;
  if (playing) return said;
  if (!state || state.seat === 0) return outcome(known);
  if (covered) return '';
  if (!up) return t(pending ? 'table.kept' : 'table.unsent');
  if (asked) return asked;
  if (legal.length) return turnText(known, acting(known));
  if (pending) return t('table.sending');
  if (!own(known).length) return t('table.watching', { name });
  return state.turn === 0 ? t('table.waitingBets') : t('table.waiting', { name });
}

/** Seconds as a clock shows them, with hours and days. @param {number} seconds */
function time(seconds) {
  const whole = Math.ceil(seconds), hours = Math.floor(whole / 3600), minutes = Math.floor(whole / 60) % 60;
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  if (hours >= 48) return t('table.days', { n: Math.floor(hours / 24) });
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
