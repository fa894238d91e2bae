// @ts-check
/** The setup of a new game: the player's choices, how they are remembered, and the request for a table. */
import { crewOf, loadFace } from '../faces.js';
import { has, t } from '../lib/lang.js';
import { kindOf, KINDS, levelIn, LEVELS } from '../lib/offer.js';
import { SEATS } from '../lib/seats.js';
import { keep, save, settings } from '../lib/settings.js';
import { go } from '../main.js';

/** @typedef {import('../lib/messages.js').Refusal} Refusal */
/** @typedef {import('../lib/offer.js').Level} Level */
/** @typedef {'bots' | 'friends' | 'screen' | 'watch'} Way */
/** A seat: `sits` is `me` (whoever is at this screen), `free` (whoever has the link) or the level of a bot. A seat
 * without a name is given one when the table is made.
 * @typedef {{ sits: string, name: string, colour: number }} Chair */
/** Who plays, which chair begins (null: by chance) and the seconds of a turn (null: no clock).
 * @typedef {{ chairs: Chair[], first: number | null, clock: number | null }} Company */
/** `rules` are the house rules by kind of game, `tunnel` is null where chance lays it, `printing` is '' for the usual
 * one; each way to play has a company of its own. Browsers remember choices, so old ones must stay readable.
 * @typedef {{ edition: string, players: number, printing: string, tunnel: string | null,
 *   rules: Record<string, Record<string, string>>, companies: Record<Way, Company> }} Choice */

/** @type {Way[]} */
export const WAYS = ['bots', 'friends', 'screen', 'watch'];
/** Seconds a turn; null is no clock. */
export const CLOCKS = [null, 30, 60, 120, 300, 3600, 86_400, 3 * 86_400, 7 * 86_400];

/** @param {string} first who sits on the first chair @param {string} rest @returns {Chair[]} */
const chairs = (first, rest) => SEATS.map((_, colour) => ({ sits: colour ? rest : first, name: '', colour }));

/** Defaults for somebody who has never played: the first edition of the first game, two weak rivals, and the
 * first turn. @returns {Choice} */
const beginner = () => ({
  edition: Object.values(KINDS)[0].editions[0],
  players: 3,
  printing: '',
  tunnel: null,
  rules: {},
  companies: {
    bots: { chairs: chairs('me', 'sailor'), first: 0, clock: null },
    friends: { chairs: chairs('me', 'free'), first: null, clock: null },
    screen: { chairs: chairs('me', 'me'), first: null, clock: null },
    watch: { chairs: chairs('captain', 'captain'), first: null, clock: null },
  },
});

/** The choice remembered by this browser if the server still has its edition, otherwise the defaults.
 * @returns {Choice} */
export function remembered() {
  const last = structuredClone(settings.setup ?? {}), known = kindOf(last.edition) !== undefined;
  return { ...beginner(), ...(known ? last : {}) };
}

/** Back to the defaults. @param {Choice} choice */
export const reset = (choice) => Object.assign(choice, beginner());

/** @param {Choice} choice */
export const remember = (choice) => save({ setup: choice });

/** The chosen kind of game. @param {Choice} choice */
export const kindChosen = ({ edition }) => /** @type {string} */ (kindOf(edition));

/** What the server offers for the chosen kind of game. @param {Choice} choice */
export const offered = (choice) => KINDS[kindChosen(choice)];

/** The chosen house rules of the chosen kind; callers may change them. @param {Choice} choice */
export const houseRules = (choice) => (choice.rules[kindChosen(choice)] ??= {});

/** @param {Choice} choice */
export function playerNumbers(choice) {
  const [fewest, most] = offered(choice).players;
  return Array.from({ length: most - fewest + 1 }, (_, i) => fewest + i);
}

/** @param {Choice} choice @param {string} edition */
export function chooseEdition(choice, edition) {
  choice.edition = edition;
  const [fewest, most] = offered(choice).players;
  choosePlayers(choice, Math.max(fewest, Math.min(choice.players, most)));
  for (const { chairs } of Object.values(choice.companies)) {
    for (const chair of chairs) if (isBot(chair.sits)) chair.sits = levelIn(edition, chair.sits);
  }
}

/** @param {Choice} choice @param {number} players */
export function choosePlayers(choice, players) {
  choice.players = players;
  for (const company of Object.values(choice.companies)) {
    if (company.first !== null && company.first >= players) company.first = null;
  }
}

/** The chairs in use. @param {Choice} choice @param {Way} way */
export const chairsOf = (choice, way) => choice.companies[way].chairs.slice(0, choice.players);

/** @param {string} sits */
export const isBot = (sits) => LEVELS.some((level) => level === sits);

/** Who may sit on a chair in a way to play.
 * @param {Choice} choice @param {Way} way @param {number} chair @returns {string[]} */
export function maySit(choice, way, chair) {
  const { levels } = offered(choice);
  if (way === 'watch') return levels;
  if (way === 'bots') return chair === 0 ? ['me'] : levels;
  const person = way === 'friends' && chair > 0 ? ['free'] : ['me'];
  return chair === 0 ? person : [...person, ...levels];
}

/** The level that all bots have; null if they differ or there are no bots. @param {Choice} choice @param {Way} way */
export function commonLevel(choice, way) {
  const levels = new Set(chairsOf(choice, way).map((chair) => chair.sits).filter(isBot));
  return levels.size === 1 ? [...levels][0] : null;
}

/** @param {Choice} choice @param {Way} way @param {string} level */
export function chooseLevel(choice, way, level) {
  for (const chair of choice.companies[way].chairs) if (isBot(chair.sits)) chair.sits = level;
}

/** Seat somebody else. A person's name is not passed on to a bot, nor a bot's to a person.
 * @param {Chair} chair @param {string} sits */
export function chooseSitter(chair, sits) {
  if (isBot(chair.sits) !== isBot(sits)) chair.name = '';
  chair.sits = sits;
}

/** Give a chair a colour; the chair that had it gets the old one in exchange.
 * @param {Chair[]} all @param {number} chair @param {number} colour */
export function chooseColour(all, chair, colour) {
  const other = all.find((one) => one.colour === colour);
  if (other) other.colour = all[chair].colour;
  all[chair].colour = colour;
}

/** A name without what the server refuses. @param {string} name */
export const tidy = (name) => name.replace(/[/"\p{Cc}]/gu, '').trim().slice(0, 24);

/** The names at the table: given ones, and unused names of the crew for the others. A free seat has none.
 * @param {Choice} choice @param {Way} way @returns {(string | null)[]} */
export function namesOf(choice, way) {
  const given = chairsOf(choice, way).map((chair, i) =>
    chair.name || (chair.sits === 'me' && personName(way, i)) || ''
  );
  const taken = new Set(given.map((name) => name.toLowerCase()));
  const crew = crewOf(kindChosen(choice)).filter((name) => !taken.has(name.toLowerCase()));
  return chairsOf(choice, way).map((chair, i) => (chair.sits === 'free' ? null : given[i] || crew[i]));
}

/** @param {Way} way @param {number} chair */
function personName(way, chair) {
  if (chair === 0 && settings.name) return settings.name;
  return way === 'screen' ? t('setup.player', { n: chair + 1 }) : 'Robin';
}

/** Edition and house rules as the notation writes them. @param {Choice} choice */
export function gameText(choice) {
  const rules = Object.entries(houseRules(choice)).sort(([a], [b]) => (a < b ? -1 : 1));
  return [choice.edition, ...rules.map(([rule, value]) => `${rule}=${value}`)].join('+');
}

/** The tunnel laid by hand, if the chosen game has tunnels. @param {Choice} choice */
export const tunnelOf = (choice) => (offered(choice).offers.segments ? choice.tunnel : null);

/** The request for a table. @param {Choice} choice @param {Way} way @returns {import('../lib/messages.js').Setup} */
function setupMessage(choice, way) {
  const { first, clock } = choice.companies[way], names = namesOf(choice, way);
  const printing = offered(choice).offers.printings?.find((/** @type {string} */ one) => one === choice.printing);
  return {
    game: gameText(choice),
    first,
    clock,
    printing,
    tunnel: tunnelOf(choice),
    ...(settings.speed ? {} : { pace: 0 }),
    seats: chairsOf(choice, way).map(({ sits, colour }, i) => ({
      name: names[i],
      colour,
      mine: sits === 'me',
      bot: isBot(sits) ? /** @type {Level} */ (sits) : null,
    })),
  };
}

/** @param {Choice} choice @param {Way} way @param {(table: string) => void} [made] what to remember instead of the
 * choice @returns {Promise<Refusal | undefined>} */
async function ask(choice, way, made) {
  try {
    const body = JSON.stringify(setupMessage(choice, way));
    const asked = fetch('/api/tables', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    // load these while the server answers
    Promise.allSettled([import('../table/page.js'), loadFace(kindChosen(choice))]);
    const answer = await asked;
    const told = await answer.json();
    if (!answer.ok) return told;
    if (made) made(told.table);
    else remember(choice);
    keep(told.table, told.key, choice.edition);
    go(`/t/${told.table}`);
  } catch {
    return { code: 'offline' };
  }
}

/** @type {Promise<Refusal | undefined> | undefined} */
let asking;

/** Make the table and go there, or return the refusal. A second press in the meantime makes no second table.
 * @param {Choice} choice @param {Way} way */
export function start(choice, way) {
  asking ??= ask(choice, way).finally(() => {
    asking = undefined;
  });
  return asking;
}

/** The first game after the lessons: against one of the easiest rivals, and guided. @param {string} kind */
export function startFirst(kind) {
  const choice = beginner();
  chooseEdition(choice, KINDS[kind].editions[0]);
  choosePlayers(choice, KINDS[kind].players[0]);
  chooseLevel(choice, 'bots', offered(choice).levels[0]);
  asking ??= ask(choice, 'bots', (guided) => save({ guided })).finally(() => {
    asking = undefined;
  });
  return asking;
}

/** A refusal in words. @param {Refusal} fault */
export function faultText({ code, where }) {
  const path = `setup.fault.${code}`;
  return has(path) ? t(path) : t('setup.fault.other', { code: [code, where].filter(Boolean).join(', ') });
}
