// @ts-check
/** What the server offers, as it wrote it into the page: levels of bots, and of each kind of game what can be
 * chosen. */
import { has, t } from './lang.js';

/** The values of a house rule. @typedef {(string | number)[] | { from: number, to: number }} Values */
/** A kind of game: its own name, its editions, the fewest and the most players, the values of its house rules, the
 * levels that it has bots for, and whatever else its part of the setup sheet knows how to offer.
 * @typedef {{ title: string, editions: string[], players: [number, number], house: Record<string, Values>,
 *   levels: Level[], offers: Record<string, any> }} Kind */

/** The name of a bot's level. @typedef {NonNullable<import('./messages.js').Place['bot']>} Level */

/** @type {{ levels: Level[], kinds: Record<string, Kind> }} */
const OFFER = JSON.parse(
  document.querySelector('meta[name="offer"]')?.getAttribute('content') || '{"levels":[],"kinds":{}}',
);

/** The levels of bots, weakest first; not every kind of game has them all. */
export const LEVELS = OFFER.levels;

/** The kinds of games by their names. */
export const KINDS = OFFER.kinds;

/** The kind of game that an edition belongs to; undefined if the server does not have it. @param {string} edition */
export const kindOf = (edition) => Object.keys(KINDS).find((kind) => KINDS[kind].editions.includes(edition));

/** The levels that there are bots for in an edition, with or without house rules. @param {string} game */
export const levelsOf = (game) => KINDS[kindOf(game.split('+')[0]) ?? '']?.levels ?? [];

/** A level, or the strongest that an edition has if that is not one of them.
 * @param {string} game @param {string} level */
export const levelIn = (game, level) => levelsOf(game).find((one) => one === level) ?? levelsOf(game).at(-1) ?? level;

/** The text for something that the server offers, or the fallback if the catalogs have none yet.
 * @param {string} path @param {string} fallback */
const textOr = (path, fallback) => (has(path) ? t(path) : fallback);

/** @param {string} kind */
export const kindName = (kind) => textOr(`home.game.${kind}.name`, KINDS[kind]?.title ?? kind);

/** @param {string} edition */
export const editionName = (edition) => textOr(`edition.${edition}.name`, edition);

/** What is special about an edition. @param {string} edition */
export const editionSays = (edition) => textOr(`edition.${edition}.says`, '');

/** @param {string} level */
export const levelName = (level) => textOr(`level.${level}.name`, level);

/** How a level plays. @param {string} level */
export const levelSays = (level) => textOr(`level.${level}.says`, '');

/** @param {string} rule */
export const ruleName = (rule) => textOr(`house.${rule}.name`, rule);

/** @param {string} rule */
export const ruleSays = (rule) => textOr(`house.${rule}.says`, '');

/** @param {string} rule @param {string | number} value */
export const ruleValue = (rule, value) =>
  textOr(`house.${rule}.values.${value}`, textOr(`house.values.${value}`, String(value)));

/** The house rules of a game such as `tortuga+pirates=4`, with their values. A game that only bots play has a turn
 * limit so that it ends, which is no house rule.
 * @param {string} game @param {boolean} [watched] @returns {[string, string][]} */
export const houseRulesOf = (game, watched = false) =>
  game.split('+').slice(1).map((rule) => /** @type {[string, string]} */ (rule.split('='))).filter(([rule]) =>
    !watched || rule !== 'turn-limit'
  );

/** What is played, as in `Jamaica` with a sign for house rules. @param {string} game @param {boolean} [watched] */
export const gameName = (game, watched) =>
  editionName(game.split('+')[0]) + (houseRulesOf(game, watched).length ? ` ${t('table.house')}` : '');

/** The time for a turn. @param {number | null} seconds */
export function clockText(seconds) {
  if (seconds === null) return t('setup.clock-off');
  if (seconds < 60) return t('setup.seconds', { n: seconds });
  if (seconds < 3600) return t('setup.minutes', { n: seconds / 60 });
  return seconds < 86_400 ? t('setup.hours', { n: seconds / 3600 }) : t('setup.days', { n: seconds / 86_400 });
}

/** The rules of each edition. @typedef {Record<string, Record<string, string | number>>} Printed */

/** @type {Printed | undefined} */
let printed;

/** The rules of every edition, fetched once; undefined if the server cannot be reached. */
export async function printedRules() {
  try {
    printed ??= /** @type {Printed} */ ((await (await fetch('/api/rules')).json()).editions);
  } catch { /* fetched again next time */ }
  return printed;
}
