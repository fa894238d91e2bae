// @ts-check
/** The levels of bots as a scale, the weakest at the left. */
import { markup } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { levelName, levelSays } from '../lib/offer.js';
import { portrait } from '../lib/portraits.js';

/** A slider over some levels, and what is to be said of the one it stands at; a single level needs no slider.
 * @param {string[]} levels @param {string | null} level null if bots differ @param {string} label */
export function scale(levels, level, label) {
  const at = level ? levels.indexOf(level) : Math.floor(levels.length / 2);
  const says = level ? markup`<b>${levelName(level)}.</b> ${levelSays(level)}` : t('setup.mixed-says');
  const told = level ? `${levelName(level)}. ${levelSays(level)}` : t('setup.mixed');
  const steps = levels.map((_, i) => markup`<i class="${level && i <= at && 'on'}"></i>`);
  const slider = markup`<div class="slide"><div class="steps" aria-hidden="true">${steps}</div>
    <input type="range" name="level" min="0" max="${levels.length - 1}" value="${at}" aria-label="${label}"
      aria-valuetext="${told}"></div>`;
  return markup`<div class="scale"><div class="now">${portrait(level ?? '')}<p class="says">${says}</p></div>
    ${levels.length > 1 && slider}</div>`;
}
