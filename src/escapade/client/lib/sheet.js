// @ts-check
import { closedByBack } from './back.js';
import { markup, morph } from './dom.js';
import { t } from './lang.js';

/** @typedef {import('./dom.js').Markup} Markup */
/** What a sheet shows. It is drawn again when the language changes.
 * @typedef {{ title: () => string, body: () => Markup, footer?: () => Markup }} Parts */

const CROSS = markup`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg>`;

/** Close a dialog when the player presses beside it, for browsers without `closedBy`.
 * @param {HTMLDialogElement} dialog */
function closeBeside(dialog) {
  let beside = false;
  dialog.addEventListener('pointerdown', ({ target }) => {
    beside = target === dialog;
  });
  dialog.addEventListener('click', ({ target }) => {
    if (beside && target === dialog) dialog.close();
  });
}

/** Open a dialog over the page. Esc, Back, its cross, a press beside it, or leaving the page closes and removes it.
 * @param {Parts} parts @param {string} [kind] a class for its looks @returns {{ dialog: HTMLDialogElement, draw: () =>
 *   void }} */
export function openSheet(parts, kind = '') {
  const dialog = document.createElement('dialog');
  dialog.className = `sheet paper ${kind}`;
  dialog.setAttribute('aria-labelledby', 'sheet-title');
  const draw = () => {
    morph(
      dialog,
      markup`<header><h2 id="sheet-title">${parts.title()}</h2>
        <button type="button" class="quiet" data-close aria-label="${t('common.close')}">${CROSS}</button></header>
      <div class="body">${parts.body()}</div><footer>${parts.footer?.()}</footer>`,
    );
    // `selected` has no effect once the player has chosen something, so the value is set here.
    for (const select of /** @type {NodeListOf<HTMLSelectElement>} */ (dialog.querySelectorAll('select[data-value]'))) {
      select.value = select.dataset.value ?? '';
    }
  };
  const close = () => dialog.close();
  if ('closedBy' in dialog) dialog.closedBy = 'any';
  else closeBeside(dialog);
  dialog.addEventListener('click', (event) => {
    if (/** @type {Element} */ (event.target).closest('[data-close], a[href^="/"]')) close();
  });
  dialog.addEventListener('close', () => {
    document.removeEventListener('language', draw);
    closed();
    dialog.remove();
  });
  document.addEventListener('language', draw);
  draw();
  document.body.append(dialog);
  dialog.showModal();
  const closed = closedByBack(close);
  return { dialog, draw };
}
