// @ts-check
import { raw } from './dom.js';

/** @param {string} path */
const icon = (path) => raw(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`);

/** Icons of the shell's buttons. */
export const ICONS = {
  close: icon('M6 6l12 12M18 6L6 18'),
  menu: icon('M4 7h16M4 12h16M4 17h16'),
  link: icon('M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1'),
  log: icon('M5 6h14M5 12h14M5 18h9'),
  keys: icon('M9.2 9a2.9 2.9 0 1 1 4.2 2.6c-1 .5-1.4 1.2-1.4 2.4M12 17.6v.1'),
  again: icon('M4 12a8 8 0 1 0 2.6-5.9M4 4v4h4'),
  skip: icon('M5 6l7 6-7 6zM12 6l7 6-7 6z'),
  undo: icon('M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-4'),
  hint: icon('M9 18h6M10 21h4M8.5 15.5a6.5 6.5 0 1 1 7 0c-.6.4-.8.9-.8 1.5h-5.4c0-.6-.2-1.1-.8-1.5z'),
  end: icon('M5 12l5 5L20 7'),
  play: icon('M7 5l12 7-12 7z'),
  pause: icon('M8 5v14M16 5v14'),
  step: icon('M6 5l9 7-9 7zM18 5v14'),
  speed: icon('M4 17a8 8 0 1 1 16 0M12 17l4-6'),
  first: icon('M6 5v14M19 5l-9 7 9 7z'),
  last: icon('M18 5v14M5 5l9 7-9 7z'),
  back: icon('M15 5l-8 7 8 7'),
  next: icon('M9 5l8 7-8 7'),
  backTurn: icon('M12 6l-7 6 7 6M19 6l-7 6 7 6'),
  nextTurn: icon('M12 6l7 6-7 6M5 6l7 6-7 6'),
  gone: icon(
    'M3 3l18 18M8.5 8.6A5 5 0 0 0 7 12M5 5.6A11 11 0 0 0 2 12s3 6 10 6c1.6 0 3-.3 4.2-.9M12 6c7 0 10 6 10 6a15 15 0' +
      ' 0 1-2.3 3.1',
  ),
  chart: icon('M4 4v16h16M7 15l4-5 4 3 5-7'),
  explore: icon('M6 20V9a4 4 0 0 1 4-4h8M14 1l4 4-4 4M6 14h6'),
  clock: icon('M12 4a8 8 0 1 0 .01 0zM12 8v4.5l3 2'),
  send: icon('M4 12l16-8-5 16-3.5-6.5z'),
};
