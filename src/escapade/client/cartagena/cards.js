// @ts-check
/** The cards on the table and in the hand, as markup. */
import { markup } from '../lib/dom.js';
import { has, t } from '../lib/lang.js';
import { readAction } from './notation.js';
import { brief, cardWords } from './words.js';
import { drawSign, icon, retreatSign } from './drawings.js';
import { thing } from './symbols.js';

/** @typedef {import('./notation.js').View} View */
/** @typedef {import('./symbols.js').SymbolSet} SymbolSet */

/** @param {View} view */
export const discarded = (view) => Object.values(view.discards).reduce((sum, n) => sum + n, 0);

/** The card on top of the discards, if the moves tell. @param {import('../lib/messages.js').Move[]} moves */
export function lastPlayed(moves) {
  const last = moves.map(({ action }) => readAction(action)).findLast(({ card, reshuffled }) => card || reshuffled);
  return last && !last.reshuffled ? last.card : '';
}

/** Row, pile and discards.
 * @param {SymbolSet} set @param {View} view @param {number} size of a full row @param {number} gain how many cards the
 * chosen retreat brings
 * @param {string} top the last card discarded, if known */
export function supply(set, view, size, gain, top) {
  const spent = discarded(view), next = size === 0 && gain > 0;
  return markup`${size > 0 && row(set, view, size, gain)}
    <div class="piles">
      <div class="heap pile ${next && 'next'}" role="img" aria-label="${t('cartagena.pileHas', { n: view.pile })}">
        <span class="back ${!view.pile && 'none'}"></span><b>${view.pile}</b><small>${t('cartagena.pile')}</small></div>
      <button type="button" class="heap discards" data-do="discards" aria-haspopup="dialog"
          aria-label="${t('cartagena.discardsHave', { n: spent })}">
        <span class="top ${!spent && 'none'}">${top && icon(set[top])}</span><b>${spent}</b><small>${
    t('cartagena.discards')
  }</small></button>
      <div class="spent" aria-hidden="true">${
    Object.keys(set).map((letter) => markup`<span>${icon(set[letter])}${view.discards[letter] ?? 0}</span>`)
  }</div></div>`;
}

/** What the edition calls the row. @param {View} view */
const rowName = ({ edition }) => t(has(`edition.${edition}.row`) ? `edition.${edition}.row` : 'cartagena.row');

/** @param {SymbolSet} set @param {View} view @param {number} size @param {number} gain */
function row(set, view, size, gain) {
  const title = rowName(view);
  const slots = Array.from({ length: size }, (_, i) => {
    const letter = view.row[i];
    if (!letter) return markup`<li class="none" aria-hidden="true"></li>`;
    const name = t('cartagena.rowCard', { n: i + 1, thing: thing(set, letter, 'name') });
    return markup`<li class="${i < gain && 'next'}" title="${name}"><b
        aria-hidden="true">${i + 1}</b>${icon(set[letter])}<span class="off">${name}</span></li>`;
  });
  return markup`<p class="lead"><b>${title}</b><small>${
    t('cartagena.rowOf', { n: view.row.length, of: size })
  }</small></p>
    <ol class="row" aria-label="${title}">${slots}</ol>`;
}

/** What has been discarded, for a sheet. @param {SymbolSet} set @param {View} view */
export function discardList(set, view) {
  if (!discarded(view)) return markup`<p>${t('cartagena.noDiscards')}</p>`;
  /** @param {string} letter */
  const line = (letter) =>
    markup`<li>${icon(set[letter])}<b>${view.discards[letter] ?? 0}</b><span>${thing(set, letter, 'name')}</span></li>`;
  return markup`<ul class="discard-list">${Object.keys(set).map(line)}</ul>`;
}

/** The reader's hand: a fixed slot for each symbol.
 * @param {SymbolSet} set @param {View} view @param {string} hand @param {string} chosen
 * @param {Map<string, number>} leads where each card leads, once a pirate is chosen @param {boolean} still whether
 * nothing can be chosen @param {boolean} replayed whether it is only to be looked at */
export function handSlots(set, view, hand, chosen, leads, still, replayed) {
  return Object.keys(set).map((letter, i) => {
    const n = hand.split(letter).length - 1, to = leads.get(letter), kind = n ? `x${Math.min(n, 3)}` : 'none';
    const held = t('cartagena.heldCards', { cards: t('cartagena.cards', { n }), thing: thing(set, letter, 'name') });
    const label = to === undefined ? held : t('cartagena.slot', { held, place: brief(to, view.boat) });
    return markup`<button type="button" class="slot ${kind} ${letter === chosen && 'chosen'}" data-card="${letter}"
        aria-label="${label}"
      aria-pressed="${String(letter === chosen)}" ${
      replayed ? 'disabled' : (n === 0 || still) && markup`aria-disabled="true"`
    } aria-keyshortcuts="${i + 1}">
      ${n > 0 && markup`<span class="n">×${n}</span><span class="key">${i + 1}</span>`}${icon(set[letter])}
      <span class="name">${thing(set, letter, 'short')}</span>${
      to !== undefined && markup`<span class="to">→ ${brief(to, view.boat)}</span>`
    }</button>`;
  });
}

/** The retreat, as large as a card, with what it would do; it says nothing where the reader cannot act at all.
 * @param {SymbolSet} set @param {{ to: number, cards: string } | null} retreat the one that is chosen
 * @param {boolean} open whether any is possible @param {boolean} chosen @param {boolean} acting */
export function retreatButton(set, retreat, open, chosen, acting) {
  const state = open ? t('cartagena.button.pick') : acting && t('cartagena.button.none');
  const what = retreat
    ? `${t('cartagena.button.retreatTo', { n: retreat.to })}, ${gainWords(set, retreat.cards)}`
    : [t('cartagena.button.retreat'), state].filter(Boolean).join(', ');
  return markup`<button type="button" class="slot deed" data-do="retreat" aria-keyshortcuts="r"
      aria-pressed="${String(chosen)}" aria-label="${what}" title="${what}" ${!open && markup`aria-disabled="true"`}>
    ${retreatSign}<span class="name">${t('cartagena.button.retreat')}</span>${
    retreat && markup`<span class="to">→ ${retreat.to} +${retreat.cards.length}</span>`
  }</button>`;
}

/** @param {SymbolSet} set @param {string} cards */
const gainWords = (
  set,
  cards,
) => (cards ? t('cartagena.button.brings', { cards: cardWords(set, cards) }) : t('cartagena.button.bringsNone'));

/** After the game: how it ended. */
export const endButton = () =>
  markup`<button type="button" class="btn deed gold" data-do="ending">${t('cartagena.button.ending')}</button>`;

/** The empty-hand draw (C13). */
export function drawButton() {
  const what = `${t('cartagena.button.draw')}, ${t('cartagena.button.drawCosts')}`;
  return markup`<button type="button" class="slot deed gold" data-do="draw" aria-keyshortcuts="t" aria-label="${what}"
    title="${what}">${drawSign}<span class="name">${t('cartagena.button.draw')}</span></button>`;
}
