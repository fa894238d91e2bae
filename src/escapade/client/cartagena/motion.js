// @ts-check
/** How a move looks while it happens: pirates walk, cards fly, the row moves up. */
import { markup } from '../lib/dom.js';
import { icon } from './drawings.js';
import { fly, spotOf } from './flight.js';

/** @typedef {import('./notation.js').Action} Action */
/** @typedef {import('./notation.js').View} View */
/** What a move is played on. `own` is the seat whose hand is shown below, or 0; `layDown` removes a card from it;
 * `arrive` draws what has arrived.
 * @typedef {{ face: HTMLElement, board: import('./board.js').TunnelBoard, set: import('./symbols.js').SymbolSet, own:
 *   number, layDown: (card: string) => void, arrive: (change: (before: View, after: View) => Partial<View>) => void }}
 * Scene */

const BACK = markup`<span class="unknown">?</span>`;

/** @param {Pick<Scene, 'face'>} scene @param {string} selector @returns {HTMLElement} */
const part = ({ face }, selector) => /** @type {HTMLElement} */ (face.querySelector(selector));

/** @param {number} ms */
const pause = (ms) =>
  new Promise((done) => {
    setTimeout(done, ms);
  });

/** @param {Scene} scene @param {number} seat @param {Action} action @param {number} speed */
export async function playMove(scene, seat, action, speed) {
  const { from, to, drawn } = action, walk = Math.min(1000, 440 + 40 * Math.abs(to - from)) / speed;
  if (action.kind === 'advance') return advance(scene, seat, action, walk, speed);
  if (action.kind === 'retreat') await walked(scene, seat, from, to, walk);
  if (action.reshuffled) await reshuffle(scene, speed);
  if (drawn) {
    await Promise.all([
      ...[...drawn].map((letter, i) => deal(scene, seat, letter, i, to, speed).then(() => drew(scene, seat, letter))),
      moveUp(scene, drawn.length, speed),
    ]);
  }
}

/** A pirate walks, and has arrived.
 * @param {Scene} scene @param {number} seat @param {number} from @param {number} to @param {number} walk */
async function walked(scene, seat, from, to, walk) {
  await scene.board.walk(seat - 1, from, to, walk);
  scene.arrive((_, { pirates }) => ({ pirates }));
}

/** A card has come to the hand. @param {Scene} scene @param {number} seat @param {string} letter */
const drew = (scene, seat, letter) =>
  scene.arrive(({ hands }) => ({ hands: hands.with(seat - 1, hands[seat - 1] + letter) }));

/** @param {Scene} scene @param {number} seat @param {Action} action @param {number} walk @param {number} speed */
async function advance(scene, seat, { card, from, to }, walk, speed) {
  const { board, set } = scene, spots = throwOf(scene, seat, card, from);
  if (seat === scene.own) scene.layDown(card);
  await Promise.all([
    fly(part(scene, '.air'), icon(set[card]), spots, 620 / speed).then(() =>
      scene.arrive((_, { hands, discards }) => ({ hands, discards }))
    ),
    pause(160 / speed).then(() => walked(scene, seat, from, to, walk)),
  ]);
  if (to === board.boat) await board.cheer(seat - 1, 700 / speed);
}

/** The path of a played card: from the own hand, or from above another player's pirate, to the discards.
 * @param {Scene} scene @param {number} seat @param {string} card @param {number} from */
function throwOf(scene, seat, card, from) {
  const end = spotOf(part(scene, '.discards .top'));
  if (seat === scene.own) return [spotOf(part(scene, `[data-card="${card}"]`)), end];
  const { x, y } = scene.board.where(from, seat - 1), above = { x, y: y - 30, width: 46 };
  return [{ ...above, width: 8 }, above, above, end];
}

/** Fly a drawn card from row or pile to the own hand, or to the pirate that retreated.
 * @param {Scene} scene @param {number} seat @param {string} letter @param {number} i which of the cards drawn @param
 * {number} to @param {number} speed */
function deal(scene, seat, letter, i, to, speed) {
  const source = part(scene, `.row li:nth-child(${i + 1}):not(.none)`) ?? part(scene, '.pile .back');
  const known = letter !== '?', slot = known && seat === scene.own ? part(scene, `[data-card="${letter}"]`) : null;
  const end = slot ? spotOf(slot) : { ...scene.board.where(to, seat - 1), width: 30 };
  return fly(
    part(scene, '.air'),
    known ? icon(scene.set[letter]) : BACK,
    [spotOf(source), end],
    460 / speed,
    (140 * i) / speed,
  );
}

/** The row moves up to its head. @param {Scene} scene @param {number} n @param {number} speed */
async function moveUp({ face }, n, speed) {
  const cards = [...face.querySelectorAll('.row li:not(.none)')],
    spots = cards.map((card) => card.getBoundingClientRect());
  const timing = /** @type {KeyframeAnimationOptions} */ ({
    duration: 320 / speed,
    delay: (140 * n) / speed,
    easing: 'ease-in-out',
    fill: 'both',
  });
  const gone = cards.slice(0, n).map((card) => card.animate([{ opacity: 0 }, { opacity: 0 }], timing));
  const up = cards.slice(n).map((card, i) => {
    const x = spots[i].left - spots[i + n].left, y = spots[i].top - spots[i + n].top;
    return card.animate([{ transform: 'none' }, { transform: `translate(${x}px, ${y}px)` }], timing);
  });
  await Promise.all([...gone, ...up].map(({ finished }) => finished));
  setTimeout(() => [...gone, ...up].forEach((motion) => motion.cancel())); // after the new row has been drawn
}

/** @param {Scene} scene @param {number} speed */
async function reshuffle(scene, speed) {
  const path = [spotOf(part(scene, '.discards .top')), spotOf(part(scene, '.pile .back'))];
  await Promise.all([0, 1, 2].map((i) => fly(part(scene, '.air'), BACK, path, 360 / speed, (90 * i) / speed)));
}

/** Deal everyone's first cards, in turn: into the own hand, and to the others' pirates. `hurry` ends it at once.
 * @param {Omit<Scene, 'layDown' | 'arrive'>} scene @param {View} view @param {number} speed */
export function dealHands(scene, view, speed) {
  const air = part(scene, '.air'), pile = spotOf(part(scene, '.pile .back')), flight = 380 / speed;
  const all = view.hands.reduce((sum, hand) => sum + hand.length, 0), beat = 620 / speed / Math.max(1, all);
  /** @type {Map<Element, number>} */
  const slots = new Map();
  const flights = view.hands.flatMap((hand, seat) =>
    [...hand].map((letter, i) => {
      const delay = (i * view.hands.length + seat) * beat, own = seat + 1 === scene.own;
      const slot = own ? part(scene, `[data-card="${letter}"]`) : null;
      if (slot && !slots.has(slot)) slots.set(slot, delay + flight);
      const end = slot ? spotOf(slot) : { ...scene.board.where(0, seat), width: 26 };
      return fly(air, slot ? icon(scene.set[letter]) : BACK, [pile, end], flight, delay);
    })
  );
  const shown = [...slots].map(([slot, delay]) =>
    slot.animate([{ opacity: 0 }, { opacity: 0, offset: .99 }, { opacity: 1 }], { duration: delay })
  );
  const hurry = () =>
    [...shown, ...[...air.children].flatMap((card) => card.getAnimations())].forEach((motion) => motion.finish());
  return { done: Promise.allSettled([...flights, ...shown.map(({ finished }) => finished)]), hurry };
}
