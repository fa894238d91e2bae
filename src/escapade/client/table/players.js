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

/** The remark beside a player's name. @param {Sitter} sitter */
function remark({ yours, bot, person, here }) {
  if (bot && person) return t('table.botFor', { level: levelName(bot) });
  if (bot) return levelName(bot);
  if (yours) return t('table.you');
  return here ? '' : t('table.away');
}

/** The rows of the panel.
 * @param {Table} table @param {number} acting whose turn is shown @param {import('../faces.js').Face} face @param
 * {number} covered the seat whose cards or bet nobody may see now, or 0 */
export function playerRows(table, acting, face, covered) {
  const seated = table.seats.some(({ yours }) => yours), over = table.state?.seat === 0;
  return markup`${
    table.seats.map((sitter, n) => {
      const { name, colour, yours, bot, person, here } = sitter,
        away = person && !here && !yours,
        words = remark(sitter);
      return markup`<li data-key="seat-${n + 1}"
          class="player ${n + 1 === acting ? 'now' : ''} ${away ? 'away' : ''}" ${
        n + 1 === acting ? markup`aria-current="true"` : ''
      }>
      ${sign(colour)}<span class="n">${bot && portrait(bot)}<b>${name}</b>${
        words && markup` <small>${away && !bot ? ICONS.gone : ''}${words}</small>`
      }</span><span class="k">${n + 1 !== covered && face.summary(n + 1)}</span>
      ${
        away && !bot && seated && !over &&
        markup`<button type="button" class="btn" data-do="replace" data-seat="${n + 1}">${t('table.replace')}<span
            class="off"> ${name}</span></button>`
      }</li>`;
    })
  }`;
}
