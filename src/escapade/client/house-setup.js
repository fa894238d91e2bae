// @ts-check
/** The house rules: what each is called, what is printed, and what may be chosen instead. */
import { html } from './dom.js';
import { has, t } from './lang.js';
import { gameOf } from './setup.js';

/** @typedef {import('./setup.js').Choice} Choice */
/** The values of a house rule. @typedef {(string | number)[] | { from: number, to: number }} Values */
/** What the server offers. `editions` are the rules of each, `house` the values of each game's house rules.
 * @typedef {{ editions: Record<string, Record<string, string | number>>, house: Record<string, Record<string, Values>>, segments: string[] }} Offer */

/** Longer ranges are typed, not listed. */
const LONGEST_LIST = 12;

/** @param {Values} values */
const listed = (values) => (Array.isArray(values) ? values : Array.from({ length: values.to - values.from + 1 }, (_, i) => values.from + i));

/** @param {string} rule @param {string | number} value */
function valueText(rule, value) {
  const path = [`house.${rule}.values.${value}`, `house.values.${value}`].find(has);
  return path ? t(path) : String(value);
}

/** @param {string} rule @param {Values} values @param {string | number | undefined} printed @param {string} chosen */
function houseRule(rule, values, printed, chosen) {
  const now = chosen === String(printed) ? '' : chosen;
  const usual = t('house.printed', { value: printed === undefined ? t('house.none') : valueText(rule, printed) });
  const names = html`id="rule-${rule}" name="rule-${rule}" aria-describedby="says-${rule}"`;
  const field = Array.isArray(values) || values.to - values.from < LONGEST_LIST
    ? html`<select ${names} data-value="${now}"><option value="">${usual}</option>${listed(values).filter((value) => value !== printed).map((value) =>
      html`<option value="${value}">${valueText(rule, value)}</option>`)}</select>`
    : html`<input class="input" type="number" inputmode="numeric" ${names} min="${values.from}" max="${values.to}" value="${now}" placeholder="${usual}">`;
  return html`<div class="rule ${now && 'set'}" data-key="${rule}">
    <p><label for="rule-${rule}">${t(`house.${rule}.name`)}</label><small id="says-${rule}">${t(`house.${rule}.says`)}</small></p>${field}</div>`;
}

/** A field for every house rule of the chosen game; their names begin with `rule-`. @param {Choice} choice @param {Offer} offer */
export function houseBody(choice, offer) {
  const game = gameOf(choice.edition), printed = offer.editions[choice.edition];
  return html`${Object.entries(offer.house[game]).map(([rule, values]) => houseRule(rule, values, printed[rule], choice.rules[game][rule] ?? ''))}`;
}

/** @param {Choice} choice @param {string} rule @param {string} value empty: as printed */
export function chooseRule(choice, rule, value) {
  const rules = choice.rules[gameOf(choice.edition)];
  if (value === '') delete rules[rule];
  else rules[rule] = value;
}
