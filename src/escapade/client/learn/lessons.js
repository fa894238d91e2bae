// @ts-check
/** How to play: a short lesson for each game that has one. */
import { loadLesson } from '../faces.js';
import { loadStyle, markup } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { editionName, editionSays, kindName, kindOf, KINDS } from '../lib/offer.js';
import { openSheet } from '../lib/sheet.js';

/** @typedef {import('../faces.js').Lesson} Lesson */

/** The lessons by kind of game. @returns {Promise<Map<string, Lesson>>} */
async function loadLessons() {
  const kinds = Object.keys(KINDS), lessons = await Promise.all(kinds.map(loadLesson));
  return new Map(kinds.flatMap((kind, i) => (lessons[i] ? [[kind, lessons[i]]] : [])));
}

/** @param {string} kind @param {Lesson} lesson */
const steps = (kind, { STEPS, PICTURES }) =>
  markup`<ol class="steps">${
    STEPS.map((step) =>
      markup`<li data-key="${kind}.${step}">
  <h3>${t(`learn.${kind}.${step}.title`)}</h3><p>${t(`learn.${kind}.${step}.says`)}</p>${PICTURES[step]?.()}</li>`
    )
  }</ol>`;

/** Open the lessons at that of an edition's game. @param {string} edition */
export async function openLessons(edition) {
  const [lessons] = await Promise.all([loadLessons(), loadStyle('learn/style')]),
    kinds = [...lessons.keys()],
    own = kindOf(edition) ?? '';
  let shown = lessons.has(own) ? own : kinds[0];
  /** @param {string} kind */
  const tab = (kind) =>
    markup`<label class="opt"><input type="radio" name="learn" value="${kind}" ${kind === shown && 'checked'}>
    <span>${kindName(kind)}</span></label>`;
  const special = () =>
    shown === own && KINDS[own].editions.length > 1 && markup`<section class="note">
    <h3>${t('learn.edition')} · ${editionName(edition)}</h3><p>${editionSays(edition)}</p></section>`;
  const { dialog, draw } = openSheet({
    title: () => t('learn.title'),
    body: () =>
      markup`<fieldset><legend class="off">${t('learn.which')}</legend><div
          class="seg">${kinds.map(tab)}</div></fieldset>
      ${lessons.has(shown) && steps(shown, /** @type {Lesson} */ (lessons.get(shown)))}${special()}`,
    footer: () => markup`<button type="button" class="btn gold" data-close>${t('common.done')}</button>`,
  }, 'learn-sheet');
  dialog.addEventListener('change', (event) => {
    shown = /** @type {HTMLInputElement} */ (event.target).value;
    draw();
  });
}
