// @ts-check
/** Cartagena's positions and actions, read into plain objects. Knows no rules. */

/** `boat` is the place after the last space; `discards` counts cards by letter.
 * @typedef {{ edition: string, tunnel: string, boat: number,
 *   pirates: number[][], hands: string[], row: string, pile: number, discards: Record<string, number>,
 *   seat: number, actions: number, turn: number }} View */

/** @param {string} text @returns {View} */
export function readView(text) {
  const [game, tunnel, pirates, hands, row, pile, discards, clock] = text.split(' ');
  const [seat, actions, turn] = clock.split(':').map(Number);
  const spaces = tunnel.replaceAll('/', '');
  return {
    edition: game.split('+')[0],
    tunnel: spaces,
    boat: spaces.length + 1,
    pirates: pirates.split('/').map((one) => one.split('.').map(Number)),
    hands: hands.split('/').map((hand) => (hand === '-' ? '' : hand)),
    row: row === '-' ? '' : row,
    pile: count(pile),
    discards: Object.fromEntries([...discards.matchAll(/([A-Z])(\d+)/g)].map(([, card, n]) => [card, Number(n)])),
    seat,
    actions,
    turn,
  };
}

/** The number of cards in a pile such as `KD?40`. @param {string} pile */
function count(pile) {
  let n = 0;
  for (const [, letter, unknown] of pile.matchAll(/([A-Z])|\?(\d*)/g)) n += letter ? 1 : Number(unknown || 1);
  return n;
}

/** An action, with its outcome if known.
 * @typedef {{ kind: 'advance' | 'retreat' | 'draw' | 'end', card: string, from: number, to: number, drawn: string,
 *   reshuffled: boolean }} Action
 * @param {string} text @returns {Action} */
export function readAction(text) {
  const match = /^(?:([A-Z])(\d+)>(\d+)|(\d+)<(\d+)|(draw)|\.)(?:\+([A-Z?]+))?(~.*)?$/.exec(text);
  if (!match) throw new Error(`not an action of Cartagena: ${text}`);
  const [, card, from, to, far, near, draw, drawn, reshuffle] = match;
  const kind = card ? 'advance' : far ? 'retreat' : draw ? 'draw' : 'end';
  return {
    kind,
    card: card ?? '',
    from: Number(from ?? far ?? 0),
    to: Number(to ?? near ?? 0),
    drawn: drawn ?? '',
    reshuffled: Boolean(reshuffle),
  };
}
