// @ts-check
/** What the server offers, as it wrote it into the page: levels of bots, and of each kind of game what can be
 * chosen. */
import { has, t } from './lang.js';

/** The values of a house rule. @typedef {(string | number)[] | { from: number, to: number }} Values */
/** A kind of game: its own name, its editions, the fewest and the most players, the values of its house rules, and
 * whatever else its part of the setup sheet knows how to offer.
 * @typedef {{ title: string, editions: string[], players: [number, number], house: Record<string, Values>,
 *   offers: Record<string, any> }} Kind */

/** The name of a bot's level. @typedef {NonNullable<import('./messages.js').Place['bot']>} Level */

/** @type {{ levels: Level[], kinds: Record<string, Kind> }} */
const OFFER = JSON.parse(
  document.querySelector('meta[name="offer"]')?.getAttribute('content') || '{"levels":[],"kinds":{}}',
);

/** The levels of bots, weakest first. */
export const LEVELS = OFFER.levels;

/** The kinds of games by their names. */
export const KINDS = OFFER.kinds;

/** The kind of game that an edition belongs to; undefined if the server does not have it. @param {string} edition */
export const kindOf = (edition) => Object.keys(KINDS).find((kind) => KINDS[kind].editions.includes(edition));

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

/** What is played, as in `Jamaica` with a sign for house rules. @param {string} game */
export const gameName = (game) => editionName(game.split('+')[0]) + (game.includes('+') ? ` ${t('table.house')}` : '');
