// @ts-check
/** The board: the ground is a bitmap, places are buttons, pirates are composited elements that move by transform
 * only. */
import { markup, morph } from '../lib/dom.js';
import { t } from '../lib/lang.js';
import { icon, pirate } from './drawings.js';
import { course, standing } from './plan.js';
import { groundOf, sketch } from './ground.js';
import { SEATS } from '../lib/seats.js';

/** @typedef {import('./symbols.js').SymbolSet} SymbolSet */
/** @typedef {import('./plan.js').Point} Point */
/** What the board marks: the player's pirates that can move (with a tag), the chosen place, and where moves lead.
 * @typedef {{ movable: Map<number, string>, chosen: number, targets: Map<number, { back: boolean, tag: string }>,
 *   trails: Way[] }} Marks */
/** @typedef {{ from: number, to: number }} Way */
/** What a seat's pirate did before, and how many cards that brought.
 * @typedef {Way & { seat: number, gain: number }} Past */
/** @typedef {{ element: HTMLElement, place: number }} Pawn */

export class TunnelBoard extends HTMLElement {
  #tunnel = '';
  /** @type {SymbolSet} */
  #set = {};
  /** @type {{ colour: number }[]} */
  #seats = [];
  /** @type {Pawn[][]} by seat */
  #pawns = [];
  /** @type {import('./plan.js').Course | null} */
  #course = null;
  #tabbed = 0;
  #watch = new ResizeObserver(() => this.#resized());
  /** @type {number | undefined} */
  #painting;
  /** @type {Way[]} */
  #ways = [];
  /** @type {Past[]} */
  #past = [];
  #painted = false;

  constructor() {
    super();
    this.addEventListener('keydown', (event) => this.#stroll(event));
  }

  connectedCallback() {
    this.#watch.observe(this);
  }
  disconnectedCallback() {
    this.#watch.disconnect();
  }

  get boat() {
    return this.#tunnel.length + 1;
  }

  /** @param {string} tunnel @param {SymbolSet} set @param {{ colour: number }[]} seats @param {number} pirates */
  setup(tunnel, set, seats, pirates) {
    this.#tunnel = tunnel;
    this.#set = set;
    this.#seats = seats;
    this.#course = null;
    this.#tabbed = 0;
    this.#painted = false;
    const crews = seats.map(({ colour }) =>
      Array.from({ length: pirates }, () => markup`<div class="pawn">${pirate(colour)}</div>`)
    );
    morph(
      this,
      markup`<div class="stage"><div class="ground" aria-hidden="true"></div><canvas class="ground"></canvas>
      <div class="trails" aria-hidden="true"></div><div class="recall" aria-hidden="true"></div>
      <div class="places" role="group"
          aria-label="${t('cartagena.board')}">${
        Array.from({ length: this.boat + 1 }, (_, place) => this.#place(place))
      }</div>
      <div class="pawns" aria-hidden="true">${crews}</div>
      <div class="marks" aria-hidden="true"></div></div>`,
    );
    const pawns = /** @type {HTMLElement[]} */ ([...this.querySelectorAll('.pawn')]);
    this.#pawns = seats.map((_, seat) =>
      pawns.slice(seat * pirates, (seat + 1) * pirates).map((element) => ({ element, place: 0 }))
    );
    // Laid out before the next frame, when all that shares the page has its size.
    this.#watch.unobserve(this);
    this.#watch.observe(this);
  }

  /** @param {number} place */
  #place(place) {
    const kind = place === 0 ? 'prison' : place === this.boat ? 'boat' : '';
    const space = !kind &&
      markup`<span class="carving">${icon(this.#set[this.#tunnel[place - 1]])}</span><b class="number">${place}</b>`;
    return markup`<button type="button" class="place ${kind}" data-place="${place}"
        tabindex="${place === this.#tabbed ? 0 : -1}">${space}</button>`;
  }

  /** @param {number} place @returns {HTMLElement} */
  button(place) {
    return /** @type {HTMLElement} */ (this.querySelector(`[data-place="${place}"]`));
  }

  /** The arrow keys go from place to place along the tunnel. @param {KeyboardEvent} event */
  #stroll(event) {
    const steps = /** @type {Record<string, number>} */ ({
      ArrowRight: 1,
      ArrowDown: 1,
      ArrowLeft: -1,
      ArrowUp: -1,
      Home: -this.boat,
      End: this.boat,
    });
    if (!(event.key in steps) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const at = Number(/** @type {HTMLElement} */ (event.target).dataset.place);
    this.focusPlace(Math.max(0, Math.min(this.boat, at + steps[event.key])));
  }

  /** @param {number} place */
  focusPlace(place) {
    this.tabTo(place);
    this.button(place).focus();
  }

  /** Make a place the tab stop. @param {number} place */
  tabTo(place) {
    this.button(this.#tabbed)?.setAttribute('tabindex', '-1');
    this.#tabbed = place;
    this.button(place).tabIndex = 0;
  }

  #resized() {
    const { clientWidth, clientHeight } = this,
      stage = /** @type {HTMLElement | null} */ (this.querySelector('.stage'));
    if (!stage || !clientWidth || !clientHeight) return;
    const { width = 0, height = 0, unit = 0 } = this.#course ?? {};
    if (Math.abs(width * unit - clientWidth) < 1 && Math.abs(height * unit - clientHeight) < 1) return;
    const plan = course(clientWidth, clientHeight, this.#tunnel.length, this.#seats.length);
    this.#course = plan;
    if (!this.#painted) morph(/** @type {Element} */ (stage.querySelector('.ground')), sketch(plan));
    stage.style.setProperty('--u', `${plan.unit}px`);
    stage.style.setProperty('--stout', String(this.#stout));
    stage.style.setProperty('--digits', `${(plan.digits * plan.unit).toFixed(1)}px`);
    plan.places.forEach((point, place) => this.#put(this.button(place), point));
    plan.numbers.forEach(({ x, y }, i) => {
      const at = plan.places[i + 1], number = this.button(i + 1).querySelector('.number');
      if (number instanceof HTMLElement) this.#put(number, { x: x - at.x, y: y - at.y });
    });
    this.#size(this.button(0), plan.fort.width, plan.fort.height);
    this.#size(this.button(this.boat), plan.ship[0].width, plan.ship[0].height);
    stage.classList.remove('settled');
    this.#stand();
    for (const mark of /** @type {NodeListOf<HTMLElement>} */ (this.querySelectorAll('.marks > *'))) {
      this.#put(mark, this.#point(mark));
    }
    this.trail(this.#ways);
    this.recall(this.#past);
    clearTimeout(this.#painting);
    // after what is more urgent at the start, and once while the window is being resized
    this.#painting = setTimeout(() => this.#paint(plan), 150);
  }

  /** @param {import('./plan.js').Course} plan */
  async #paint(plan) {
    const bitmap = await groundOf(plan), canvas = this.querySelector('canvas');
    if (!canvas || plan !== this.#course) return bitmap.close();
    canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap);
    this.#painted = true;
    this.querySelector('div.ground')?.replaceChildren();
  }

  get #stout() {
    return this.#course?.stout ?? 1;
  }

  /** @param {HTMLElement} element @param {Point} point in units */
  #put(element, { x, y }) {
    element.style.transform = this.#at(x, y);
  }

  /** @param {number} x @param {number} y */
  #at(x, y) {
    const u = this.#course?.unit ?? 1;
    return `translate(${(x * u).toFixed(1)}px, ${(y * u).toFixed(1)}px)`;
  }

  /** @param {HTMLElement} element @param {number} width @param {number} height */
  #size(element, width, height) {
    element.style.setProperty('--w', String(Math.round(width)));
    element.style.setProperty('--h', String(Math.round(height)));
  }

  /** The middle of a pirate, the k-th of n on its place; in prison and boat by seat.
   * @param {number} place @param {number} seat @param {number} [k] @param {number} [n] @returns {Point} */
  #spot(place, seat, k = 0, n = 1) {
    const plan = this.#course;
    if (!plan) return { x: 0, y: 0 };
    if (place === 0) return { x: plan.gates[seat].x - 13 - 50 * (this.#stout - 1), y: plan.gates[seat].y };
    if (place === this.boat) return plan.benches[seat];
    return standing(plan.places[place], plan.stout, k, n);
  }

  /** Pirates glide to where they stand next, but not on a new board. */
  #settled() {
    const stage = /** @type {HTMLElement | null} */ (this.querySelector('.stage:not(.settled)'));
    if (this.#course && stage?.offsetWidth) stage.classList.add('settled');
  }

  /** Put everyone where they are now. Those who stay keep their elements. @param {number[][]} pirates by seat */
  settle(pirates) {
    pirates.forEach((places, seat) => {
      const left = [...places];
      const movers = this.#pawns[seat].filter((pawn) => {
        const at = left.indexOf(pawn.place);
        if (at >= 0) left.splice(at, 1);
        return at < 0;
      });
      for (const pawn of movers) pawn.place = left.shift() ?? 0;
    });
    this.#stand();
    this.#settled();
  }

  #stand() {
    /** @type {Map<number, [Pawn, number][]>} */
    const crowds = new Map();
    this.#pawns.forEach((crew, seat) =>
      crew.forEach((pawn) => crowds.set(pawn.place, [...(crowds.get(pawn.place) ?? []), [pawn, seat]]))
    );
    for (const [place, crowd] of crowds) {
      crowd.forEach(([{ element }, seat], k) => {
        const spot = this.#spot(place, seat, k, crowd.length);
        this.#put(element, spot);
        element.style.zIndex = String(Math.round(spot.y));
      });
    }
    for (let place = 1; place < this.boat; place++) this.button(place).classList.toggle('taken', crowds.has(place));
  }

  /** @param {number} seat the reader's, from 0; -1: nobody's @param {Marks} marks @param {(place: number) => string}
   * label */
  mark(seat, marks, label) {
    const { movable, chosen, targets } = marks;
    for (let place = 0; place <= this.boat; place++) {
      const button = this.button(place), goal = targets.get(place);
      button.setAttribute('aria-label', label(place));
      button.classList.toggle('movable', movable.has(place));
      button.classList.toggle('chosen', place === chosen);
      button.classList.toggle('target', Boolean(goal));
      button.classList.toggle('back', Boolean(goal?.back));
      if (movable.has(place)) button.setAttribute('aria-pressed', String(place === chosen));
      else button.removeAttribute('aria-pressed');
    }
    const [start] = chosen < 0 ? movable.keys() : [chosen];
    if (start !== undefined && !this.contains(document.activeElement)) this.tabTo(start);
    this.#pawns.forEach((crew, owner) =>
      crew.forEach(({ element, place }) => {
        element.classList.toggle('movable', owner === seat && movable.has(place));
        element.classList.toggle('chosen', owner === seat && place === chosen);
      })
    );
    this.querySelector('.stage')?.classList.toggle('choosing', targets.size > 0);
    const tags = [...movable].filter(([, tag]) => tag).map(([place, tag]) =>
      this.#mark(`from ${place}`, 'tag', place, seat, tag)
    );
    const ghosts = [...targets].map(([place, { back, tag }]) => this.#goal(seat, place, back, tag));
    const layer = this.querySelector('.marks');
    if (!layer) return;
    morph(layer, markup`${this.#tallies()}${tags}${ghosts}`);
    for (const mark of /** @type {NodeListOf<HTMLElement>} */ (layer.querySelectorAll(':scope > *'))) {
      this.#put(mark, this.#point(mark));
    }
    this.trail(marks.trails);
  }

  /** @param {string} key @param {string} kind @param {number} place @param {number} seat @param {unknown} inner */
  #mark(key, kind, place, seat, inner) {
    return markup`<b data-key="${key}" class="${kind}" data-at="${place}" data-seat="${seat}">${inner}</b>`;
  }

  /** @param {number} seat @param {number} place @param {boolean} back @param {string} tag */
  #goal(seat, place, back, tag) {
    const ghost = !back && this.#mark(`ghost ${place}`, 'ghost', place, seat, pirate(this.#seats[seat].colour));
    return markup`${ghost}${this.#mark(`to ${place}`, back ? 'tag back' : 'tag', place, seat, tag)}`;
  }

  /** How many of each colour are in prison and boat. */
  #tallies() {
    return this.#pawns.map((crew, seat) =>
      [0, this.boat].map((place) => {
        const n = crew.filter((pawn) => pawn.place === place).length;
        return n > 0 &&
          this.#mark(`tally ${seat} ${place}`, place ? 'tally aboard' : 'tally', place, seat, place ? n : `×${n}`);
      })
    );
  }

  /** @param {HTMLElement} mark @returns {Point} in units */
  #point(mark) {
    const place = Number(mark.dataset.at),
      seat = Number(mark.dataset.seat),
      spot = this.#spot(place, seat),
      scale = this.#course?.boat.scale ?? 1;
    if (!mark.classList.contains('tally')) return spot;
    return place
      ? { x: spot.x, y: spot.y + Math.max(50 * scale, 14 + 34 * this.#stout) }
      : { x: spot.x + 36 + 75 * (this.#stout - 1), y: spot.y + 4 };
  }

  /** Show ways along the tunnel. @param {Way[]} ways */
  trail(ways) {
    this.#ways = ways;
    const layer = this.querySelector('.trails');
    if (!layer || !this.#course) return;
    const { trail, width, height } = this.#course;
    const paths = ways.map(({ from, to }) => {
      const d = trail(from, to);
      return markup`<path class="under" d="${d}"/><path class="way ${to < from && 'back'}" d="${d}"/>`;
    });
    morph(layer, markup`<svg viewBox="0 0 ${width} ${height}">${paths}</svg>`);
  }

  /** Show what others did as arrows in their colours. @param {Past[]} past */
  recall(past) {
    this.#past = past;
    const layer = this.querySelector('.recall');
    if (!layer || !this.#course) return;
    const { width, height, stout } = this.#course;
    /** What was drawn, above all arrows. @type {import('../lib/dom.js').Markup[]} */
    const gains = [];
    const arrows = past.map(({ seat, from, to, gain }) => {
      const start = this.#spot(from, seat - 1),
        goal = this.#spot(to, seat - 1),
        end = { x: goal.x, y: goal.y - 36 * stout };
      const top = Math.max(8, Math.min(start.y, end.y) - 30 - Math.abs(end.x - start.x) * .07),
        bend = { x: (start.x + end.x) / 2, y: top },
        turn = Math.atan2(end.y - bend.y, end.x - bend.x);
      const barb = (/** @type {number} */ side) =>
        `M${end.x} ${end.y}l${-15 * Math.cos(turn + side)} ${-15 * Math.sin(turn + side)}`;
      const d = `M${start.x} ${start.y}Q${bend.x} ${bend.y} ${end.x} ${end.y}${barb(.5)}${barb(-.5)}`;
      if (gain > 0) gains.push(markup`<text x="${end.x + 26}" y="${end.y + 2}">+${gain}</text>`);
      return markup`<path class="under" d="${d}"/><path stroke="${
        SEATS[this.#seats[seat - 1].colour].fill
      }" d="${d}"/>`;
    });
    morph(layer, markup`<svg viewBox="0 0 ${width} ${height}">${arrows}${gains}</svg>`);
  }

  /** Where a place is on the screen. @param {number} place @param {number} seat */
  where(place, seat) {
    this.#resized();
    const { left, top } = this.getBoundingClientRect(), { x, y } = this.#spot(place, seat), u = this.#course?.unit ?? 1;
    return { x: left + x * u, y: top + y * u };
  }

  /** Walk one pirate along the tunnel, space by space.
   * @param {number} seat @param {number} from @param {number} to @param {number} duration */
  async walk(seat, from, to, duration) {
    const pawn = this.#pawns[seat].findLast(({ place }) => place === from);
    if (!pawn) return;
    this.#resized();
    const step = Math.sign(to - from),
      crowd = this.#pawns.flat().filter(({ place }) => place === to).length,
      frames = [];
    let { x, y } = this.#spot(from, seat);
    for (let place = from; place !== to; place += step) {
      const next = place + step === to ? this.#spot(to, seat, crowd, crowd + 1) : this.#spot(place + step, seat);
      frames.push({ transform: this.#at(x, y), easing: 'ease-in-out' });
      frames.push({ transform: this.#at((x + next.x) / 2, (y + next.y) / 2 - 18), easing: 'ease-in-out' });
      ({ x, y } = next);
    }
    frames.push({ transform: this.#at(x, y) });
    pawn.element.style.zIndex = '9999';
    await pawn.element.animate(frames, { duration, easing: 'ease-in-out' }).finished;
    pawn.place = to;
    this.#stand();
  }

  /** A small celebration when a pirate boards. @param {number} seat @param {number} duration */
  async cheer(seat, duration) {
    const layer = this.querySelector('.stage'),
      { x, y } = this.#spot(this.boat, seat),
      pawn = this.#pawns[seat].findLast(({ place }) => place === this.boat);
    if (!layer) return;
    const hop = [0, -26, 0, -14, 0].map((up) => ({ transform: this.#at(x, y + up), easing: 'ease-out' }));
    const sparks = Array.from({ length: 12 }, (_, i) => {
      const spark = Object.assign(document.createElement('i'), { className: 'spark' }),
        angle = (i / 12) * 2 * Math.PI,
        far = 60 + (i % 3) * 26;
      layer.append(spark);
      const flight = spark.animate([
        { transform: `${this.#at(x, y)} scale(.4)`, opacity: 1 },
        {
          transform: `${this.#at(x + Math.cos(angle) * far, y + Math.sin(angle) * far * .8 - 20)} scale(1)`,
          opacity: 1,
          offset: .6,
        },
        {
          transform: `${this.#at(x + Math.cos(angle) * far * 1.15, y + Math.sin(angle) * far + 14)} scale(.6)`,
          opacity: 0,
        },
      ], { duration, easing: 'ease-out' }).finished;
      return flight.finally(() => spark.remove());
    });
    await Promise.all([...sparks, pawn?.element.animate(hop, { duration }).finished]);
  }

  /** With reduced motion: a place lights up. @param {number} place @param {number} duration */
  async flash(place, duration) {
    const ring = Object.assign(document.createElement('i'), { className: 'flash' });
    this.button(place).append(ring);
    await ring.animate([{ opacity: 1 }, { opacity: 0 }], { duration }).finished.finally(() => ring.remove());
  }
}
customElements.define('tunnel-board', TunnelBoard);
