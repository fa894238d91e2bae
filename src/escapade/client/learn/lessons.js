// @ts-check
/** How to play, as a text: the rules of what is played, step by step. */
import { markup } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { editionName, editionSays, KINDS, ruleName, ruleValue } from '../lib/offer.js';

/** @typedef {import('../faces.js').Lesson} Lesson */
/** @typedef {import('../faces.js').Played} Played */

/** The rules of what is played, step by step: first what this edition is, and what was agreed on instead.
 * @param {string} kind @param {Lesson} lesson @param {Played} played @param {[string, string][]} house */
export const lessonBody = (kind, lesson, played, house) =>
  markup`${
    (KINDS[kind]?.editions.length > 1 || house.length > 0) &&
    markup`<section class="note"><h3>${t('learn.edition')} · ${editionName(played.edition)}</h3><p>${
      editionSays(played.edition)
    }</p>${
      house.length > 0 &&
      markup`<h3>${t('setup.house')}</h3>${
        house.map(([rule, value]) =>
          markup`<p><b>${t('agreed.rule', { rule: ruleName(rule), value: ruleValue(rule, value) })}</b></p>`
        )
      }`
    }</section>`
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

/** The way to the lesson by doing. @param {string} kind @param {boolean} [apart] in a tab of its own */
export const practiceLink = (kind, apart) =>
  markup`<a class="btn" href="/learn/${kind}" ${apart && markup`target="_blank"`}>${t('help.practise')}</a>`;
