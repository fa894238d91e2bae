// @ts-check
/** Les Évadés in words: prompts, reasons, captions and the log's sentences. */
import { markup } from '../lib/dom.js';
import { list, t } from '../lib/lang.js';
import { PAWNS, readAction, readView } from './notation.js';
import { boatsOf } from './bet.js';
import { backSign, boatSign, chip, lockSign } from './drawings.js';
import { canThrow, coloursOf, placeOf } from './choice.js';

/** @typedef {import('./notation.js').View} View */
/** @typedef {import('./choice.js').Choice} Choice */

/** @param {string} pawn */
const nameOf = (pawn) => t(`pawn.${pawn}.name`);
/** @param {string} pawn */
const the = (pawn) => t(`pawn.${pawn}.the`);

/** A text with a capital at its start. @param {string} path @param {Record<string, unknown>} [values] */
function sentence(path, values) {
  const text = t(`evades.${path}`, values);
  return text.charAt(0).toLocaleUpperCase() + text.slice(1);
}

/** A text of the catalog with markup for values. @param {string} path @param {Record<string, unknown>} values */
function fill(path, values) {
  const text = t(
    `evades.${path}`,
    Object.fromEntries(Object.keys(values).map((name) => [name, `\u0001${name}\u0001`])),
  );
  return markup`${text.split('\u0001').map((part, i) => (i % 2 ? values[part] : part))}`;
}

/** A pawn's name with its picture. @param {string} pawn */
const shown = (pawn) => markup`${the(pawn)}&nbsp;${chip(pawn)}`;

/** What to do now.
 * @param {View} view @param {string[]} sets of dice on offer @param {string} chosen @param {Choice[]} moves @param
 * {boolean} armed */
export function prompt(view, sets, chosen, moves, armed) {
  if (sets.length) {
    const { most, fewest, white } = coloursOf(sets), n = chosen.replace('w', '').length;
    if (canThrow(sets, chosen)) return sentence('prompt.throw');
    if (fewest < most) return sentence('prompt.pair');
    return sentence(white ? 'prompt.choose-white' : 'prompt.choose', { n: most, chosen: n });
  }
  const forward = moves.filter(({ kind }) => kind === 'forward').map(({ pawn }) => pawn),
    back = moves.length > forward.length;
  if (back && (armed || !forward.length)) {
    return sentence(forward.length ? 'prompt.armed' : 'prompt.back', { number: view.dice.w });
  }
  const must = sentence('prompt.move', { n: forward.length, the: the(forward[0]), pawns: list(forward.map(nameOf)) });
  return back ? `${must} ${sentence('prompt.or-back', { number: view.dice.w })}` : must;
}

/** Why a die cannot be chosen now. @param {View} view @param {string[]} sets @param {string} die */
export function whyNotChosen(view, sets, die) {
  const { most, fewest, white } = coloursOf(sets), { boat } = die === 'w' ? { boat: 0 } : placeOf(view, die);
  if (boat) return sentence('why.boat', { pawn: the(die), boat });
  if (die === 'w' && !white) return sentence('why.first');
  return fewest < most ? sentence('why.two') : sentence('why.full', { n: most });
}

/** Why a thrown die does nothing now, or a pawn cannot go. @param {View} view @param {string} die */
export function whyNotMoved(view, die) {
  if (die === 'w' && 'w' in view.dice) return sentence('why.nobody');
  if (die === 'w') {
    return sentence(Object.values(view.moved).includes('-') ? 'why.used' : 'why.not-thrown', { die: t('pawn.w.die') });
  }
  const { boat, above } = placeOf(view, die), moved = view.moved[die];
  if (boat) return sentence('why.boat', { pawn: the(die), boat });
  if (moved) return sentence(moved === '+' ? 'why.moved' : 'why.lapsed', { pawn: the(die) });
  if (above) return sentence('why.under', { pawn: the(die), other: the(above[0]) });
  return sentence('why.not-thrown', { die: t(`pawn.${die}.die`) });
}

/** Why nothing can be done at all. @param {View} view @param {boolean} over @param {{ name: string }[]} seats */
export function whyNotNow(view, over, seats) {
  if (over) return sentence('why.over');
  return view.turn ? sentence('why.turn', { name: seats[view.seat - 1].name }) : sentence('why.bets');
}

/** A move on offer. @param {Choice} move */
export function moveName({ kind, pawn, to, boat, number }) {
  const place = boat ? t('evades.to.boat', { boat: to }) : t('evades.to.space', { space: to });
  return t(`evades.move.${kind}`, { pawn: nameOf(pawn), number, place });
}

/** Where a pawn is, and whether it is free. @param {View} view @param {string} pawn */
export function whereabouts(view, pawn) {
  const { boat, space, above } = placeOf(view, pawn), name = nameOf(pawn);
  if (boat) return `${name}, ${t('evades.at.boat', { boat })}`;
  if (!space) return `${name}, ${t('evades.at.window')}`;
  return `${name}, ${t('evades.at.space', { space })}, ${
    above ? t('evades.at.under', { pawn: nameOf(above[0]) }) : t('evades.at.free')
  }`;
}

/** Who stands on a space, from the top. @param {View} view @param {number} space */
export const stackOf = (view, space) =>
  sentence('stack', { space, pawns: list([...view.stacks[space]].reverse().map(nameOf)) });

/** What a die would do, or where its pawn is, in a word or two.
 * @param {View} view @param {string} die @param {Choice | undefined} move @param {string} state
 * @returns {{ caption: unknown, text: string }} */
export function captionOf(view, die, move, state) {
  if (move && move.kind === 'forward') {
    const text = move.boat ? t('evades.to.boat', { boat: move.to }) : t('evades.to.space', { space: move.to });
    return { caption: markup`→ ${move.boat ? boatSign : ''}${move.to}`, text };
  }
  if (state === 'out') return same('');
  if (state === 'used') {
    return { caption: markup`✓ <span class="spelled">${t('evades.cap.used')}</span>`, text: t('evades.cap.used') };
  }
  if (die === 'w' && state === 'live') {
    return { caption: `−${view.dice.w}`, text: t('evades.cap.back', { number: view.dice.w }) };
  }
  if (die === 'w') return same(t(state === 'barred' ? 'evades.cap.later' : 'evades.cap.white'));
  const { boat, space, above } = placeOf(view, die);
  if (boat) return { caption: markup`${boatSign}${boat}`, text: t('evades.to.boat', { boat }) };
  if (state === 'lapsed') return same(t('evades.cap.lapsed'));
  if (above) {
    const text = t('evades.at.under', { pawn: nameOf(above[0]) });
    return { caption: markup`<span class="spelled">${t('evades.cap.under')}</span>${lockSign}${chip(above[0])}`, text };
  }
  return same(space ? t('evades.cap.space', { space }) : t('evades.cap.window'));
}

/** @param {string} text */
const same = (text) => ({ caption: text, text });

/** The log's sentence for a move. Hints come as moves that change nothing, and only in these a bet is spelled out.
 * @param {{ seat: number, action: string }} move @param {string} before @param {string} after @param {{ name: string
 *   }[]} seats */
export function say(move, before, after, seats) {
  const action = readAction(move.action),
    old = readView(before),
    now = readView(after),
    name = markup`<b>${seats[move.seat - 1].name}</b>`;
  if (action.bet && before === after) return fill('say.foresee', { name, boats: foreseen(action.bet) });
  if (action.kind === 'bet' || action.kind === 'end') return fill(`say.${action.kind}`, { name });
  if (action.kind === 'roll') {
    const threw = fill('say.roll', { name, dice: [...action.dice].map((die, i) => thrown(die, action.numbers[i])) });
    return now.turn === old.turn ? threw : markup`${threw} ${t('evades.say.stuck')}`;
  }
  const { pawn, boat } = action,
    others = [...PAWNS].filter((one) => placeOf(now, one).boat && !placeOf(old, one).boat && !(one === pawn && boat));
  return markup`${moved(action, old, name)}${
    others.map((one) => markup` ${fill('say.last', { pawn: shown(one), boat: placeOf(now, one).boat })}`)
  }`;
}

/** The same on one line. @param {{ seat: number, action: string }} move @param {string} before @param {string} after
 *   @param {{ name: string }[]} seats */
export function logLine(move, before, after, seats) {
  const { kind, pawn, boat, to, dice, numbers } = readAction(move.action),
    name = markup`<b>${seats[move.seat - 1].name}</b>`;
  if (kind === 'roll') return markup`${name}${[...dice].map((die, i) => thrown(die, numbers[i]))}`;
  if (kind !== 'forward' && kind !== 'back') return say(move, before, after, seats);
  const from = placeOf(readView(before), pawn).space || t('evades.at.window');
  return markup`${name} ${chip(pawn)} ${from} → ${boat ? boatSign : ''}${to}`;
}

/** @param {import('./notation.js').Action} action @param {View} old @param {unknown} name */
function moved({ kind, pawn, boat, to }, old, name) {
  if (boat) return fill('say.boat', { name, pawn: shown(pawn), boat: to });
  const below = (old.stacks[to] ?? '').replace(pawn, '').slice(-1),
    onto = below && fill('say.onto', { pawn: shown(below) });
  return fill(`say.${kind}`, {
    name,
    pawn: shown(pawn),
    from: placeOf(old, pawn).space || t('evades.at.window'),
    to,
    onto,
  });
}

/** @param {string} bet */
const foreseen = (bet) =>
  boatsOf(bet).map((pawns, i) =>
    markup` <b>${i + 1}</b> ${[...pawns].map((pawn) => markup`${chip(pawn)}<span class="off">${nameOf(pawn)}</span> `)}`
  );

/** @param {string} die @param {number} number */
const thrown = (die, number) =>
  markup` <span class="thrown">${die === 'w' ? backSign : chip(die)}<span
      class="off">${nameOf(die)} </span>${number}</span>`;

/** @param {string[]} pawns */
const those = (pawns) => list(pawns.map(the));

/** The values of a hint's reason in words. @param {Record<string, any>} values */
export const reasonWords = ({ pawn, pawns, boats, ...rest }) => ({
  ...rest,
  pawn: pawn && the(pawn),
  pawns: pawns && those(pawns),
  boats: boats && list(boats.map(String)),
});

/** Spaces of a part of the way that a first clue names. */
const PART = 10;

/** Where a hinted action happens, and which pawn's it is: clues that come before the action itself.
 * @param {string} text @param {View} view */
export function clue(text, view) {
  const { kind, pawn, dice } = readAction(text);
  if (kind === 'bet') return { area: '', piece: '' };
  if (kind === 'end') return { area: t('hints.area.end'), piece: '' };
  if (kind === 'roll') return { area: t('hints.area.dice'), piece: t('hints.piece.dice', { n: dice.length }) };
  const { space } = placeOf(view, pawn), first = space - (space - 1) % PART;
  return {
    area: space ? t('hints.area.spaces', { first, last: first + PART - 1 }) : t('hints.area.windows'),
    piece: t('hints.piece.pawn', { pawn: the(pawn) }),
  };
}
