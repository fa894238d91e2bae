// @ts-check
/** A small menu for when one tap could mean several actions. */
import { markup } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { openSheet } from '../lib/sheet.js';
import { icon, pirate } from './drawings.js';
import { thing } from './symbols.js';
import { brief } from './words.js';

/** @typedef {import('./choice.js').Legal} Legal */

/** @typedef {{ set: import('./symbols.js').SymbolSet, boat: number, colour: number }} Looks */

/** @param {Legal[]} actions @param {Looks} looks @param {{ x: number, y: number }} spot where it was tapped @param
 *   {(action: string) => void} done */
export function askWhich(actions, { set, boat, colour }, { x, y }, done) {
  /** @param {Legal} action @param {number} i */
  const option = ({ text, kind, card, from, to }, i) =>
    markup`
    <button type="button" class="btn ${kind === 'retreat' && 'tide'}"
        data-action="${text}" ${i === 0 && markup`autofocus`}>
    ${card && markup`<span class="mini">${icon(set[card])}</span>`}<span>${
      card ? thing(set, card, 'short') : t('cartagena.button.retreat')
    }</span>
    <span class="mini-pirate">${pirate(colour)}</span><span>${brief(from, boat)} → ${brief(to, boat)}</span></button>`;
  const { dialog } = openSheet(
    { title: () => t('cartagena.choose'), body: () => markup`${actions.map(option)}` },
    'chooser',
  );
  dialog.style.setProperty('--x', `${x}px`);
  dialog.style.setProperty('--y', `${y}px`);
  dialog.addEventListener('click', (event) => {
    const chosen = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('[data-action]'))
      ?.dataset.action;
    if (!chosen) return;
    dialog.close();
    done(chosen);
  });
}
