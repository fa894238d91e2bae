// @ts-check
/** The player's choice so far, which narrows the legal actions, and why something cannot be chosen, as far as the view
 * tells. */
import { t } from '../lib/lang.js';
import { readAction } from './notation.js';
import { thing } from './symbols.js';
import { at, brief, capital, placeName } from './words.js';

/** @typedef {import('./notation.js').View} View */
/** @typedef {import('./notation.js').Action & { text: string }} Legal */
/** @typedef {import('./symbols.js').SymbolSet} SymbolSet */
/** @typedef {import('../faces.js').Info} Info */
/** @typedef {import('../faces.js').Shown} Shown */
/** `means` is a card's letter, RETREAT, or '' if not chosen yet; `from` is the pirate's place, or -1.
 * @typedef {{ means: string, from: number }} Choice */

export const RETREAT = '<';
/** @type {Choice} */
export const NOTHING = { means: '', from: -1 };

/** @param {string[]} legal @returns {Legal[]} */
export const readLegal = (legal) => legal.map((text) => ({ text, ...readAction(text) }));

/** The legal actions that a choice leaves. @param {Legal[]} legal @param {Choice} choice */
export function left(legal, { means, from }) {
  const moves = legal.filter(({ kind }) => kind === 'advance' || kind === 'retreat');
  return moves.filter((move) => (!means || (move.card || RETREAT) === means) && (from < 0 || move.from === from));
}

/** @param {Choice} choice */
export const isEmpty = ({ means, from }) => !means && from < 0;

/** The cards that are or can come into the pile. @param {View} view */
const toCome = (view) => Object.values(view.discards).reduce((sum, n) => sum + n, view.pile);

/** The cards that a retreat to a space brings; `?` for those from the pile. @param {View} view @param {number} to */
export function brings(view, to) {
  const n = Math.min(view.pirates.flat().filter((place) => place === to).length, view.row.length + toCome(view));
  return view.row.slice(0, n).padEnd(n, '?');
}

/** What to do next, for the prompt.
 * @param {SymbolSet} set @param {View} view @param {Legal[]} legal @param {Choice} choice */
export function prompt(set, view, legal, { means, from }) {
  const moves = legal.filter(({ kind }) => kind === 'advance' || kind === 'retreat'),
    none = moves.length > 0 && moves.length === legal.length && moves.every(({ kind }) => kind === 'retreat');
  if (means && from >= 0) return t('cartagena.prompt.hinted');
  if (from < 0 && (means === RETREAT || (!means && none))) return t('cartagena.prompt.retreat');
  if (means && from < 0) return t('cartagena.prompt.card', { thing: capital(thing(set, means, 'name')) });
  if (from >= 0) return t('cartagena.prompt.pirate', { at: at(from, view.boat) });
  if (legal.every(({ kind }) => kind === 'end')) return t('cartagena.prompt.nothing');
  if (!legal.some(({ kind }) => kind === 'draw')) return t('cartagena.prompt.start');
  return t(toCome(view) ? 'cartagena.prompt.draw' : 'cartagena.prompt.drawNone');
}

/** Why the reader can do nothing now: null if something can be done, '' if there is nothing to say.
 * @param {Info} info @param {Shown} now @param {View} view */
export function barred(info, now, view) {
  if (now.over) return t('cartagena.why.over');
  if (now.offline) return t('table.unsent');
  if (now.covered) return t('cartagena.why.covered');
  if (now.busy) return '';
  if (now.legal.length === 0) {
    return view.seat === now.eyes ? '' : t('cartagena.why.turn', { name: info.seats[view.seat - 1].name });
  }
  return null;
}

/** Why a card or a retreat cannot be chosen.
 * @param {Info} info @param {SymbolSet} set @param {View} view @param {number} eyes @param {Choice} choice with the
 * means that was tried */
export function whyNotMeans(info, set, view, eyes, { means, from }) {
  if (means === RETREAT) return from < 0 ? t('cartagena.why.noRetreat') : whyNoRetreat(info, view, from);
  if (!view.hands[eyes - 1].includes(means)) return t('cartagena.why.card', { thing: thing(set, means, 'name') });
  return from === view.boat ? t('cartagena.why.aboard') : t('cartagena.why.unused');
}

/** @param {Info} info @param {View} view @param {number} from */
function whyNoRetreat(info, view, from) {
  if (from === 0) return t('cartagena.why.prisonBack');
  return t(from === view.boat && info.rules['boat-retreat'] === 'off' ? 'cartagena.why.boat' : 'cartagena.why.back');
}

/** Why a place cannot be chosen.
 * @param {Info} info @param {SymbolSet} set @param {View} view @param {number} eyes @param {Choice} choice @param
 * {number} place */
export function whyNotPlace(info, set, view, eyes, { means, from }, place) {
  const inTunnel = place > 0 && place < view.boat;
  if (means && means !== RETREAT && from < 0 && inTunnel && view.tunnel[place - 1] !== means) {
    return t('cartagena.why.notThis');
  }
  if (view.pirates[eyes - 1].includes(place)) {
    if (place !== view.boat) {
      return t(place === 0 && view.hands[eyes - 1] ? 'cartagena.why.prisonBack' : 'cartagena.why.stuck');
    }
    return t(info.rules['boat-retreat'] === 'off' ? 'cartagena.why.boat' : 'cartagena.why.aboard');
  }
  const owner = view.pirates.findIndex((places) => places.includes(place));
  if (owner >= 0 && inTunnel) return t('cartagena.why.theirs', { name: info.seats[owner].name });
  return t('cartagena.why.nobody', { place: placeName(set, view, place) });
}

/** What others did, for the board: steps of the same pirate in one, with how many cards they brought.
 * @param {import('../faces.js').Step[]} last @returns {import('./board.js').Past[]} */
export function recent(last) {
  /** @type {import('./board.js').Past[]} */
  const ways = [];
  for (const { move: { seat, action } } of last) {
    const { kind, from, to, drawn } = readAction(action),
      before = ways.find((way) => way.seat === seat && way.to === from);
    if (kind !== 'advance' && kind !== 'retreat') continue;
    if (before) Object.assign(before, { to, gain: before.gain + drawn.length });
    else ways.push({ seat, from, to, gain: drawn.length });
  }
  return ways.filter(({ from, to }) => from !== to);
}

/** What the board shows of a choice.
 * @param {View} view @param {Legal[]} legal @param {Choice} choice @returns {import('./board.js').Marks} */
export function marksOf(view, legal, choice) {
  const open = left(legal, choice), chosen = choice.from, starts = new Set(open.map(({ from }) => from));
  if (isEmpty(choice)) {
    return { movable: new Map([...starts].map((place) => [place, ''])), chosen, targets: new Map(), trails: [] };
  }
  const targets = new Map(open.map(({ to, kind }) => {
    const back = kind === 'retreat';
    return [to, { back, tag: back ? `+${brings(view, to).length}` : brief(to, view.boat) }];
  }));
  const goals = new Map(open.map(({ from, to }) => [from, `→ ${brief(to, view.boat)}`]));
  const movable = new Map(
    [...starts].map((place) => [place, chosen < 0 && !targets.has(place) ? goals.get(place) ?? '' : '']),
  );
  const ways = chosen < 0 && open.length > 1 ? [] : open, farthest = Math.max(...ways.map(({ to }) => to));
  return { movable, chosen, targets, trails: ways.filter(({ from, to }) => to < from || to === farthest) };
}
