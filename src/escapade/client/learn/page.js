// @ts-check
/** The pages with the whole rules of a game, and with their sources: the same texts as in docs/rules. */
import { isTaught } from '../faces.js';
import { markup, morph } from '../lib/dom.js';
import { ICONS } from '../lib/icons.js';
import { language, t } from '../lib/lang.js';
import { blocks, inline } from '../lib/markdown.js';
import { kindName, KINDS } from '../lib/offer.js';

/** @typedef {import('../lib/dom.js').Markup} Markup */

const SOURCES = 'about';

/** @param {string} name */
const address = (name) => (name === SOURCES ? '/about' : `/rules/${name}`);

/** A text in the reader's language, in English where there is no other, or ''. @param {string} name */
async function load(name) {
  for (const file of language === 'en' ? [name] : [`${name}.${language}`, name]) {
    const answer = await fetch(`/client/rules/${file}.md`).catch(() => null);
    if (answer?.ok) return await answer.text();
  }
  return '';
}

/** A link between the texts as the page has it: `GAME.fr.md` is `/rules/GAME`. @param {string} link */
const linkOf = (link) => address(link.replace(/(\.[a-z]{2})?\.md$/, ''));

/** Tags such as C8 lead to their rules. @param {string} text */
const words = (text) =>
  inline(
    text.split(/(`[^`]+`)/).map((part) => part.startsWith('`') ? part : part.replace(/\b[CG]\d{1,2}\b/g, '[$&](#$&)'))
      .join(''),
    (link) => (link.startsWith('#') ? link : linkOf(link)),
  );

/** A rule: tag and name, then what it says, its source, and what we decided. Other items are paragraphs.
 * @param {string} text */
function item(text) {
  const rule = /^\*\*([CG]\d+) ([^*]+)\.\*\* (.*)$/.exec(text);
  if (!rule) return markup`<p class="item">${words(text)}</p>`;
  const [, tag, name, rest] = rule;
  const mark = new RegExp(`(${t('rules.source')}|${t('rules.decision')})\\s?: `, 'u');
  const [says, ...parts] = rest.split(mark), notes = [];
  for (let i = 0; i < parts.length; i += 2) {
    notes.push(markup`<div><dt>${parts[i]}</dt><dd>${words(parts[i + 1])}</dd></div>`);
  }
  return markup`<article class="rule" id="${tag}"><h3><b>${tag}</b> ${name}</h3><p>${
    words(says)
  }</p><dl>${notes}</dl></article>`;
}

/** A position, with a way to look at it. @param {string} text */
const position = (text) =>
  markup`<figure><pre>${text}</pre><a href="/replay#position=${encodeURIComponent(text)}">${
    t('chosen.look')
  }</a></figure>`;

/** The rules by their tags, to find one. @param {string} text */
const index = (text) =>
  [...text.matchAll(/^- \*\*([CG]\d+) ([^*]+)\.\*\*/gm)].map(([, tag, name]) =>
    markup`<li><a href="#${tag}"><b>${tag}</b> ${name}</a></li>`
  );

/** @param {HTMLElement} root @param {string[]} rest @returns {() => void} */
export function open(root, [name = SOURCES]) {
  const gone = new AbortController();

  /** @param {string} one @param {string} text */
  const tab = (one, text) =>
    markup`<a class="quiet" href="${address(one)}" ${one === name && markup`aria-current="page"`}>${text}</a>`;
  const draw = async () => {
    const text = await load(name),
      [title, ...rest] = blocks(text, { item, code: position, address: linkOf }),
      found = index(text);
    if (gone.signal.aborted) return;
    morph(
      root,
      markup`<header><a class="word" href="/">Escapade</a><nav aria-label="${t('rules.title')}">${
        Object.keys(KINDS).filter(isTaught).map((kind) => tab(kind, kindName(kind)))
      }${tab(SOURCES, t('rules.about'))}</nav><button type="button" class="quiet" data-do="menu"
        aria-label="${t('table.menu')}">${ICONS.menu}</button></header>
      <main class="text">${title ?? markup`<h1>${t('rules.none')}</h1>`}${
        found.length > 0 && markup`<ul class="index">${found}</ul>`
      }${rest}</main>`,
    );
    document.title = `${root.querySelector('h1')?.textContent} · Escapade`;
    if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  };
  root.addEventListener('click', async (event) => {
    const target = /** @type {Element} */ (event.target), link = target.closest('a[href^="#"]');
    if (target.closest('[data-do="menu"]')) (await import('../lib/menu.js')).openMenu();
    if (!link) return;
    event.preventDefault(); // a new hash would open the page again
    history.replaceState(null, '', link.getAttribute('href'));
    const rule = document.getElementById(location.hash.slice(1));
    rule?.setAttribute('tabindex', '-1');
    rule?.focus();
  }, gone);
  document.addEventListener('language', draw, gone);
  draw();
  return () => gone.abort();
}
