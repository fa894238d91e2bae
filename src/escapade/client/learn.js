// @ts-check
/** How to play, in a few sentences and pictures. */
import { html } from './dom.js';
import { t } from './lang.js';
import { sign } from './seats.js';
import { openSheet } from './sheet.js';
import { EDITIONS, gameOf } from './setup.js';
import { icon } from './symbols.js';

/** @typedef {import('./setup.js').Game} Game */

/** The steps of each game, in the catalog's words. @type {Record<Game, string[]>} */
const STEPS = { cartagena: ['goal', 'turn', 'advance', 'retreat', 'tip'], evades: ['goal', 'bet', 'turn', 'stack', 'white', 'end'] };

const BLUE = 0, RED = 1, GREEN = 2;

/** A piece of tunnel: each space's symbol and the pirates on it. An arrow leads from one space to another, with what is played or drawn.
 * @param {[string, ...number[]][]} spaces @param {number} from @param {number} to @param {unknown} note */
function tunnel(spaces, from, to, note) {
  const a = from * 100 + 50, b = to * 100 + 50;
  return html`<div class="strip ${to < from && 'back'}" aria-hidden="true">
    <svg viewBox="0 0 700 84"><path d="M${a} 80C${a} 6 ${b} 6 ${b} 70M${b - 15} 54L${b} 74 ${b + 15} 54"/></svg>${note}
    <ol>${spaces.map(([symbol, ...pirates], i) =>
      html`<li class="${i === to && 'goal'}">${icon('classic', symbol)}<span>${pirates.map(sign)}</span></li>`)}</ol></div>`;
}

/** A boat with its number and those who sit in it. @param {number} x @param {number} boat @param {string[]} colours */
const boatPicture = (x, boat, ...colours) => html`<g transform="translate(${x})">
  <path d="M0 32h88c-4 18-14 28-26 28H26C14 60 4 50 0 32z" fill="#6b4120" stroke="#2c1708" stroke-width="2"/>
  ${colours.map((colour, i) =>
    html`<circle cx="${44 + (i - (colours.length - 1) / 2) * 28}" cy="20" r="11" fill="${colour}" stroke="#0008" stroke-width="2"/>`)}
  <text x="44" y="52">${boat}</text></g>`;

/** @type {Record<string, () => unknown>} */
const PICTURES = {
  'cartagena.advance': () => tunnel([['K'], ['B', BLUE], ['S'], ['D', RED], ['P', GREEN], ['D'], ['H']], 1, 5,
    html`<span class="card">${icon('classic', 'D')}</span>`),
  'cartagena.retreat': () => tunnel([['H'], ['K', RED, GREEN], ['S'], ['D', RED, RED, GREEN], ['P'], ['B', BLUE], ['D']], 5, 1, html`<b>+2</b>`),
  'evades.bet': () => html`<svg class="boats" viewBox="0 0 420 66" aria-hidden="true">
    ${boatPicture(8, 1, '#2b6fc2', '#c9342c')}${boatPicture(113, 2, '#e2ab1c', '#7fbf4d')}
    ${boatPicture(218, 3, '#d9742a', '#2f8a48')}${boatPicture(323, 4, '#8a5a38')}</svg>`,
};

/** @param {Game} game */
const steps = (game) => html`<ol class="steps">${STEPS[game].map((step) => html`<li data-key="${game}.${step}">
  <h3>${t(`learn.${game}.${step}.title`)}</h3><p>${t(`learn.${game}.${step}.says`)}</p>${PICTURES[`${game}.${step}`]?.()}</li>`)}</ol>`;

/** Open the rules of an edition's game. @param {string} edition */
export function openLearn(edition) {
  let game = gameOf(edition);
  /** @param {string} one */
  const tab = (one) => html`<label class="opt"><input type="radio" name="learn" value="${one}" ${one === game && 'checked'}>
    <span>${t(`home.game.${one}.name`)}</span></label>`;
  const special = () => edition !== 'evades' && game === 'cartagena' && html`<section class="note">
    <h3>${t('learn.edition')} · ${t(`edition.${edition}.name`)}</h3><p>${t(`edition.${edition}.says`)}</p></section>`;
  const { dialog, draw } = openSheet({
    title: () => t('learn.title'),
    body: () => html`<fieldset><legend class="off">${t('learn.which')}</legend><div class="seg">${Object.keys(EDITIONS).map(tab)}</div></fieldset>
      ${steps(game)}${special()}`,
    footer: () => html`<button type="button" class="btn gold" data-close>${t('common.done')}</button>`,
  }, 'learn-sheet');
  dialog.addEventListener('change', (event) => {
    game = /** @type {Game} */ (/** @type {HTMLInputElement} */ (event.target).value);
    draw();
  });
}
