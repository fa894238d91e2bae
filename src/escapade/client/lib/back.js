// @ts-check
/** The Back button closes what lies over a page, before it leaves the page. Whatever is opened gets an entry in the
 * history; the entry of something that was closed by other means is used again, or skipped. */

/** How to close each thing that is open, the topmost last. @type {(() => void)[]} */
const open = [];

/** How many things were open at this entry of the history. */
const depth = () => history.state?.over ?? 0;
const here = () => ({ over: depth(), path: location.pathname });
/** The entry before the last change. */
let last = here();

/** Go to another address. It takes the place of what was opened over the page. @param {string} path */
export function enter(path) {
  if (depth()) history.replaceState(null, '', path);
  else history.pushState(null, '', path);
  last = here();
}

/** Let Back close something that was opened over the page. Returns what to call when it has been closed.
 * @param {() => void} close */
export function closedByBack(close) {
  open.push(close);
  if (depth() < open.length) history.pushState({ over: open.length }, '');
  last = here();
  return () => {
    const at = open.indexOf(close);
    if (at >= 0) open.splice(at, 1);
  };
}

/** Whether a change of the history was about what lies over the page. */
export function heldBack() {
  const { over, path } = last;
  last = here();
  if (path !== last.path) return false;
  const unused = last.over >= open.length && last.over < over;
  if (unused) history.back();
  else if (last.over < open.length) closeAll(last.over);
  else return false;
  return true;
}

/** Close all that is open, but for the lowest ones. @param {number} [lowest] */
export function closeAll(lowest = 0) {
  for (const close of open.splice(lowest).reverse()) close();
}
