// @ts-check
/** What Cartagena adds to the setup sheet: how the symbols are printed, and a tunnel laid by hand, whose segments are
 * dragged or pushed into another order, turned round, and their symbols exchanged. */
import { markup, raw } from '../lib/dom.js';
import { has, list, t } from '../lib/lang.js';
import { KINDS } from '../lib/offer.js';
import { icon } from './drawings.js';
import { symbolsOf, thing } from './symbols.js';

/** @typedef {import('../home/setup.js').Choice} Choice */

/** What the server offers: the printed segments, how few and how many a tunnel may have, and the printings.
 * @typedef {{ segments: string[], lengths: [number, number], printings: string[] }} Offers */
const { segments: PRINTED, lengths: [LEAST, MOST], printings: PRINTINGS } =
  /** @type {Offers} */ (KINDS.cartagena.offers);

/** The symbol tapped first, until a second one is tapped. @type {{ segment: number, place: number } | null} */
let tapped = null;

/** @param {string} path */
const mark = (path) => raw(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`);
const MARKS = {
  turn: mark('M4 9h13l-4-4M20 15H7l4 4'),
  up: mark('M12 19V5M6 11l6-6 6 6'),
  down: mark('M12 5v14M6 13l6 6 6-6'),
  drop: mark('M6 6l12 12M18 6L6 18'),
  add: mark('M12 5v14M5 12h14'),
};

/** @param {Choice} choice */
const segments = (choice) => choice.tunnel?.split('/') ?? [];
/** @param {string} text */
const turned = (text) => [...text].reverse().join('');
/** @param {readonly string[]} things */
const shuffled = (things) =>
  things.map((thing) => ({ thing, luck: Math.random() })).sort((a, b) => a.luck - b.luck).map(({ thing }) => thing);

/** A segment with its buttons.
 * @param {string} text @param {number} i @param {number} count @param {import('./symbols.js').SymbolSet} set */
function segmentRow(text, i, count, set) {
  /** @param {'turn' | 'up' | 'down' | 'drop'} act @param {boolean} off */
  const button = (act, off) => {
    const label = t(`setup.segment-${act}`, { n: i + 1 });
    return markup`<button type="button" class="quiet" data-lay="${act}" data-at="${i}" aria-label="${label}"
      title="${label}" ${off && 'disabled'}>
      ${MARKS[act]}</button>`;
  };
  /** @param {string} letter @param {number} place */
  const symbol = (letter, place) =>
    markup`<button type="button" class="symbol" data-lay="swap" data-at="${i}" data-place="${place}"
    aria-pressed="${String(tapped?.segment === i && tapped.place === place)}"
        aria-label="${thing(set, letter, 'name')}">${icon(set[letter])}</button>`;
  return markup`<li data-segment="${i}"><span class="grip" aria-hidden="true">${i + 1}</span><span
      class="symbols">${[...text].map(symbol)}</span>
    <span class="acts">${button('turn', false)}${button('up', i === 0)}${button('down', i === count - 1)}${
    button('drop', count === LEAST)
  }</span></li>`;
}

/** Segments to add: printed ones that are not in the tunnel yet, and one in any order.
 * @param {readonly string[]} rest @param {import('./symbols.js').SymbolSet} set */
const palette = (rest, set) =>
  markup`<div class="palette"><span class="dim">${t('setup.segment-add')}</span>${
    rest.map((text) =>
      markup`<button type="button" class="btn" data-lay="add" data-text="${text}"
          aria-label="${list([...text].map((letter) => thing(set, letter, 'name')))}">
      ${[...text].map((letter) => icon(set[letter]))}</button>`
    )
  }
  <button type="button" class="btn" data-lay="add" data-text="">${MARKS.add}${t('setup.segment-free')}</button></div>`;

/** @param {Choice} choice */
function tunnelBody(choice) {
  const laid = segments(choice), set = symbolsOf(choice.edition, choice.printing);
  const rest = PRINTED.filter((one) => !laid.includes(one) && !laid.includes(turned(one)));
  /** @param {string} value @param {boolean} on @param {string} text */
  const radio = (value, on, text) =>
    markup`<label class="opt"><input type="radio" name="tunnel" value="${value}"
        ${on && 'checked'}><span>${text}</span></label>`;
  return markup`<div class="seg">${radio('chance', !laid.length, t('setup.chance'))}${
    radio('hand', laid.length > 0, t('setup.by-hand'))
  }</div>
    ${
    laid.length > 0 && markup`<p class="dim">${t('setup.tunnel-says')}</p>
      <p class="end">${t('setup.fortress')}</p><ol
          class="segments">${laid.map((text, i) => segmentRow(text, i, laid.length, set))}</ol>
      <p class="end">${t('setup.boat')}</p>
      ${laid.length < MOST && palette(rest, set)}
      <button type="button" class="btn" data-lay="shuffle">${t('setup.shuffle')}</button>`
  }`;
}

/** Handle events on the tunnel in a sheet.
 * @param {HTMLElement} sheet @param {Choice} choice @param {() => void} update */
function layTunnel(sheet, choice, update) {
  /** @param {string[]} laid */
  const lay = (laid) => {
    choice.tunnel = laid.length ? laid.join('/') : null;
    update();
  };
  const byChance = () => shuffled(PRINTED).map((text) => (Math.random() < 0.5 ? text : turned(text)));
  /** Move a segment, and the focus with it. @param {number} from @param {number} to @param {string} [act] */
  const move = (from, to, act) => {
    const laid = segments(choice);
    laid.splice(to, 0, ...laid.splice(from, 1));
    lay(laid);
    const button =
      /** @type {HTMLButtonElement | null} */ (sheet.querySelector(`[data-lay="${act}"][data-at="${to}"]`));
    (button?.disabled ? /** @type {HTMLElement} */ (button.parentElement?.querySelector(':enabled')) : button)?.focus();
  };
  /** Exchange two symbols of a segment: the one tapped first and this one.
   * @param {number} segment @param {number} place */
  const swap = (segment, place) => {
    const first = tapped?.segment === segment ? tapped.place : null,
      laid = segments(choice),
      letters = [...laid[segment]];
    tapped = first === null ? { segment, place } : null;
    if (first !== null) [letters[first], letters[place]] = [letters[place], letters[first]];
    laid[segment] = letters.join('');
    lay(laid);
  };

  sheet.addEventListener('change', (event) => {
    const { name, value } = /** @type {HTMLInputElement} */ (event.target);
    if (name === 'tunnel') lay(value === 'hand' ? byChance() : []);
  });
  sheet.addEventListener('click', (event) => {
    const button = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest('[data-lay]'));
    if (!button) return;
    const { lay: act, text, at, place } = button.dataset, i = Number(at), laid = segments(choice);
    if (act !== 'swap') tapped = null;
    if (act === 'turn') lay(laid.map((one, j) => (i === j ? turned(one) : one)));
    if (act === 'up') move(i, i - 1, act);
    if (act === 'down') move(i, i + 1, act);
    if (act === 'drop') lay(laid.filter((_, j) => i !== j));
    if (act === 'add') lay([...laid, text || shuffled([...PRINTED[0]]).join('')]);
    if (act === 'shuffle') lay(byChance());
    if (act === 'swap') swap(i, Number(place));
  });

  /** Where the dragged segment is now. @type {number | null} */
  let dragged = null;
  sheet.addEventListener('pointerdown', (event) => {
    const row =
      /** @type {HTMLElement | null | undefined} */ (/** @type {Element} */ (event.target).closest('.grip')?.closest(
        '[data-segment]',
      ));
    if (!row) return;
    dragged = Number(row.dataset.segment);
    sheet.setPointerCapture(event.pointerId);
    row.classList.add('dragged');
  });
  sheet.addEventListener('pointermove', (event) => {
    if (dragged === null) return;
    const rows = [...sheet.querySelectorAll('[data-segment]')];
    const over = rows.findIndex((row) => event.clientY < row.getBoundingClientRect().bottom);
    const to = over < 0 ? rows.length - 1 : over;
    if (to === dragged) return;
    move(dragged, to);
    dragged = to;
    rows[to].classList.add('dragged');
  });
  for (const end of ['pointerup', 'pointercancel']) {
    sheet.addEventListener(end, () => {
      dragged = null;
      for (const row of sheet.querySelectorAll('.dragged')) row.classList.remove('dragged');
    });
  }
}

/** @type {import('../faces.js').Setup['fold']} */
export const fold = {
  name: 'tunnel',
  now: (choice) => t(choice.tunnel ? 'setup.by-hand' : 'setup.chance'),
  body: tunnelBody,
  listen: layTunnel,
};

/** A choice of printings, for editions whose symbols depend on it. @type {import('../faces.js').Setup['fields']} */
export function fields({ edition, printing }) {
  const looks = new Set(PRINTINGS.map((one) => JSON.stringify(symbolsOf(edition, one))));
  if (looks.size < 2) return [];
  /** @param {string} one */
  const text = (one) => (has(`setup.${one}`) ? t(`setup.${one}`) : one);
  return [{
    name: 'printing',
    label: t('setup.printing'),
    now: printing || PRINTINGS[0],
    options: PRINTINGS.map((one) => [one, text(one)]),
  }];
}
