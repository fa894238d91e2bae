// @ts-check
/** What a tap could mean, as lines of a small menu. */
import { markup } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { icon, pirate } from './drawings.js';
import { thing } from './symbols.js';
import { brief } from './words.js';

/** @typedef {import('./choice.js').Legal} Legal */
/** @typedef {{ set: import('./symbols.js').SymbolSet, boat: number, colour: number }} Looks */

/** @param {Legal[]} actions @param {Looks} looks */
export const options = (actions, { set, boat, colour }) =>
  markup`${
    actions.map(({ text, card, from, to }) =>
      markup`<button type="button" role="menuitem" class="${card ? 'forward' : 'back'}" data-action="${text}">
    ${card && markup`<span class="mini">${icon(set[card])}</span>`}<span>${
        card ? thing(set, card, 'short') : t('cartagena.button.retreat')
      }</span>
    <span class="mini-pirate">${pirate(colour)}</span><span>${brief(from, boat)} → ${brief(to, boat)}</span></button>`
    )
  }`;
