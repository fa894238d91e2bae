// @ts-check
/** Routes addresses to pages. A page is a module with `open(root, rest)`, which draws into the root and may return a
 * function that cleans up. */
import { closeAll, enter, heldBack } from './lib/back.js';
import { speak } from './lib/lang.js';
import { byId, loadStyle } from './lib/dom.js';

/** Pattern of the address, module, name, and style sheets of each page.
 * @type {[RegExp, () => Promise<{ open: (root: HTMLElement, rest: string[]) => void | (() => void) }>, string,
 * ...string[]][]} */
const PAGES = [
  [/^\/$/, () => import('./home/page.js'), 'home', 'home/style'],
  [/^\/t\/([A-Za-z0-9_-]+)$/, () => import('./table/page.js'), 'table', 'table/style'],
  [/^\/replay(?:\/([A-Za-z0-9_-]+))?$/, () => import('./replay/page.js'), 'replay', 'table/style'],
  [/^\/embed\/([A-Za-z0-9_-]+)$/, () => import('./replay/embed.js'), 'replay embed', 'table/style', 'replay/embed'],
  [/^\/learn\/([a-z-]+)$/, () => import('./learn/course.js'), 'learn', 'table/style', 'learn/course'],
  [/^\/puzzles(?:\/([a-z0-9]+))?$/, () => import('./learn/puzzles.js'), 'learn', 'table/style', 'learn/course'],
  [/^\/(?:rules\/([a-z-]+)|about)$/, () => import('./learn/page.js'), 'rules', 'learn/page'],
];

/** @type {(() => void) | void} */
let leave;
/** How often the address has changed. */
let routed = 0;

const pageHere = () => PAGES.find(([path]) => path.test(location.pathname)) ?? PAGES[0];

async function route() {
  const mine = ++routed;
  closeAll();
  leave?.();
  leave = undefined;
  const [pattern, load, name, ...styles] = pageHere();
  const [page] = await Promise.all([load(), ...styles.map(loadStyle)]);
  if (mine !== routed) return; // somebody went on while it was loading
  document.body.className = name;
  const root = Object.assign(document.createElement('div'), { id: 'page' });
  byId('page').replaceWith(root); // what a page that was left still draws is not seen
  leave = page.open(root, (pattern.exec(location.pathname) ?? []).slice(1));
}

/** Go to another page without a full load. @param {string} path */
export function go(path) {
  enter(path);
  scrollTo(0, 0);
  route();
}

addEventListener('popstate', () => {
  if (!heldBack()) route();
});
document.addEventListener('click', (event) => {
  const link = /** @type {HTMLAnchorElement | null} */ (/** @type {Element} */ (event.target).closest('a[href^="/"]'));
  const plain = !event.ctrlKey && !event.metaKey && !event.shiftKey && event.button === 0;
  if (!link || !plain || link.target || link.hasAttribute('download')) return;
  event.preventDefault();
  go(link.getAttribute('href') ?? '/');
});

/** Milliseconds for the typeface to come, so that a page is drawn in it at once. */
const PATIENCE = 400;
const typeface = Promise.race([
  document.fonts.load('1em Alegreya').catch(() => null),
  new Promise((done) => {
    setTimeout(done, PATIENCE);
  }),
]);

pageHere()[1](); // start loading the page's modules while its texts load
Promise.all([speak(), typeface]).then(route); // not awaited: pages import `go` from here
