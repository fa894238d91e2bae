// @ts-check
/** The sheet to play on from a position: who takes which seat. */
import { markup } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { go } from '../main.js';
import { sign } from '../lib/seats.js';
import { keep, settings } from '../lib/settings.js';
import { levelIn, levelName, levelsOf } from '../lib/offer.js';
import { openSheet } from '../lib/sheet.js';
import { clockOf } from '../lib/notation.js';

/** @typedef {import('../lib/messages.js').Replay} Replay */

/** @param {string} position @param {Replay} replay */
export function openPlayOn(position, replay) {
  const { game, names, colours } = replay, { seat } = clockOf(position);
  /** @param {number} n */
  const row = (n) =>
    markup`<li>${sign(colours[n])}<label for="sits-${n}">${names[n]}</label><select id="sits-${n}"
        data-value="${n + 1 === seat ? 'me' : levelIn(game, 'captain')}">
    <option value="me">${t('replay.me')}</option><option
        value="free">${t('lobby.free')}</option>${
      levelsOf(game).map((level) => markup`<option value="${level}">${levelName(level)}</option>`)
    }</select></li>`;
  const { dialog } = openSheet({
    title: () => t('replay.playOn'),
    body: () =>
      markup`<p>${t('replay.whoPlays')}</p><ol class="sits">${names.map((_, n) => row(n))}</ol><p class="bad"
          role="alert"></p>`,
    footer: () => markup`<button type="button" class="btn gold" data-begin>${t('replay.begin')}</button>`,
  });
  dialog.addEventListener('click', async (event) => {
    if (!(/** @type {Element} */ (event.target).closest('[data-begin]'))) return;
    const fault = await begin(position, replay, [...dialog.querySelectorAll('select')].map((select) => select.value));
    if (fault) /** @type {Element} */ (dialog.querySelector('.bad')).textContent = fault;
    else dialog.close();
  });
}

/** Make the table and go there, or return why the server refused.
 * @param {string} position @param {Replay} replay @param {string[]} sits who takes each seat: `me`, `free` or a bot's
 * level */
async function begin(position, { game, names, colours, printing }, sits) {
  const seats = sits.map((who, n) => {
    if (who === 'free') return { colour: colours[n] };
    if (who !== 'me') return { colour: colours[n], name: names[n], bot: who };
    return { colour: colours[n], name: (sits.indexOf('me') === n && settings.name) || names[n], mine: true };
  });
  const answer = await fetch('/api/tables', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ game, seats, printing: printing || undefined, start: position }),
  });
  const made = await answer.json();
  if (!answer.ok) return t('replay.refused');
  keep(made.table, made.key, game);
  go(`/t/${made.table}`);
}
