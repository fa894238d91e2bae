// @ts-check
/** How to play: a short lesson for each game that has one. */
import { loadLesson } from '../faces.js';
import { loadStyle, markup } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { editionName, editionSays, kindName, kindOf, KINDS, printedRules } from '../lib/offer.js';
import { openSheet } from '../lib/sheet.js';

/** @typedef {import('../faces.js').Lesson} Lesson */
/** @typedef {import('../faces.js').Played} Played */

/** The lessons by kind of game. @returns {Promise<Map<string, Lesson>>} */
async function loadLessons() {
  const kinds = Object.keys(KINDS), lessons = await Promise.all(kinds.map(loadLesson));
  return new Map(kinds.flatMap((kind, i) => (lessons[i] ? [[kind, lessons[i]]] : [])));
}

/** The rules of what is played, step by step. @param {string} kind @param {Lesson} lesson @param {Played} played */
export const lessonBody = (kind, lesson, played) =>
  markup`${
    KINDS[kind]?.editions.length > 1 &&
    markup`<section class="note"><h3>${t('learn.edition')} · ${editionName(played.edition)}</h3><p>${
      editionSays(played.edition)
    }</p></section>`
  }<ol class="steps">${
    lesson.steps(played).map(({ name, says, picture }) =>
      markup`<li data-key="${kind}.${name}"><h3>${t(`learn.${kind}.${name}.title`)}</h3><div>${
        says.map((sentence) => markup`<p>${sentence}</p>`)
      }${picture}</div></li>`
    )
  }</ol>`;

/** The way to the whole rules. @param {string} kind @param {boolean} [apart] in a tab of its own */
export const rulesLink = (kind, apart) =>
  markup`<a class="btn" href="/rules/${kind}" ${apart && markup`target="_blank"`}>${t('rules.whole')}</a>`;

/** Open the lessons at that of the chosen game. @param {Omit<Played, 'rules'>} chosen @param {Record<string, string>}
 * house the house rules chosen for it */
export async function openLessons(chosen, house) {
  const [lessons, printed] = await Promise.all([loadLessons(), printedRules(), loadStyle('learn/style')]),
    kinds = [...lessons.keys()],
    own = kindOf(chosen.edition) ?? '';
  let shown = lessons.has(own) ? own : kinds[0];
  /** @param {string} kind @returns {Played} */
  const playedOf = (kind) => {
    const edition = kind === own ? chosen.edition : KINDS[kind].editions[0];
    return { ...chosen, edition, rules: { ...printed?.[edition], ...(kind === own ? house : {}) } };
  };
  /** @param {string} kind */
  const tab = (kind) =>
    markup`<label class="opt"><input type="radio" name="learn" value="${kind}" ${kind === shown && 'checked'}>
    <span>${kindName(kind)}</span></label>`;
  const { dialog, draw } = openSheet({
    title: () => t('learn.title'),
    body: () =>
      markup`<fieldset><legend class="off">${t('learn.which')}</legend><div
          class="seg">${kinds.map(tab)}</div></fieldset>
      ${lessons.has(shown) && lessonBody(shown, /** @type {Lesson} */ (lessons.get(shown)), playedOf(shown))}`,
    footer: () =>
      markup`${rulesLink(shown)}<a class="btn" href="/about">${t('rules.about')}</a>
      <button type="button" class="btn gold" data-close>${t('common.done')}</button>`,
  }, 'learn-sheet');
  dialog.addEventListener('change', (event) => {
    shown = /** @type {HTMLInputElement} */ (event.target).value;
    draw();
  });
}
