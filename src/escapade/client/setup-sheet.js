// @ts-check
/** Everything that can be chosen about a game, over the home page. */
import { html } from './dom.js';
import { chooseRule, houseBody } from './house-setup.js';
import { t } from './lang.js';
import { SEATS, sign } from './seats.js';
import { save, settings } from './settings.js';
import {
  chairsOf, chooseColour, chooseEdition, chooseLevel, choosePlayers, chooseSitter, CLOCKS, commonLevel, EDITIONS, faultText, gameOf, isBot, LEVELS, maySit,
  namesOf, playerNumbers, reset, start, tidy, WAYS,
} from './setup.js';
import { openSheet } from './sheet.js';
import { layTunnel, tunnelBody } from './tunnel-setup.js';

/** @typedef {import('./setup.js').Choice} Choice */
/** @typedef {import('./setup.js').Way} Way */
/** A value and its text. @typedef {[string, string]} Option */

/** @type {import('./house-setup.js').Offer | undefined} */
let offer;

/** What the server offers, asked for once; undefined where it cannot be reached, and then only the usual rules can be chosen. */
async function offered() {
  try {
    offer ??= await (await fetch('/api/rules')).json();
  } catch { /* asked again next time */ }
  return offer;
}

/** @param {string} name @param {string | number} value @param {boolean} on @param {unknown} text */
const radio = (name, value, on, text) =>
  html`<label class="opt"><input type="radio" name="${name}" value="${value}" ${on && 'checked'}><span>${text}</span></label>`;

/** @param {string} name @param {string} label @param {string | number | null} now @param {Option[]} options */
const chooser = (name, label, now, options) => html`<label class="field"><span>${label}</span>
  <select name="${name}" data-value="${now}">${options.map(([value, text]) => html`<option value="${value}">${text}</option>`)}</select></label>`;

/** @param {number | null} seconds */
function clockText(seconds) {
  if (seconds === null) return t('setup.clock-off');
  if (seconds < 60) return t('setup.seconds', { n: seconds });
  if (seconds < 3600) return t('setup.minutes', { n: seconds / 60 });
  return seconds < 86_400 ? t('setup.hours', { n: seconds / 3600 }) : t('setup.days', { n: seconds / 86_400 });
}

/** @param {string} edition */
const gameName = (edition) => [...new Set([t(`home.game.${gameOf(edition)}.name`), t(`edition.${edition}.name`)])].join(' · ');

/** What is played. @param {Choice} choice @param {Way} way */
const what = (choice, way) => html`
  <fieldset><legend class="off">${t('home.ways')}</legend>
    <div class="seg even">${WAYS.map((one) => radio('way', one, one === way, t(`setup.way.${one}.name`)))}</div></fieldset>
  <p class="dim">${t(`setup.way.${way}.says`)}</p>
  <div class="columns">${chooser('edition', t('home.game-label'), choice.edition, Object.values(EDITIONS).flat().map((one) => [one, gameName(one)]))}
    <fieldset class="field"><legend>${t('home.players')}</legend>
      <div class="seg tight">${playerNumbers(choice).map((n) => radio('players', n, n === choice.players, n))}</div></fieldset></div>
  <p class="dim">${t(`edition.${choice.edition}.says`)}</p>`;

/** Who plays. @param {Choice} choice @param {Way} way */
function who(choice, way) {
  const names = namesOf(choice, way);
  /** @param {string} sits */
  const text = (sits) => {
    if (isBot(sits)) return t('setup.bot', { level: t(`level.${sits}.name`) });
    return t(sits === 'me' && way !== 'screen' ? 'setup.sits.you' : `setup.sits.${sits}`);
  };
  /** @param {import('./setup.js').Chair} chair @param {number} i */
  const row = ({ sits, name, colour }, i) => {
    const options = maySit(way, i), n = i + 1, given = i === 0 && sits === 'me' ? settings.name : name;
    const recolour = t('setup.colour', { n, colour: t(`colour.${SEATS[colour].name}`) });
    return html`<li>
      <button type="button" class="quiet" data-colour="${i}" title="${t('setup.recolour')}" aria-label="${recolour}">${sign(colour)}</button>
      <input class="input" name="name-${i}" value="${given}" placeholder="${names[i] ?? t('setup.whoever')}" maxlength="24" autocomplete="off"
        aria-label="${t('setup.name', { n })}" ${sits === 'free' && 'disabled'}>
      <select name="sits-${i}" data-value="${sits}" aria-label="${t('setup.who', { n })}" ${options.length === 1 && 'disabled'}>${options.map((one) =>
        html`<option value="${one}">${text(one)}</option>`)}</select></li>`;
  };
  return html`<fieldset class="field"><legend>${t('setup.seats')}</legend><ol class="chairs">${chairsOf(choice, way).map(row)}</ol></fieldset>`;
}

/** How it is played. @param {Choice} choice @param {Way} way */
function how(choice, way) {
  const { first, clock } = choice.companies[way], level = commonLevel(choice, way), bots = chairsOf(choice, way).filter(({ sits }) => isBot(sits)).length;
  const beginners = namesOf(choice, way).map((name, i) => /** @type {Option} */ ([String(i), name ?? t('setup.seat', { n: i + 1 })]));
  const levels = LEVELS.map((one) => /** @type {Option} */ ([one, t(`level.${one}.name`)]));
  const printed = gameOf(choice.edition) === 'cartagena' && !choice.edition.startsWith('first-escape');
  return html`<div class="columns">
    ${chooser('first', t('setup.first'), first, [['', t('setup.chance')], ...beginners])}
    ${chooser('clock', t('setup.clock'), clock, CLOCKS.map((seconds) => [String(seconds ?? ''), clockText(seconds)]))}
    ${bots > 1 && chooser('level', t('setup.all-bots'), level, level ? levels : [['', t('setup.mixed')], ...levels])}
    ${printed && chooser('printing', t('setup.printing'), choice.printing, [['classic', t('setup.classic')], ['tilsit', t('setup.tilsit')]])}</div>`;
}

/** Set what a field stands for; the fields of seats and rules are called `name-2`, `rule-deal`.
 * @param {Choice} choice @param {Way} way @param {string} field @param {string} value */
function choose(choice, way, field, value) {
  const [, part, of] = /** @type {RegExpExecArray} */ (/^([a-z]+)-?(.*)$/.exec(field)), company = choice.companies[way], chair = company.chairs[Number(of)];
  if (part === 'edition') chooseEdition(choice, value);
  if (part === 'players') choosePlayers(choice, Number(value));
  if (part === 'level') chooseLevel(choice, way, value);
  if (part === 'first') company.first = value === '' ? null : Number(value);
  if (part === 'clock') company.clock = value === '' ? null : Number(value);
  if (part === 'printing') choice.printing = value === 'tilsit' ? 'tilsit' : 'classic';
  if (part === 'rule') chooseRule(choice, of, value);
  if (part === 'sits') chooseSitter(chair, value);
  if (part === 'name' && of === '0' && chair.sits === 'me') save({ name: tidy(value) });
  else if (part === 'name') chair.name = tidy(value);
}

/** Open the sheet for a way to play. @param {Choice} choice changed in place @param {Way} way @param {() => void} changed */
export async function openSetup(choice, way, changed) {
  const rules = await offered(), unfolded = new Set();
  let fault = '';

  /** A part that is folded away. @param {string} name @param {string} now what it is set to @param {() => unknown} inside */
  const fold = (name, now, inside) => html`<details class="fold" data-key="${name}" data-fold="${name}" ${unfolded.has(name) && 'open'}>
    <summary><b>${t(`setup.${name}`)}</b><span>${now}</span></summary><div class="inside">${unfolded.has(name) && inside()}</div></details>`;
  const folds = () => {
    const game = gameOf(choice.edition), n = Object.keys(choice.rules[game]).length;
    return rules && html`<div class="folds">
      ${game === 'cartagena' && fold('tunnel', t(choice.tunnel ? 'setup.by-hand' : 'setup.chance'), () => tunnelBody(choice, rules.segments))}
      ${fold('house', n ? t('setup.changed', { n }) : t('setup.as-printed'), () => houseBody(choice, rules))}</div>`;
  };
  const { dialog, draw } = openSheet({
    title: () => t('setup.title'),
    body: () => html`${what(choice, way)}${who(choice, way)}${how(choice, way)}${folds()}`,
    footer: () => html`<p class="fault" role="alert">${fault}</p><button type="button" class="quiet" data-reset>${t('setup.reset')}</button>
      <button type="button" class="btn gold" data-start>${t(`setup.way.${way}.start`)}</button>`,
  }, 'setup-sheet');
  const update = () => {
    changed();
    draw();
  };
  if (rules) layTunnel(dialog, choice, rules.segments, update);

  const begin = async () => {
    const refused = await start(choice, way);
    if (!refused) return dialog.close();
    fault = faultText(refused);
    draw();
  };
  /** @param {number} i */
  const recolour = (i) => {
    const { chairs } = choice.companies[way];
    chooseColour(chairs, i, (chairs[i].colour + 1) % SEATS.length);
    update();
  };
  dialog.addEventListener('change', (event) => {
    const field = /** @type {HTMLInputElement} */ (event.target);
    if (!field.reportValidity()) return;
    if (field.name === 'way') way = /** @type {Way} */ (field.value);
    else choose(choice, way, field.name, field.value);
    update();
  });
  dialog.addEventListener('click', (event) => {
    const { colour, reset: back, start: go } = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('button'))?.dataset ?? {};
    if (colour !== undefined) recolour(Number(colour));
    if (go !== undefined) begin();
    if (back === undefined) return;
    reset(choice);
    update();
  });
  dialog.addEventListener('toggle', (event) => {
    const { dataset: { fold: name }, open } = /** @type {HTMLDetailsElement} */ (event.target);
    if (!name || open === unfolded.has(name)) return;
    if (open) unfolded.add(name);
    else unfolded.delete(name);
    draw();
  }, true);
}
