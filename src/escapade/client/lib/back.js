// @ts-check
/** The Back button closes what lies over a page, before it leaves the page. */

/** How to close each thing that is open, the topmost last. @type {(() => void)[]} */
const open = [];
/** Whether a step back is under way because something was closed by other means. */
let stepping = false;

/** How many things were open at this entry of the history. */
const depth = () => history.state?.over ?? 0;

/** Let Back close something that was opened over the page. Returns what to call when it has been closed.
 * @param {() => void} close */
export function closedByBack(close) {
  open.push(close);
  if (depth() < open.length) history.pushState({ over: open.length }, '');
  return () => {
    const at = open.indexOf(close);
    if (at < 0) return;
    open.splice(at, 1);
    setTimeout(stepBack); // a link in it may lead elsewhere
  };
}

function stepBack() {
  if (stepping || depth() <= open.length) return;
  stepping = true;
  history.go(open.length - depth());
}

/** Whether a change of the history was about what lies over the page. */
export function heldBack() {
  if (stepping) {
    stepping = false;
    if (depth() < open.length) history.pushState({ over: open.length }, ''); // opened in the meantime
    return true;
  }
  if (depth() >= open.length) return false;
  closeAll(depth());
  return true;
}

/** Close all that is open, but for the lowest ones. @param {number} [lowest] */
export function closeAll(lowest = 0) {
  for (const close of open.splice(lowest).reverse()) close();
}
