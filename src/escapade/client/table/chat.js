// @ts-check
/** The chat. */
import { markup, morph } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { ICONS } from '../lib/icons.js';
import { sign } from '../lib/seats.js';

/** @typedef {import('./state.js').Table} Table */

/** Whether there is anybody to talk to. @param {Table} table */
export const sociable = (table) =>
  table.chat.length > 0 || table.watchers > 0 || table.seats.some(({ person, yours }) => person && !yours);

/** @param {HTMLElement} part @param {Table} table */
export function drawChat(part, table) {
  part.hidden = !sociable(table);
  const old = part.querySelectorAll('li').length, draft = part.querySelector('input')?.value ?? '';
  morph(
    part,
    markup`<h2 id="chat-title">${t('chat.title')}</h2>
    <ol aria-labelledby="chat-title" tabindex="0">${
      table.chat.map(({ seat, text }) =>
        markup`<li>${sign(table.seats[seat - 1].colour)}<span><b>${table.seats[seat - 1].name}</b> ${text}</span></li>`
      )
    }</ol>
    ${
      table.seats.some(({ yours }) => yours)
        ? markup`<form><label class="off" for="say">${t('chat.say')}</label><input class="input" id="say" name="text"
            maxlength="200" autocomplete="off" placeholder="${t('chat.say')}" value="${draft}">
        <button type="submit" class="btn" aria-label="${t('chat.send')}">${ICONS.send}</button></form>`
        : markup`<p class="dim">${t('chat.watching')}</p>`
    }`,
  );
  const list = part.querySelector('ol');
  if (list && table.chat.length > old) list.scrollTop = list.scrollHeight;
}
