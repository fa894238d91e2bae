// @ts-check
/** The sheet with all options for a new game. */
import { markup } from '../lib/dom.js';
import { loadSetup } from '../faces.js';
import { t } from '../lib/lang.js';
import { clockText, editionName, editionSays, kindName, kindOf, KINDS, levelName, printedRules } from '../lib/offer.js';
import { SEATS, sign } from '../lib/seats.js';
import { save, settings } from '../lib/settings.js';
import { openSheet } from '../lib/sheet.js';
import { chooseRule, houseBody } from './house.js';
import { scale } from './scale.js';
import {
  chairsOf,
  chooseColour,
  chooseEdition,
  chooseLevel,
  choosePlayers,
  chooseSitter,
  CLOCKS,
  commonLevel,
  faultText,
  houseRules,
  isBot,
  kindChosen,
  maySit,
  namesOf,
  offered,
  playerNumbers,
  reset,
  start,
  tidy,
  WAYS,
} from './setup.js';

/** @typedef {import('./setup.js').Choice} Choice */
/** @typedef {import('./setup.js').Way} Way */
/** @typedef {import('../faces.js').Setup} Part */
/** A value and its text. @typedef {[string, string]} Option */

/** The parts that some kinds of games add to the sheet. @returns {Promise<Record<string, Part>>} */
async function kindParts() {
  const parts = await Promise.all(Object.keys(KINDS).map(async (kind) => [kind, await loadSetup(kind)]));
  return Object.fromEntries(parts.filter(([, part]) => part));
}

/** @param {string} name @param {string | number} value @param {boolean} on @param {unknown} text */
const radio = (name, value, on, text) =>
  markup`<label class="opt"><input type="radio" name="${name}" value="${value}"
      ${on && 'checked'}><span>${text}</span></label>`;

/** @param {string} value @param {string} text @returns {Option} */
const option = (value, text) => [value, text];

/** @param {string} value @param {string} text */
const optionTag = (value, text) => markup`<option value="${value}">${text}</option>`;

/** @param {string} name @param {string} label @param {string | number | null} now @param {Option[]} options */
const chooser = (name, label, now, options) =>
  markup`<label class="field"><span>${label}</span>
  <select name="${name}" data-value="${now}">${
    options.map(([value, text]) => optionTag(value, text))
  }</select></label>`;

/** @param {string} edition */
const fullName = (edition) => [...new Set([kindName(kindOf(edition) ?? ''), editionName(edition)])].join(' · ');

/** What is played. @param {Choice} choice @param {Way} way */
function what(choice, way) {
  const ways = WAYS.map((one) => radio('way', one, one === way, t(`setup.way.${one}.name`)));
  const numbers = playerNumbers(choice).map((n) => radio('players', n, n === choice.players, n));
  const editions = Object.values(KINDS).flatMap((kind) => kind.editions.map((one) => option(one, fullName(one))));
  return markup`
  <fieldset><legend class="off">${t('home.ways')}</legend><div class="seg even">${ways}</div></fieldset>
  <p class="dim">${t(`setup.way.${way}.says`)}</p>
  <div class="columns">${chooser('edition', t('home.game-label'), choice.edition, editions)}
    <fieldset class="field"><legend>${
    t('home.players')
  }</legend><div class="seg tight">${numbers}</div></fieldset></div>
  <p class="dim">${editionSays(choice.edition)}</p>`;
}

/** Who plays. @param {Choice} choice @param {Way} way */
function who(choice, way) {
  const names = namesOf(choice, way);
  /** @param {string} sits */
  const text = (sits) => {
    if (isBot(sits)) return t('setup.bot', { level: levelName(sits) });
    return t(sits === 'me' && way !== 'screen' ? 'setup.sits.you' : `setup.sits.${sits}`);
  };
  /** @param {import('./setup.js').Chair} chair @param {number} i */
  const row = ({ sits, name, colour }, i) => {
    const options = maySit(choice, way, i), n = i + 1, given = i === 0 && sits === 'me' ? settings.name : name;
    const recolour = t('setup.colour', { n, colour: t(`colour.${SEATS[colour].name}`) });
    return markup`<li>
      <button type="button" class="quiet" data-colour="${i}" title="${t('setup.recolour')}"
        aria-label="${recolour}">${sign(colour)}</button>
      <input class="input" name="name-${i}" value="${given}" placeholder="${names[i] ?? t('setup.whoever')}"
        maxlength="24" autocomplete="off" aria-label="${t('setup.name', { n })}" ${sits === 'free' && 'disabled'}>
      <select name="sits-${i}" data-value="${sits}" aria-label="${t('setup.who', { n })}"
        ${options.length === 1 && 'disabled'}>${options.map((one) => optionTag(one, text(one)))}</select></li>`;
  };
  const rows = chairsOf(choice, way).map(row);
  return markup`<fieldset class="field"><legend>${t('setup.seats')}</legend><ol class="chairs">${rows}</ol></fieldset>`;
}

/** How it is played. @param {Choice} choice @param {Way} way @param {Part | undefined} part */
function how(choice, way, part) {
  const { first, clock } = choice.companies[way], level = commonLevel(choice, way);
  const bots = chairsOf(choice, way).filter(({ sits }) => isBot(sits)).length;
  const beginners = namesOf(choice, way).map((name, i) => option(String(i), name ?? t('setup.seat', { n: i + 1 })));
  return markup`${
    bots > 0 &&
    markup`<fieldset class="field"><legend>${t('setup.all-bots')}</legend>${
      scale(offered(choice).levels, level, t('setup.all-bots'))
    }</fieldset>`
  }<div class="columns">
    ${chooser('first', t('setup.first'), first, [['', t('setup.chance')], ...beginners])}
    ${chooser('clock', t('setup.clock'), clock, CLOCKS.map((seconds) => [String(seconds ?? ''), clockText(seconds)]))}
    ${part?.fields(choice).map(({ name, label, now, options }) => chooser(name, label, now, options))}</div>`;
}

/** Store a field's value. Fields of seats and rules have names like `name-2` and `rule-deal`.
 * @param {Choice} choice @param {Way} way @param {string} field @param {string} value */
function choose(choice, way, field, value) {
  const [, part, of] = /** @type {RegExpExecArray} */ (/^([a-z]+)-?(.*)$/.exec(field)),
    company = choice.companies[way],
    chair = company.chairs[Number(of)];
  if (part === 'edition') chooseEdition(choice, value);
  if (part === 'players') choosePlayers(choice, Number(value));
  if (part === 'level') chooseLevel(choice, way, offered(choice).levels[Number(value)]);
  if (part === 'first') company.first = value === '' ? null : Number(value);
  if (part === 'clock') company.clock = value === '' ? null : Number(value);
  if (part === 'printing') choice.printing = value;
  if (part === 'rule') chooseRule(choice, of, value);
  if (part === 'sits') chooseSitter(chair, value);
  if (part === 'name' && of === '0' && chair.sits === 'me') save({ name: tidy(value) });
  else if (part === 'name') chair.name = tidy(value);
}

/** Open the sheet for a way to play; without house rules if the server cannot be reached. What is chosen on it is
 * forgotten unless the player plays or keeps it.
 * @param {Choice} kept changed in place, when it is confirmed @param {Way} way @param {() => void} changed */
export async function openSetup(kept, way, changed) {
  const choice = structuredClone(kept), { name } = settings;
  let confirmed = false;
  const [editions, parts] = await Promise.all([printedRules(), kindParts()]), unfolded = new Set();
  let fault = '';

  /** A part that can be folded.
   * @param {string} name @param {string} now what it is set to @param {() => unknown} inside */
  const fold = (name, now, inside) =>
    markup`<details class="fold" data-key="${name}" data-fold="${name}" ${unfolded.has(name) && 'open'}>
    <summary><b>${t(`setup.${name}`)}</b><span>${now}</span></summary><div
        class="inside">${unfolded.has(name) && inside()}</div></details>`;
  const folds = () => {
    const own = parts[kindChosen(choice)]?.fold, n = Object.keys(houseRules(choice)).length;
    return markup`<div class="folds">${own && fold(own.name, own.now(choice), () => own.body(choice))}
      ${
      editions &&
      fold('house', n ? t('setup.changed', { n }) : t('setup.as-printed'), () => houseBody(choice, editions))
    }</div>`;
  };
  const { dialog, draw } = openSheet({
    title: () => t('setup.title'),
    body: () => markup`${what(choice, way)}${who(choice, way)}${how(choice, way, parts[kindChosen(choice)])}${folds()}`,
    footer: () =>
      markup`<p class="fault" role="alert">${fault}</p><button type="button" class="quiet"
          data-reset>${t('setup.reset')}</button>
      <button type="button" class="btn" data-keep>${t('setup.keep')}</button>
      <button type="button" class="btn gold" data-start>${t(`setup.way.${way}.start`)}</button>`,
  }, 'setup-sheet');
  dialog.addEventListener('close', () => {
    if (!confirmed) save({ name });
  });
  const keepAll = () => {
    confirmed = true;
    Object.assign(kept, choice);
    changed();
    dialog.close();
  };
  for (const { fold: { listen } } of Object.values(parts)) listen(dialog, choice, draw);

  const begin = async () => {
    const refused = await start(choice, way);
    confirmed = !refused;
    if (!refused) return dialog.close();
    fault = faultText(refused);
    draw();
  };
  /** @param {number} i */
  const recolour = (i) => {
    const { chairs } = choice.companies[way];
    chooseColour(chairs, i, (chairs[i].colour + 1) % SEATS.length);
    draw();
  };
  dialog.addEventListener('input', (event) => {
    const { name, value } = /** @type {HTMLInputElement} */ (event.target);
    if (name !== 'level') return;
    choose(choice, way, name, value);
    draw();
  });
  dialog.addEventListener('change', (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (!field.reportValidity()) return;
    if (field.name === 'way') way = /** @type {Way} */ (field.value);
    else choose(choice, way, field.name, field.value);
    draw();
  });
  dialog.addEventListener('click', (event) => {
    const { colour, reset: back, keep, start: go } =
      /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('button'))?.dataset ?? {};
    if (colour !== undefined) recolour(Number(colour));
    if (go !== undefined) begin();
    if (keep !== undefined) keepAll();
    if (back === undefined) return;
    reset(choice);
    draw();
  });
  dialog.addEventListener('toggle', (event) => {
    const { dataset: { fold: name }, open } = /** @type {HTMLDetailsElement} */ (event.target);
    if (!name || open === unfolded.has(name)) return;
    if (open) unfolded.add(name);
    else unfolded.delete(name);
    draw();
  }, true);
}
