// @ts-check
/** The fields for house rules: name, printed value, other values. */
import { markup } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { ruleName, ruleSays, ruleValue } from '../lib/offer.js';
import { houseRules, offered } from './setup.js';

/** @typedef {import('./setup.js').Choice} Choice */
/** @typedef {import('../lib/offer.js').Values} Values */
/** @typedef {import('../lib/offer.js').Printed} Printed */

/** Longer ranges get a number field instead of a list. */
const LONGEST_LIST = 12;

/** @param {Values} values */
const listed = (
  values,
) => (Array.isArray(values) ? values : Array.from({ length: values.to - values.from + 1 }, (_, i) => values.from + i));

/** @param {string} rule @param {Values} values @param {string | number | undefined} printed @param {string} chosen */
function houseRule(rule, values, printed, chosen) {
  const now = chosen === String(printed) ? '' : chosen;
  const usual = t('house.printed', { value: printed === undefined ? t('house.none') : ruleValue(rule, printed) });
  const names = markup`id="rule-${rule}" name="rule-${rule}" aria-describedby="says-${rule}"`;
  const field = Array.isArray(values) || values.to - values.from < LONGEST_LIST
    ? markup`<select ${names} data-value="${now}"><option value="">${usual}</option>${
      listed(values).filter((value) => value !== printed).map((value) =>
        markup`<option value="${value}">${ruleValue(rule, value)}</option>`
      )
    }</select>`
    : markup`<input class="input" type="number" inputmode="numeric" ${names} min="${values.from}" max="${values.to}"
      value="${now}" placeholder="${usual}">`;
  return markup`<div class="rule ${now && 'set'}" data-key="${rule}">
    <p><label for="rule-${rule}">${ruleName(rule)}</label><small id="says-${rule}">${
    ruleSays(rule)
  }</small></p>${field}</div>`;
}

/** A field for every house rule of the chosen game; their names begin with `rule-`.
 * @param {Choice} choice @param {Printed} editions */
export function houseBody(choice, editions) {
  const printed = editions[choice.edition] ?? {}, chosen = houseRules(choice);
  return markup`${
    Object.entries(offered(choice).house).map(([rule, values]) =>
      houseRule(rule, values, printed[rule], chosen[rule] ?? '')
    )
  }`;
}

/** @param {Choice} choice @param {string} rule @param {string} value empty: as printed */
export function chooseRule(choice, rule, value) {
  const rules = houseRules(choice);
  if (value === '') delete rules[rule];
  else rules[rule] = value;
}
