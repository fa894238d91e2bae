// @ts-check
/** Positions and actions as the notation writes them, read into plain objects. Knows no rules. */

/** @typedef {{ edition: string, rules: Record<string, string>, players: number, tunnel: string, boat: number, pirates: number[][], hands: string[], row: string, pile: number, discards: Record<string, number>, seat: number, actions: number, turn: number }} CartagenaView */
/** @typedef {{ edition: string, rules: Record<string, string>, players: number, length: number, stacks: Record<number, string>, boats: string[], bets: string[], dice: Record<string, number>, moved: Record<string, string>, seat: number, turn: number }} EvadesView */

export const SYMBOLS = 'BDHKPS';
export const PAWNS = 'bryldon';

/** @param {string} text */
export const isEvades = (text) => /^evades\b/.test(text);

/** An edition and its house rules, as in `tortuga+pirates=4`. @param {string} text */
export function readEdition(text) {
  const [edition, ...changes] = text.split('+');
  return { edition, rules: Object.fromEntries(changes.map((change) => change.split('='))) };
}

/** @param {string} text @returns {CartagenaView} */
export function readCartagena(text) {
  const [game, tunnel, pirates, hands, row, pile, discards, clock] = text.split(' ');
  const [seat, actions, turn] = clock.split(':').map(Number);
  const spaces = tunnel.replaceAll('/', '');
  return {
    ...readEdition(game), tunnel: spaces, boat: spaces.length + 1, players: pirates.split('/').length,
    pirates: pirates.split('/').map((one) => one.split('.').map(Number)),
    hands: hands.split('/').map((hand) => (hand === '-' ? '' : hand)),
    row: row === '-' ? '' : row, pile: count(pile),
    discards: Object.fromEntries([...discards.matchAll(/([A-Z])(\d+)/g)].map(([, card, n]) => [card, Number(n)])),
    seat, actions, turn,
  };
}

/** How many cards `KD?40` are. @param {string} pile */
function count(pile) {
  let n = 0;
  for (const [, letter, unknown] of pile.matchAll(/([A-Z])|\?(\d*)/g)) n += letter ? 1 : Number(unknown || 1);
  return n;
}

/** @param {string} text @returns {EvadesView} */
export function readEvades(text) {
  const [game, places, bets, dice, moved, clock] = text.split(' ');
  const [seat, turn] = clock.split(':').map(Number), { edition, rules } = readEdition(game);
  /** @type {Record<number, string>} */ const stacks = {};
  const boats = ['', '', '', ''];
  for (const place of places.split(',')) {
    const [where, pawns] = place.split(':');
    if (where.startsWith('#')) boats[Number(where.slice(1)) - 1] = pawns; else stacks[Number(where)] = pawns;
  }
  return {
    edition, rules, length: Number(rules.length ?? 30), stacks, boats, bets: bets.split('/'), players: bets.split('/').length,
    dice: Object.fromEntries([...dice.matchAll(/([a-z])(\d)/g)].map(([, die, n]) => [die, Number(n)])),
    moved: Object.fromEntries([...moved.matchAll(/([a-z])([+-])/g)].map(([, pawn, way]) => [pawn, way])),
    seat, turn,
  };
}

/** An action of Cartagena, with its outcome where it is told.
 * @typedef {{ kind: 'advance' | 'retreat' | 'draw' | 'end', card: string, from: number, to: number, drawn: string, reshuffled: boolean }} CartagenaAction
 * @param {string} text @returns {CartagenaAction} */
export function readCartagenaAction(text) {
  const match = /^(?:([A-Z])(\d+)>(\d+)|(\d+)<(\d+)|(draw)|\.)(?:\+([A-Z?]+))?(~.*)?$/.exec(text);
  if (!match) throw new Error(`not an action of Cartagena: ${text}`);
  const [, card, from, to, far, near, draw, drawn, reshuffle] = match;
  const kind = card ? 'advance' : far ? 'retreat' : draw ? 'draw' : 'end';
  return { kind, card: card ?? '', from: Number(from ?? far ?? 0), to: Number(to ?? near ?? 0), drawn: drawn ?? '', reshuffled: Boolean(reshuffle) };
}

/** An action of Les Évadés: `to` is a space, or the boat's number where `boat` is true.
 * @typedef {{ kind: 'bet' | 'roll' | 'forward' | 'back' | 'end', pawn: string, to: number, boat: boolean, dice: string, numbers: number[], bet: string }} EvadesAction
 * @param {string} text @returns {EvadesAction} */
export function readEvadesAction(text) {
  const blank = { pawn: '', to: 0, boat: false, dice: '', numbers: /** @type {number[]} */ ([]), bet: '' };
  if (text === '.') return { ...blank, kind: 'end' };
  if (text.startsWith('bet')) return { ...blank, kind: 'bet', bet: text.slice(4) };
  if (text.startsWith('roll:')) { const [dice, numbers] = text.slice(5).split('='); return { ...blank, kind: 'roll', dice, numbers: [...(numbers ?? '')].map(Number) }; }
  const to = text.slice(2);
  return { ...blank, kind: text[1] === '>' ? 'forward' : 'back', pawn: text[0], boat: to.startsWith('#'), to: Number(to.replace('#', '')) };
}
