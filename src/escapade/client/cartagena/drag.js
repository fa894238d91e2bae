// @ts-check
/** Drag and drop with mouse, pen or finger. A press that hardly moves is a click. */

const FAR = 8; // pixels that make a press a drag

/** What can be dragged.
 * @typedef {{ begin: () => void, move: (x: number, y: number) => void, drop: (x: number, y: number) => void, end: () =>
 *   void }} Load */

/** @param {HTMLElement} field @param {(target: Element) => Load | null} take what a press takes up, if anything */
export function draggable(field, take) {
  field.addEventListener('pointerdown', (down) => {
    const load = down.button === 0 && down.isPrimary ? take(/** @type {Element} */ (down.target)) : null;
    if (!load) return;
    let dragging = false;
    const ended = new AbortController(), { signal } = ended;
    /** @param {PointerEvent} event */
    const moved = (event) => {
      if (event.pointerId !== down.pointerId) return;
      if (!dragging && Math.hypot(event.clientX - down.clientX, event.clientY - down.clientY) < FAR) return;
      if (!dragging) load.begin();
      dragging = true;
      load.move(event.clientX, event.clientY);
    };
    /** @param {PointerEvent} event */
    const released = (event) => {
      if (event.pointerId !== down.pointerId) return;
      ended.abort();
      if (!dragging) return;
      load.end();
      swallowClick();
      // this release would close a menu that opens now
      if (event.type === 'pointerup') setTimeout(() => load.drop(event.clientX, event.clientY));
    };
    addEventListener('pointermove', moved, { signal });
    addEventListener('pointerup', released, { signal });
    addEventListener('pointercancel', released, { signal });
  });
}

/** Drop the click that browsers send after a drag that ends where it began. */
function swallowClick() {
  const once = new AbortController();
  addEventListener('click', (event) => {
    event.stopPropagation();
    event.preventDefault();
  }, { capture: true, signal: once.signal });
  setTimeout(() => once.abort());
}
