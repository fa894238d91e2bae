// @ts-check
/** The sheet with settings for every page, and what a page adds to it. */
import { markup } from './dom.js';
import { language, LANGUAGES, speak, t } from './lang.js';
import { save, settings, SPEEDS } from './settings.js';
import { openSheet } from './sheet.js';

/** @param {string} name @param {string | number} value @param {boolean} on @param {string} text @param {string}
 * [lang] */
const choice = (name, value, on, text, lang = language) =>
  markup`<label class="opt" lang="${lang}"><input type="radio" name="${name}" value="${value}"
      ${on && 'checked'}><span>${text}</span></label>`;

/** @param {string} title @param {unknown} choices */
const row = (title, choices) =>
  markup`<fieldset class="field"><legend>${title}</legend><div class="seg">${choices}</div></fieldset>`;

/** @param {Added} [page] */
const body = (page) =>
  markup`${page?.body()}
  ${
    row(
      t('menu.language'),
      Object.entries(LANGUAGES).map(([code, name]) => choice('menu-language', code, code === language, name, code)),
    )
  }
  ${
    row(
      t('menu.speed'),
      SPEEDS.map((speed) =>
        choice('menu-speed', speed, speed === settings.speed, t(`menu.speeds.${String(speed).replace('.', '-')}`))
      ),
    )
  }
  ${
    row(
      t('menu.wait'),
      [true, false].map((wait) => choice('menu-wait', String(wait), wait === settings.wait, t(`menu.waits.${wait}`))),
    )
  }
  ${
    row(
      t('menu.sound'),
      ['on', 'off'].map((state) =>
        choice('menu-sound', state, settings.sound === (state === 'on'), t(`common.${state}`))
      ),
    )
  }`;

/** What a page adds on top: more to choose from, and what its buttons do.
 * @typedef {{ body: () => import('./dom.js').Markup, act: (what: string) => void }} Added */

/** Open the settings: language, speed, waiting, sound. Changes apply at once. The document gets a `settings` event when
 * another one than the language has changed. @param {Added} [page] */
export function openMenu(page) {
  const footer = () => markup`<button type="button" class="btn gold" data-close>${t('common.done')}</button>`;
  const { dialog, draw } = openSheet({ title: () => t('menu.title'), body: () => body(page), footer });
  dialog.addEventListener('change', (event) => {
    const { name, value } = /** @type {HTMLInputElement} */ (event.target);
    if (name === 'menu-language') return speak(value);
    if (name === 'menu-speed') save({ speed: Number(value) });
    if (name === 'menu-wait') save({ wait: value === 'true' });
    if (name === 'menu-sound') save({ sound: value === 'on' });
    document.dispatchEvent(new CustomEvent('settings'));
    draw();
  });
  dialog.addEventListener('click', ({ target }) => {
    const what = /** @type {Element} */ (target).closest('[data-do]')?.getAttribute('data-do');
    if (!what) return;
    dialog.close();
    page?.act(what);
  });
}
