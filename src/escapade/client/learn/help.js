// @ts-check
/** The sheet behind “?”: the rules of what is played here, what the table agreed on, and the keys. */
import { isPractised, loadLesson } from '../faces.js';
import { loadStyle, markup } from '../lib/dom.js';
import { keyList } from '../lib/keys.js';
import { alsoSpeak, t } from '../lib/lang.js';
import { houseRulesOf } from '../lib/offer.js';
import { openSheet } from '../lib/sheet.js';
import { lessonBody, practiceLink, rulesLink } from './lessons.js';

/** @typedef {import('../lib/dom.js').Markup} Markup */

/** Whether there is a keyboard to be expected. */
const KEYS = matchMedia('(any-pointer: fine)');

/** @param {{ kind: string, game: string, rules: Record<string, string | number>, printing: string }} played
 *   @param {() => import('../lib/keys.js').Key[]} keys @param {() => Markup} [agreed] what is true of this table
 *   @param {boolean} [watched] whether only bots play */
export async function openHelp({ kind, game, rules, printing }, keys, agreed, watched) {
  const practice = isPractised(kind) && !location.pathname.startsWith('/learn/');
  const [lesson] = await Promise.all([loadLesson(kind), loadStyle('learn/style'), alsoSpeak('learn')]);
  const edition = game.split('+')[0], house = houseRulesOf(game, watched);
  /** @type {Record<string, () => Markup>} */
  const parts = {
    ...(lesson ? { rules: () => lessonBody(kind, lesson, { edition, rules, printing }, house) } : {}),
    ...(agreed ? { table: agreed } : {}),
    ...(KEYS.matches ? { keys: () => keyList(keys()) } : {}),
  };
  let shown = Object.keys(parts)[0];
  /** @param {string} part */
  const tab = (part) =>
    markup`<label class="opt"><input type="radio" name="help" value="${part}" ${part === shown && 'checked'}>
    <span>${t(`help.${part}`)}</span></label>`;
  const { dialog, draw } = openSheet({
    title: () => t('help.title'),
    body: () =>
      markup`<fieldset><legend class="off">${t('help.title')}</legend><div class="seg">${
        Object.keys(parts).map(tab)
      }</div></fieldset>${parts[shown]?.()}`,
    footer: () =>
      markup`${practice && practiceLink(kind, true)}${
        lesson && rulesLink(kind, true)
      }<button type="button" class="btn gold" data-close>${t('common.done')}</button>`,
  }, 'learn-sheet');
  dialog.addEventListener('change', (event) => {
    shown = /** @type {HTMLInputElement} */ (event.target).value;
    draw();
  });
}
