// @ts-check
/** The sheet to share a finished game, one of its turns, or a puzzle: a link, a picture, and a line for other pages. */
import { announce } from './announce.js';
import { markup } from './dom.js';
import { alsoSpeak, t } from './lang.js';
import { linkBox, serveLinks, serverAddress } from './links.js';
import { openSheet } from './sheet.js';

/** What is shared: the paths of its page and of its picture, its title, and for a game the path of the page that other
 * sites may show. `turn` is where the reader is, if it can be shared by itself.
 * @typedef {{ page: string, picture: string, title: string, embed?: string, turn?: number }} Shared */

/** The size of the frame in other pages. */
const FRAME = { width: 640, height: 560 };

/** @param {string} table @param {string} title @param {number} [turn] @returns {Shared} */
export const sharedGame = (table, title, turn) => ({
  page: `/replay/${table}`,
  picture: `/api/tables/${table}/picture.png`,
  embed: `/embed/${table}`,
  title,
  turn,
});

/** @param {string} puzzle @param {string} title @returns {Shared} */
export const sharedPuzzle = (puzzle, title) => ({
  page: `/puzzles/${puzzle}`,
  picture: `/api/puzzles/${puzzle}/picture.png`,
  title,
});

/** Open the sheet. @param {Shared} shared */
export async function openShare({ page, picture, embed, title, turn }) {
  const [server] = await Promise.all([serverAddress(), alsoSpeak('share')]);
  let whole = turn === undefined;
  const at = (/** @type {string} */ path) => (whole ? path : `${path}?turn=${turn}`);
  const sheet = openSheet({
    title: () => t('share.title'),
    body: () =>
      markup`${turn !== undefined && choice(turn, whole)}
      ${linkBox(server + at(page), t('share.link'), title)}
      <section class="shared"><img src="${at(picture)}" width="1200" height="630" alt="${t('share.picture')}">
        <p class="buttons">${
        canCopy() &&
        markup`<button type="button" class="btn" data-picture="${at(picture)}">${t('share.copyPicture')}</button>`
      }<a class="btn" href="${location.origin}${at(picture)}" download="escapade.png">${
        t('share.save')
      }</a></p></section>
      ${embed && frameLine(server + at(embed), title)}`,
  }, 'share');
  sheet.dialog.addEventListener('change', ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.name !== 'what') return;
    whole = target.value === 'game';
    sheet.draw();
  });
  sheet.dialog.addEventListener('click', ({ target }) => {
    const button = /** @type {Element} */ (target).closest('[data-picture]');
    if (button instanceof HTMLButtonElement) copyPicture(button);
  });
  serveLinks(sheet.dialog);
}

/** @param {number} turn @param {boolean} whole */
const choice = (turn, whole) =>
  markup`<fieldset><legend>${t('share.what')}</legend><div class="seg">
    <label class="opt"><input type="radio" name="what" value="turn" ${!whole && 'checked'}>${
    t('share.this', { n: turn })
  }</label>
    <label class="opt"><input type="radio" name="what" value="game" ${whole && 'checked'}>${
    t('share.game')
  }</label></div></fieldset>`;

/** The line that shows a game inside another page. @param {string} link @param {string} title */
function frameLine(link, title) {
  const line = markup`<iframe src="${link}" title="${title}" width="${FRAME.width}" height="${FRAME.height}"
 loading="lazy" allow="fullscreen"></iframe>`.text.replace('\n', '');
  return markup`<section class="shared"><h3>${t('share.embed')}</h3><p>${t('share.embedSays')}</p>
    <div class="linkbox"><div><label class="field"><span>${t('share.embedLine')}</span><input class="input" readonly
      value="${line}"></label><p class="buttons"><button type="button" class="btn" data-copy="${line}">${
    t('lobby.copy')
  }</button></p></div></div></section>`;
}

/** Browsers copy pictures on secure pages only. */
const canCopy = () => Boolean(navigator.clipboard && globalThis.ClipboardItem);

/** @param {HTMLButtonElement} button */
async function copyPicture(button) {
  const picture = fetch(button.dataset.picture ?? '').then((answer) => answer.blob());
  const copied = await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]).then(
    () => true,
    () => false,
  );
  const text = t(copied ? 'share.pictureCopied' : 'fault.busy');
  button.textContent = text;
  announce(text);
}
