// @ts-check
import { markup, morph } from './dom.js';
import { t } from './lang.js';

/** @typedef {import('./dom.js').Markup} Markup */
/** What a sheet shows; drawn again whenever it or the language changes. @typedef {{ title: () => string, body: () => Markup, footer?: () => Markup }} Parts */

const CROSS = markup`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="M6 6l12 12M18 6L6 18"/></svg>`;

/** A press that begins and ends beside a dialog closes it, for browsers that do not do it themselves. @param {HTMLDialogElement} dialog */
function closeBeside(dialog) {
  let beside = false;
  dialog.addEventListener('pointerdown', ({ target }) => {
    beside = target === dialog;
  });
  dialog.addEventListener('click', ({ target }) => {
    if (beside && target === dialog) dialog.close();
  });
}

/** Open a dialog over the page. Esc, its cross, a press beside it and leaving the page close it, and it is gone then.
 * @param {Parts} parts @param {string} [kind] a class for its looks @returns {{ dialog: HTMLDialogElement, draw: () => void }} */
export function openSheet(parts, kind = '') {
  const dialog = document.createElement('dialog');
  dialog.className = `sheet ${kind}`;
  dialog.setAttribute('aria-labelledby', 'sheet-title');
  const draw = () => {
    morph(
      dialog,
      markup`<header><h2 id="sheet-title">${parts.title()}</h2>
        <button type="button" class="quiet" data-close aria-label="${t('common.close')}">${CROSS}</button></header>
      <div class="body">${parts.body()}</div><footer>${parts.footer?.()}</footer>`,
    );
    // A `selected` option counts only until the first choice, so a select tells its value itself.
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
    removeEventListener('popstate', close);
    dialog.remove();
  });
  document.addEventListener('language', draw);
  addEventListener('popstate', close);
  draw();
  document.body.append(dialog);
  dialog.showModal();
  return { dialog, draw };
}
