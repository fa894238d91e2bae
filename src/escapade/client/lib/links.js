// @ts-check
/** Links to a table: to copy, to share, and as a picture for a phone's camera. */
import { markup } from './dom.js';
import { t } from './lang.js';
import { openSheet } from './sheet.js';
import { announce } from './announce.js';

/** @type {string | undefined} */
let base;

/** The server's address for other devices. `localhost` means nothing to a phone, so it is replaced by an address in the
 * local network. */
export async function serverAddress() {
  if (base) return base;
  base = location.origin;
  if (['localhost', '127.0.0.1', '[::1]'].includes(location.hostname)) {
    const answer = await fetch('/api/rules').catch(() => null);
    if (answer?.ok) base = (await answer.json()).addresses[0] ?? base;
  }
  return /** @type {string} */ (base);
}

/** Longer links make QR codes too fine for a camera. */
const LONGEST_PICTURE = 300;

/** A link as a QR code. The link goes in the request's body: addresses end up in logs, and a link to a seat is a
 * secret. */
class QrCode extends HTMLElement {
  static observedAttributes = ['link'];
  #url = '';

  async attributeChangedCallback() {
    const answer = await fetch('/api/qr', { method: 'POST', body: JSON.stringify({ link: this.getAttribute('link') }) })
      .catch(() => null);
    if (!answer?.ok) return;
    URL.revokeObjectURL(this.#url);
    this.#url = URL.createObjectURL(await answer.blob());
    this.replaceChildren(Object.assign(new Image(160, 160), { src: this.#url, alt: t('lobby.qr') }));
  }

  disconnectedCallback() {
    URL.revokeObjectURL(this.#url);
  }
}
customElements.define('qr-code', QrCode);

/** Whether a link works on this machine only. @param {string} link */
const isLocal = (link) => /^http:\/\/(127\.|localhost|\[::1\])/.test(link);

/** A link with its buttons. @param {string} link @param {string} name what it is, for the field's label
 * @param {string} [title] what it leads to, for those whom it is sent to */
export const linkBox = (link, name, title = 'Escapade') =>
  markup`<div class="linkbox">
  ${link.length < LONGEST_PICTURE && markup`<qr-code class="qr" link="${link}"></qr-code>`}
  <div><label class="field"><span>${name}</span><input class="input" readonly value="${link}"></label>
    <p class="buttons"><button type="button" class="btn gold" data-copy="${link}">${t('lobby.copy')}</button>
    ${
    'share' in navigator &&
    markup`<button type="button" class="btn" data-share="${link}" data-title="${title}">${t('lobby.share')}</button>`
  }</p>
    ${isLocal(link) && markup`<p class="dim">${t('lobby.local')}</p>`}</div></div>`;

/** Handle the buttons of link boxes inside an element. @param {Element} root @param {AbortSignal} [signal] ends it */
export function serveLinks(root, signal) {
  root.addEventListener('click', async (event) => {
    const button = /** @type {Element} */ (event.target).closest('[data-copy], [data-share]');
    if (!(button instanceof HTMLButtonElement)) return;
    const { share: url, title } = button.dataset;
    if (url) return navigator.share({ title, url }).catch(() => {}); // the player closed the share sheet
    await copy(button);
    button.textContent = t('lobby.copied');
    announce(t('lobby.copied'));
    setTimeout(() => {
      button.textContent = t('lobby.copy');
    }, 2500);
  }, { signal });
}

/** @param {HTMLButtonElement} button */
async function copy(button) {
  if (navigator.clipboard) return await navigator.clipboard.writeText(button.dataset.copy ?? '');
  button.closest('.linkbox')?.querySelector('input')?.select(); // navigator.clipboard exists on secure pages only
  document.execCommand('copy');
}

/** Show the links to a table: for guests, and for the player's own seat on another device.
 * @param {string} table @param {string | null} key */
export async function openLinks(table, key) {
  const link = `${await serverAddress()}/t/${table}`;
  const { dialog } = openSheet({
    title: () => t('lobby.links'),
    body: () =>
      markup`<section><p>${t('lobby.watch')}</p>${linkBox(link, t('lobby.link'))}</section>
      ${key && markup`<section><p>${t('lobby.own')}</p>${linkBox(`${link}#${key}`, t('lobby.ownLink'))}</section>`}`,
  });
  serveLinks(dialog);
}
