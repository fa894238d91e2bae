// @ts-check
/** The sheet with settings for every page. */
import { markup } from './dom.js';
import { language, LANGUAGES, speak, t } from './lang.js';
import { save, settings } from './settings.js';
import { openSheet } from './sheet.js';

/** Multiples of the usual pace; 0 shows moves at once. */
const SPEEDS = [0.5, 1, 2, 0];

/** @param {string} name @param {string | number} value @param {boolean} on @param {string} text @param {string}
 * [lang] */
const choice = (name, value, on, text, lang = language) =>
  markup`<label class="opt" lang="${lang}"><input type="radio" name="${name}" value="${value}"
      ${on && 'checked'}><span>${text}</span></label>`;

/** @param {string} title @param {unknown} choices */
const row = (title, choices) =>
  markup`<fieldset class="field"><legend>${title}</legend><div class="seg">${choices}</div></fieldset>`;

const body = () =>
  markup`
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
      t('menu.sound'),
      ['on', 'off'].map((state) =>
        choice('menu-sound', state, settings.sound === (state === 'on'), t(`common.${state}`))
      ),
    )
  }`;

/** Open the settings: language, speed, sound. Changes apply at once. The document gets a `settings` event when speed or
 * sound has changed. */
export function openMenu() {
  const footer = () => markup`<button type="button" class="btn gold" data-close>${t('common.done')}</button>`;
  const { dialog, draw } = openSheet({ title: () => t('menu.title'), body, footer });
  dialog.addEventListener('change', (event) => {
    const { name, value } = /** @type {HTMLInputElement} */ (event.target);
    if (name === 'menu-language') return speak(value);
    save(name === 'menu-speed' ? { speed: Number(value) } : { sound: value === 'on' });
    document.dispatchEvent(new CustomEvent('settings'));
    draw();
  });
}
