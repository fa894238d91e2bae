// @ts-check
/** What the table agreed on, for everyone to read: edition, house rules, clock, bots, host, luck. */
import { markup } from '../lib/dom.js';
import { list, t } from '../lib/lang.js';
import {
  clockText,
  editionName,
  editionSays,
  houseRulesOf,
  kindName,
  levelName,
  ruleName,
  ruleValue,
} from '../lib/offer.js';
import { watched } from './state.js';

/** @typedef {import('./state.js').Table} Table */

/** @param {string} name @param {unknown} value */
const row = (name, value) => markup`<div><dt>${name}</dt><dd>${value}</dd></div>`;

/** @param {Table} table */
function houseRules(table) {
  const rules = houseRulesOf(table.game, watched(table));
  if (!rules.length) return t('agreed.none');
  return rules.map(([rule, value]) =>
    markup`<b>${t('agreed.rule', { rule: ruleName(rule), value: ruleValue(rule, value) })}</b>`
  );
}

/** Who made the table. @param {Table} table */
function host({ host, seats }) {
  if (host) return t('table.you');
  return list([...new Set(seats.filter((sitter) => sitter.host).map(({ name }) => name))]) || t('agreed.watches');
}

/** @param {Table} table */
export function agreed(table) {
  const { kind, game, rules, clock, seats, commitment } = table, edition = game.split('+')[0];
  const bots = seats.filter(({ bot }) => bot).map(({ name, bot }) => `${name} (${levelName(bot ?? '')})`);
  return markup`<dl class="agreed">
    ${
    row(
      t('home.game-label'),
      markup`<b>${[...new Set([kindName(kind), editionName(edition)])].join(' · ')}</b>
      <small>${editionSays(edition)}</small>`,
    )
  }
    ${row(t('setup.house'), houseRules(table))}
    ${
    watched(table)
      ? rules['turn-limit'] && row(ruleName('turn-limit'), rules['turn-limit'])
      : row(t('setup.clock'), clockText(clock))
  }
    ${bots.length > 0 && row(t('agreed.bots'), list(bots))}
    ${!watched(table) && row(t('agreed.host'), host(table))}
    ${
    row(
      t('agreed.luck'),
      commitment
        ? markup`<small>${t('agreed.sealed')}</small> <code>${commitment}</code>`
        : markup`<small>${t('agreed.unsealed')}</small>`,
    )
  }</dl>`;
}
