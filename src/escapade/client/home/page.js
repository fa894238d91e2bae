// @ts-check
/** The home page: play now, or choose a game, players and options first. */
import { isPractised, isTaught } from '../faces.js';
import { markup, morph, raw } from '../lib/dom.js';
import { scale } from './scale.js';
import { gameLink, isOver, openGames, summaries } from './kept.js';
import { has, language, LANGUAGES, speak, t } from '../lib/lang.js';
import { editionName, editionSays, kindName, KINDS, levelName } from '../lib/offer.js';
import { harbour } from './harbour.js';
import {
  chooseEdition,
  chooseLevel,
  choosePlayers,
  commonLevel,
  faultText,
  gameText,
  kindChosen,
  offered,
  playerNumbers,
  remember,
  remembered,
  start,
  tunnelOf,
} from './setup.js';

/** @typedef {import('./setup.js').Way} Way */

/** @type {Record<string, string>} */
const PICTURES = {
  friends:
    'M4 20c0-5 3-8 6-8s6 3 6 8M10 9.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM16 4.5a3 3 0 0 1 0 6M18 13c2.5 1 4 3.5 4 7',
  screen: 'M3 4h18v12H3zM9 20h6M12 16v4',
  watch: 'M2 12c5-8 15-8 20 0-5 8-15 8-20 0zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  mine: 'M12 3l8 4-8 4-8-4zM4 12l8 4 8-4M4 17l8 4 8-4',
  puzzles: 'M9 4a3 3 0 0 1 6 0h5v6a3 3 0 0 0 0 5v5h-6a3 3 0 0 0-5 0H4v-6a3 3 0 0 1 0-5V4z',
  learn: 'M12 6C9 4 5 4 2 5v14c3-1 7-1 10 1 3-2 7-2 10-1V5c-3-1-7-1-10 1zM12 6v14',
  menu: 'M12 15.2a3.2 3.2 0 1 0 0-6.4 3.2 3.2 0 0 0 0 6.4z' +
    'M10.3 3h3.4l.5 2.6 2 1.1 2.5-.9 1.7 3-2 1.7v2.4l2 1.7-1.7 3-2.5-.9-2 1.1-.5 2.6h-3.4l-.5-2.6-2-1.1-2.5.9-1.7-3' +
    ' 2-1.7v-2.4l-2-1.7 1.7-3 2.5.9 2-1.1z',
  more:
    'M4 7h9M19 7h1M4 17h1M11 17h9M16 4.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM8 14.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0' +
    ' 0-5z',
};
const BOAT = markup`<svg viewBox="0 0 24 24" aria-hidden="true">
  <path d="M2 16h20l-3.5 5.5h-13zM11 2v12H4zM13 2c5.5 2 7.5 7 7.5 12H13z" fill="currentColor"/></svg>`;

/** @param {string} name */
const picture = (name) =>
  raw(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${PICTURES[name]}"/></svg>`);

/** A few words about a kind of game. @param {string} kind */
const kindSays = (kind) => has(`home.game.${kind}.says`) && t(`home.game.${kind}.says`);

/** @type {string | undefined} */
let painted;
/** The backdrop, made once. */
const backdrop = () => (painted ??= URL.createObjectURL(new Blob([harbour()], { type: 'image/svg+xml' })));

/** @param {string} name @param {string | number} value @param {boolean} on @param {unknown} inside @param {string}
 * [kind] */
const radio = (name, value, on, inside, kind = '') =>
  markup`<label class="opt ${kind}"><input type="radio" name="${name}" value="${value}"
      ${on && 'checked'}>${inside}</label>`;

/** @param {HTMLElement} root @returns {() => void} */
export function open(root) {
  const choice = remembered(), gone = new AbortController();
  /** @type {import('../lib/messages.js').Summary[]} */
  let games = [];
  let fault = '';

  const header = () =>
    markup`<header><a class="word" href="/">Escapade</a>
    <fieldset class="lang"><legend class="off">${t('menu.language')}</legend>${
      Object.entries(LANGUAGES).map(([code, name]) =>
        markup`
      <label class="opt" lang="${code}"><input type="radio" name="language" value="${code}" aria-label="${name}"
          ${code === language && 'checked'}>
        <span class="long">${name}</span><span class="short">${code.toUpperCase()}</span></label>`
      )
    }</fieldset>
    <button type="button" class="quiet" data-do="menu"
        aria-label="${t('menu.title')}">${picture('menu')}</button></header>`;

  const lede = () => {
    const path = `home.lede.${kindChosen(choice)}`;
    return has(path) ? t(path) : '';
  };
  const hero = () =>
    markup`<section class="hero"><h1>${t('home.title')}</h1><p class="lede">${lede()}</p>
    <div class="go"><button type="button" class="play" data-do="play">${BOAT}<span>${t('home.play')}</span></button>
      <p class="sum">${summary()}</p><p class="fault" role="alert">${fault}</p></div></section>`;

  const summary = () => {
    const level = commonLevel(choice, 'bots'),
      several = offered(choice).editions.length > 1,
      changed = gameText(choice).split('+').length - 1;
    return [
      kindName(kindChosen(choice)),
      several && editionName(choice.edition),
      t('home.rivals', { n: choice.players - 1 }),
      level ? levelName(level) : t('setup.mixed'),
      changed > 0 && t('setup.changed', { n: changed }),
      tunnelOf(choice) && t('setup.laid'),
    ].filter(Boolean).join(' · ');
  };

  const setup = () => {
    const kind = kindChosen(choice), level = commonLevel(choice, 'bots');
    const games = Object.keys(KINDS).map((one) =>
      radio('game', one, one === kind, markup`<b>${kindName(one)}</b><small>${kindSays(one)}</small>`, 'big')
    );
    const editions = offered(choice).editions.map((one) => {
      const inside = markup`<b>${editionName(one)}</b><small>${editionSays(one)}</small>`;
      return radio('edition', one, one === choice.edition, inside, 'line');
    });
    const numbers = playerNumbers(choice).map((n) =>
      radio('players', n, n === choice.players, markup`<b>${n}</b>`, 'number')
    );
    return markup`<form class="setup" aria-labelledby="setup-title">
      <h2 id="setup-title" class="off">${t('setup.title')}</h2>
      <fieldset><legend>${t('home.game-label')}</legend><div class="two">${games}</div></fieldset>
      <fieldset class="editions"><legend>${t('home.edition')}</legend><div>${editions}</div>
        <p class="says">${editionSays(choice.edition)}</p></fieldset>
      <div class="pair"><fieldset class="players"><legend>${t('home.players')}</legend>
        <div class="numbers">${numbers}</div></fieldset>
      <fieldset class="bots"><legend>${t('home.level')}</legend>${
      scale(offered(choice).levels, level, t('home.level'))
    }</fieldset></div>
      <button type="button" class="quiet more" data-do="bots">${picture('more')}<span>${
      t('home.more')
    }</span></button></form>`;
  };

  const unfinished = () => games.filter((one) => !isOver(one)).slice(0, 2);
  const running = () =>
    markup`<section class="running" aria-labelledby="running-title" ${!unfinished().length && 'hidden'}>
    <h2 id="running-title">${t('home.running')}</h2>
    <ul>${unfinished().map((one) => markup`<li data-key="${one.table}">${gameLink(one)}</li>`)}</ul></section>`;

  /** The chosen game if it can be learned by doing, otherwise one that can. */
  const practised = () => [kindChosen(choice), ...Object.keys(KINDS)].find(isPractised);
  /** @param {string} name */
  const wayInside = (name) =>
    markup`${picture(name)}<span><b>${t(`home.way.${name}.name`)}</b><small>${
      t(`home.way.${name}.says`)
    }</small></span>`;
  const ways = () =>
    markup`<nav class="ways" aria-label="${t('home.ways')}">${
      ['friends', 'screen', 'watch', 'mine'].map((name) =>
        markup`<button type="button" data-do="${name}">${wayInside(name)}</button>`
      )
    }<a href="/learn/${practised()}">${wayInside('learn')}</a><a href="/puzzles">${wayInside('puzzles')}</a></nav>
    <footer><a href="/replay">${t('home.replay')}</a>${
      isTaught(kindChosen(choice)) && markup`<a href="/rules/${kindChosen(choice)}">${t('rules.whole')}</a>`
    }<a href="/about">${t('rules.about')}</a></footer>`;

  const draw = () =>
    morph(
      root,
      markup`<img class="scene" src="${backdrop()}" alt="" width="1600" height="900">
    ${header()}<main>${hero()}${running()}${setup()}${ways()}</main>`,
    );
  const changed = () => {
    remember(choice);
    draw();
  };
  const seeGames = async () => {
    games = await summaries();
    if (!gone.signal.aborted) draw();
  };

  const play = async () => {
    const refused = await start(choice, 'bots');
    fault = refused ? faultText(refused) : '';
    if (!gone.signal.aborted) draw();
  };
  /** Sheets are loaded when they are first opened. @param {string} what */
  const act = async (what) => {
    if (what === 'play') return play();
    if (what === 'mine') return openGames(seeGames);
    if (what === 'menu') return (await import('../lib/menu.js')).openMenu();
    return (await import('./setup-sheet.js')).openSetup(choice, /** @type {Way} */ (what), changed);
  };

  root.addEventListener('click', (event) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('[data-do]'));
    if (button?.dataset.do) act(button.dataset.do);
  }, gone);
  root.addEventListener('change', (event) => {
    const { name, value } = /** @type {HTMLInputElement} */ (event.target);
    if (name === 'language') return speak(value);
    if (name === 'game') chooseEdition(choice, KINDS[value].editions[0]);
    if (name === 'edition') chooseEdition(choice, value);
    if (name === 'players') choosePlayers(choice, Number(value));
    changed();
  }, gone);
  root.addEventListener('input', (event) => {
    const { name, value } = /** @type {HTMLInputElement} */ (event.target);
    if (name !== 'level') return;
    chooseLevel(choice, 'bots', offered(choice).levels[Number(value)]);
    changed();
  }, gone);
  root.addEventListener('submit', (event) => event.preventDefault(), gone);
  document.addEventListener('language', draw, gone);

  document.title = 'Escapade';
  draw();
  seeGames();
  return () => gone.abort();
}
