// @ts-check
/** A small menu beside what was tapped, for when that could mean several actions. */
import { morph } from './dom.js';

/** @param {HTMLElement} menu a popover @param {import('./dom.js').Markup} options buttons @param {Element} anchor */
export function ask(menu, options, anchor) {
  morph(menu, options);
  menu.showPopover();
  const { left, width, top, bottom } = anchor.getBoundingClientRect(),
    below = bottom + 6 + menu.offsetHeight < innerHeight,
    x = Math.min(innerWidth - menu.offsetWidth - 8, left + width / 2 - menu.offsetWidth / 2);
  menu.style.left = `${Math.max(8, x)}px`;
  menu.style.top = `${below ? bottom + 6 : Math.max(8, top - 6 - menu.offsetHeight)}px`;
  menu.onkeydown = (event) => step(menu, event);
  menu.querySelector('button')?.focus();
}

/** @param {HTMLElement} menu */
export function closeMenu(menu) {
  if (menu.matches(':popover-open')) menu.hidePopover();
}

/** The arrow keys go from line to line. @param {HTMLElement} menu @param {KeyboardEvent} event */
function step(menu, event) {
  const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key],
    lines = [...menu.querySelectorAll('button')];
  if (!by) return;
  event.preventDefault();
  const at = lines.findIndex((line) => line === document.activeElement);
  lines[(at + by + lines.length) % lines.length].focus();
}
