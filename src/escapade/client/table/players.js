// @ts-check
/** The players' panel. */
import { markup } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { levelName } from '../lib/offer.js';
import { ICONS } from '../lib/icons.js';
import { portrait } from '../lib/portraits.js';
import { sign } from '../lib/seats.js';

/** @typedef {import('./state.js').Table} Table */
/** @typedef {import('../lib/messages.js').Sitter} Sitter */

/** The remark beside a player's name. At one screen nobody is "you". @param {Sitter} sitter @param {boolean} alone */
function remark({ yours, bot, person, here }, alone) {
  if (bot && person) return t('table.botFor', { level: levelName(bot) });
  if (bot) return levelName(bot);
  if (yours) return alone ? t('table.you') : '';
  return here ? '' : t('table.away');
}

/** The rows of the panel.
 * @param {Table} table @param {number} acting whose turn is shown @param {import('../faces.js').Face} face */
export function playerRows(table, acting, face) {
  const own = table.seats.filter(({ yours }) => yours).length, over = table.state?.seat === 0;
  return markup`${
    table.seats.map((sitter, n) => {
      const { name, colour, yours, bot, person, here } = sitter,
        away = person && !here && !yours,
        words = remark(sitter, own === 1);
      return markup`<li data-key="seat-${n + 1}"
          class="player ${n + 1 === acting ? 'now' : ''} ${away ? 'away' : ''}" ${
        n + 1 === acting ? markup`aria-current="true"` : ''
      }>
      ${sign(colour)}<span class="n">${bot && portrait(bot)}<b>${name}</b>${
        words && markup` <small>${away && !bot ? ICONS.gone : ''}${words}</small>`
      }</span><span class="k">${face.summary(n + 1)}</span>
      ${
        away && !bot && own > 0 && !over &&
        markup`<button type="button" class="btn" data-do="replace" data-seat="${n + 1}">${t('table.replace')}<span
            class="off"> ${name}</span></button>`
      }</li>`;
    })
  }`;
}
