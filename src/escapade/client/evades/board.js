// @ts-check
/** The island with its pawns and boats: what stands where, what may be done, and how it moves. */
import { markup, morph } from '../lib/dom.js';
import { PAWNS } from './notation.js';
import { boatLayers, chip, disc, FLAT, places, THICK } from './drawings.js';
import { byTarget, placeOf } from './choice.js';
import { moveName, whereabouts } from './words.js';
import { plan as planOf, STEPS } from './plan.js';
import { BLEED, ground, sketch } from './ground.js';

/** @typedef {import('./notation.js').View} View */
/** @typedef {import('./choice.js').Choice} Choice */
/** @typedef {import('./plan.js').Point} Point */
/** @typedef {import('./plan.js').Plan} Plan */
/** A pawn's way by somebody else's move. @typedef {{ seat: number, from: number, to: number, boat: boolean }} Past */
/** What the board marks: pins for moves, rings around pawns that can be chosen, a hinted action, and what others did,
 * in the colours of their seats.
 * @typedef {{ moves: Choice[], ready: string, hinted: string | null, past?: (Past & { colour: string })[] }} Marks */

/** The way that a pawn was taken, as an arrow that ends before those who stand there. It goes beside the numbers: each
 * seat that moved has a side of the track to itself.
 * @param {Plan} plan @param {Past} gone @param {number} n which of these seats it is, from 0 */
function arrow({ way, hole, radius }, { from, to, boat }, n) {
  const first = Math.max(0, from - 1) * STEPS,
    last = boat ? way.length - 1 : (to - 1) * STEPS,
    ahead = last < first ? -1 : 1,
    out = Math.floor(n / 2),
    side = n % 2 ? -1 : 1;
  /** @param {number} i @returns {Point} */
  const beside = (i) => {
    const a = way[Math.max(0, i - 1)],
      b = way[Math.min(way.length - 1, i + 1)],
      long = Math.hypot(b.x - a.x, b.y - a.y);
    return {
      x: way[i].x - side * radius * (.62 + .22 * out) * (b.y - a.y) / long,
      y: way[i].y + side * radius * (.46 + .18 * out) * (b.x - a.x) / long,
    };
  };
  const count = Math.max(1, Math.abs(last - first) - (boat ? 0 : STEPS / 2));
  const points = Array.from({ length: count + 1 }, (_, i) => beside(Math.min(way.length - 1, first + ahead * i)));
  if (from === 0) points.unshift(hole);
  const tip = points[points.length - 1], before = points[points.length - 2];
  const turn = Math.atan2(tip.y - before.y, tip.x - before.x), size = radius * .42;
  const barb = (/** @type {number} */ bend) =>
    `M${at(tip)}l${(-size * Math.cos(turn + bend)).toFixed(1)} ${(-size * Math.sin(turn + bend)).toFixed(1)}`;
  return `M${points.map(at).join('L')}${barb(.6)}${barb(-.6)}`;
}

/** @param {Point} point */
const at = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;

/** Milliseconds for a hop to the next space. */
const HOP = 150;
const BLANK = { moves: [], ready: '', hinted: null };

export class Island {
  /** @type {import('./plan.js').Plan} */ #plan;
  /** @type {View | null} */ #view = null;
  /** @type {Marks} */ #marks = BLANK;
  /** Pixels to a unit of the plan. */ #unit = 1;
  /** How large a pawn is drawn. */ #size = 1;
  #painted = false;
  /** The pawn that is the tab stop; arrow keys go on from there. */ #stop = PAWNS[0];
  /** @type {Map<string, HTMLElement>} */ #pawns = new Map();

  /** @param {HTMLElement} root @param {number} length of the track */
  constructor(root, length) {
    this.root = root;
    this.length = length;
    this.#plan = planOf(length, 2);
    morph(
      root,
      markup`<div class="isle"><div class="land sketch" aria-hidden="true"></div><img class="land" alt="">
      <div class="traces"></div><div class="folk"></div><div
        class="pins"></div></div>`,
    );
    this.isle = /** @type {HTMLElement} */ (root.firstElementChild);
    new ResizeObserver(() => this.#fit()).observe(root);
  }

  /** @param {string} name @returns {HTMLElement} */
  #part(name) {
    return /** @type {HTMLElement} */ (this.isle.querySelector(`.${name}`));
  }

  /** Choose the plan for the room, and scale it. */
  #fit() {
    const { clientWidth: width, clientHeight: height } = this.root;
    if (!width || !height || !this.#view) return;
    const plan = planOf(this.length, width / height);
    if (plan.tall !== this.#plan.tall || !this.#painted) this.#paint(plan);
    this.#unit = Math.min(width / plan.width, height / plan.height);
    this.#size = Math.max(0.78, Math.min(1.2, plan.radius / 34), this.#least);
    this.isle.style.setProperty('--u', `${this.#unit}px`);
    this.isle.style.width = `${plan.width * this.#unit}px`;
    this.isle.style.height = `${plan.height * this.#unit}px`;
    this.#settle();
  }

  /** @param {import('./plan.js').Plan} plan */
  #paint(plan) {
    this.#plan = plan;
    this.#painted = true;
    const image = /** @type {HTMLImageElement} */ (this.isle.querySelector('img.land')),
      draft = this.#part('sketch'),
      drawn = ground(plan),
      picture = URL.createObjectURL(new Blob([drawn], { type: 'image/svg+xml' }));
    morph(draft, sketch(drawn));
    image.src = picture;
    image.decode().then(() => {
      URL.revokeObjectURL(picture);
      if (image.src === picture) draft.replaceChildren();
    }, () => null); // another plan came in between
    for (const land of [draft, image]) {
      land.style.inset = `calc(${-BLEED} * var(--u))`;
      land.style.width = `calc(${plan.width + 2 * BLEED} * var(--u))`;
    }
    this.isle.style.setProperty('--boat', String(plan.boatWidth));
    morph(
      this.#part('folk'),
      markup`${
        plan.boats.map((_, i) => {
          const { back, front } = boatLayers(i + 1);
          return markup`<div class="barque b${i + 1} back" data-key="back${i + 1}">${back}</div>
        <div class="barque b${i + 1} front" data-key="front${i + 1}">${front}</div>`;
        })
      }${
        [...PAWNS].map((pawn) =>
          markup`<button type="button" class="convict" data-pawn="${pawn}" data-key="${pawn}">${disc(pawn)}</button>`
        )
      }`,
    );
    this.#pawns = new Map(
      [...PAWNS].map((pawn) => [pawn, /** @type {HTMLElement} */ (this.isle.querySelector(`[data-pawn="${pawn}"]`))]),
    );
  }

  /** @param {View} view @param {Marks} marks */
  show(view, marks) {
    this.#view = view;
    this.#marks = marks;
    if (!this.#painted) this.#fit();
    else this.#settle();
  }

  /** @param {Point} point */
  #to({ x, y }) {
    return `translate(${(x * this.#unit).toFixed(2)}px, ${(y * this.#unit).toFixed(2)}px)`;
  }

  /** The size at which a pawn is large enough for a finger. */
  get #least() {
    return 27 / (72 * this.#unit);
  }

  /** Where the foot of a pawn is. @param {View} view @param {string} pawn */
  #foot(view, pawn) {
    const { space, boat, level } = placeOf(view, pawn), plan = this.#plan;
    if (boat) {
      const seat = places(boat)[level] ?? [0, 0], scale = plan.boatWidth / 220, { x, y } = plan.boats[boat - 1];
      return { x: x + seat[0] * scale, y: y + seat[1] * scale, depth: y + 10, size: plan.boatWidth / 228 };
    }
    if (!space) {
      const { x, y } = plan.windows[PAWNS.indexOf(pawn)];
      return { x, y: y + 12, depth: y, size: Math.max(0.82, this.#least) };
    }
    const { x, y } = plan.spaces[space - 1];
    return { x, y: y - level * THICK * this.#size, depth: y + level + 1, size: this.#size };
  }

  #settle() {
    const view = this.#view;
    if (!view || !this.#pawns.size) return;
    this.#plan.boats.forEach((at, i) => {
      for (const layer of ['back', 'front']) {
        const boat = /** @type {HTMLElement} */ (this.isle.querySelector(`.barque.b${i + 1}.${layer}`));
        boat.style.transform = this.#to(at);
        boat.style.zIndex = String(Math.round(at.y) + (layer === 'front' ? 40 : 0));
      }
    });
    for (const [pawn, element] of this.#pawns) this.#put(view, pawn, element);
    this.#mark(view);
  }

  /** @param {View} view @param {string} pawn @param {HTMLElement} element */
  #put(view, pawn, element) {
    const foot = this.#foot(view, pawn), { space, boat, above } = placeOf(view, pawn);
    element.className = `convict ${boat ? `aboard b${boat}` : space ? (above ? 'under' : 'top') : 'inside'} ${
      this.#marks.ready.includes(pawn) ? 'ready' : ''
    }`;
    element.style.transform = this.#to(foot);
    element.style.zIndex = String(Math.round(foot.depth));
    element.style.setProperty('--k', foot.size.toFixed(3));
    element.tabIndex = pawn === this.#stop ? 0 : -1;
    element.setAttribute('aria-label', whereabouts(view, pawn));
  }

  /** Pawns from the windows to the boats: the order in which arrow keys go through them. */
  #order() {
    const view = this.#view,
      far = (/** @type {string} */ pawn) => {
        const { space, boat, level } = placeOf(/** @type {View} */ (view), pawn);
        return boat ? 1000 + boat : space + level / 10;
      };
    return view ? [...PAWNS].sort((a, b) => far(a) - far(b)) : [...PAWNS];
  }

  /** Move the focus from pawn to pawn. @param {number} by */
  rove(by) {
    const order = this.#order();
    this.#stop = order[(order.indexOf(this.#stop) + by + order.length) % order.length];
    for (const [pawn, element] of this.#pawns) element.tabIndex = pawn === this.#stop ? 0 : -1;
    this.#pawns.get(this.#stop)?.focus();
  }

  /** @param {string} target `21` or `#1` @returns {Point} */
  #spot(target) {
    return target.startsWith('#')
      ? this.#plan.boats[Number(target.slice(1)) - 1]
      : this.#plan.spaces[Number(target) - 1];
  }

  /** Rings and trails on the ground, and a pin for each target. @param {View} view */
  #mark(view) {
    const { moves, ready, hinted, past = [] } = this.#marks,
      { width, height, radius, way } = this.#plan,
      targets = [...byTarget(moves)];
    /** @param {number} from @param {number} to @param {boolean} boat */
    const line = (from, to, boat) => {
      const ends = [Math.max(0, from - 1), boat ? this.length - 1 : to - 1].sort((a, b) => a - b);
      const points = way.slice(ends[0] * STEPS, ends[1] * STEPS + 1);
      return `M${points.map(({ x, y }) => `${x.toFixed(0)} ${y.toFixed(0)}`).join('L')}`;
    };
    const trails = moves.filter(({ kind }) => kind === 'forward').map(({ pawn, to, boat, action }) =>
      markup`<path class="trail ${action === hinted ? 'hinted' : ''}" d="${
        line(placeOf(view, pawn).space, to, boat)
      }"/>`
    );
    const seats = [...new Set(past.map(({ seat }) => seat))];
    const traces = past.map(({ colour, ...gone }) => {
      const d = arrow(this.#plan, gone, seats.indexOf(gone.seat));
      return markup`<path class="past under" d="${d}"/><path class="past" stroke="${colour}" d="${d}"/>`;
    });
    const rings = targets.filter(([target]) => !target.startsWith('#')).map(([target, there]) => {
      const { x, y } = this.#spot(target);
      return markup`<ellipse class="ring ${kindOf(there)}" cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" rx="${
        radius + 3
      }" ry="${radius * FLAT + 3}"/>`;
    });
    morph(
      this.#part('traces'),
      markup`<svg viewBox="0 0 ${width} ${height}" aria-hidden="true">${traces}${trails}${rings}</svg>`,
    );
    morph(
      this.#part('pins'),
      markup`${
        targets.map(([target, there]) => {
          const looks = `pin ${kindOf(there)} ${there.some(({ action }) => action === hinted) ? 'hinted' : ''}`,
            popup = there.length > 1 ? 'menu' : 'false';
          const label = there.map(moveName).join('; ');
          return markup`<button type="button" class="${looks}" data-pin="${target}" data-key="${target}"
            aria-label="${label}" aria-haspopup="${popup}">
        ${there.map(({ pawn }) => chip(pawn))}<b>${labelOf(there)}</b></button>`;
        })
      }`,
    );
    const pins = /** @type {HTMLElement[]} */ ([...this.isle.querySelectorAll('.pin')]),
      depth = (/** @type {HTMLElement} */ pin) => this.#spot(pin.dataset.pin ?? '').y;
    const taken = [...ready].filter((one) => this.#pawns.has(one)).map((pawn) => this.#middle(view, pawn));
    for (const pin of pins.sort((a, b) => depth(a) - depth(b))) taken.push(this.#pinDown(view, pin, taken));
  }

  /** @param {View} view @param {string} pawn @returns {Point} */
  #middle(view, pawn) {
    const { x, y, size } = this.#foot(view, pawn);
    return { x, y: y - 11 * size };
  }

  /** Put a pin above its target and above pawns that stand there, but inside the board. It leans aside where it would
   * cover the middle of something else that can be tapped.
   * @param {View} view @param {HTMLElement} pin @param {Point[]} taken @returns {Point} its own middle */
  #pinDown(view, pin, taken) {
    const target = /** @type {string} */ (pin.dataset.pin),
      { x, y } = this.#spot(target),
      stack = view.stacks[Number(target)] ?? '';
    const above = target.startsWith('#') ? 40 : stack ? stack.length * THICK * this.#size + 16 : 10;
    const half = pin.offsetWidth / 2 / this.#unit,
      tall = pin.offsetHeight / this.#unit,
      gap = 8 / this.#unit,
      most = half - gap;
    const inside = (/** @type {Point} */ at) => ({
      x: Math.max(half, Math.min(this.#plan.width - half, at.x)),
      y: Math.max(tall + 14, at.y),
    });
    const covers = (/** @type {Point} */ at, /** @type {Point} */ one) =>
      Math.abs(one.x - at.x) < half + gap - 0.1 && one.y > at.y - tall - gap && one.y < at.y + gap;
    const aside = taken.flatMap((one) => [one.x - half - gap, one.x + half + gap]).filter((other) =>
      Math.abs(other - x) < 2 * half
    ).sort((a, b) => Math.abs(a - x) - Math.abs(b - x));
    const spots = [y - above, y - above - tall].flatMap((foot) =>
      [x, ...aside].map((one) => inside({ x: one, y: foot }))
    );
    const spot = spots.find((at) => !taken.some((one) => covers(at, one))) ?? spots[0];
    pin.style.transform = this.#to(spot);
    pin.style.zIndex = String(Math.round(y));
    pin.style.setProperty('--lean', `${(Math.max(-most, Math.min(most, x - spot.x)) * this.#unit).toFixed(1)}px`);
    return { x: spot.x, y: spot.y - tall / 2 };
  }

  /** Move a pawn from its place in one view to its place in the next, through a space if the action names one.
   * @param {string} pawn @param {View} before @param {View} after @param {number} via a space, or 0 @param {number}
   * speed */
  async walk(pawn, before, after, via, speed) {
    this.#marks = BLANK;
    this.#mark(before);
    const element = /** @type {HTMLElement} */ (this.#pawns.get(pawn)), place = placeOf(after, pawn);
    const start = this.#foot(before, pawn), end = this.#foot(after, pawn);
    const steps = this.#steps(
      start,
      placeOf(before, pawn).space,
      via || (place.boat ? this.length : place.space),
      place.boat ? null : end,
    );
    if (place.boat) steps.push(...arc(steps[steps.length - 1] ?? start, end, 90, 14));
    element.style.zIndex = '1500';
    element.classList.remove('under', 'ready');
    await element.animate(
      [start, ...steps].map((point) => ({ transform: this.#to(point) })),
      (180 + (HOP * steps.length) / STEPS) / speed,
    ).finished;
    this.#put(after, pawn, element);
    if (place.boat) await this.#arrive(place.boat, speed);
  }

  /** The hops from one space to another; `end` is where the last one lands, which may be on top of a stack.
   * @param {Point} start @param {number} from @param {number} to @param {Point | null} end @returns {Point[]} */
  #steps(start, from, to, end) {
    const { way, spaces } = this.#plan,
      first = Math.max(1, from),
      count = Math.abs(to - first) * STEPS,
      ahead = Math.sign(to - first);
    const steps = from ? [] : arc(start, (to === 1 && end) || spaces[0], 34, STEPS);
    for (let i = 1; i <= count; i++) {
      const { x, y } = way[(first - 1) * STEPS + ahead * i], left = count - i;
      const offStack = from && i < STEPS ? (start.y - spaces[from - 1].y) * (1 - i / STEPS) : 0;
      const ontoStack = end && left < STEPS ? (end.y - spaces[to - 1].y) * (1 - left / STEPS) : 0;
      steps.push({ x, y: y + offStack + ontoStack - Math.sin(((i % STEPS) / STEPS) * Math.PI) * 24 });
    }
    return steps;
  }

  /** A small celebration when a pawn boards: the boat rocks, rings on the water, sparks.
   * @param {number} boat @param {number} speed */
  async #arrive(boat, speed) {
    const at = this.#plan.boats[boat - 1],
      layers = this.isle.querySelectorAll(`.barque.b${boat} svg`),
      duration = 800 / speed;
    const rocking = ['none', 'translateY(7%) rotate(2deg)', 'translateY(-3%) rotate(-2deg)', 'none'].map((
      transform,
    ) => ({ transform }));
    for (const layer of layers) layer.animate(rocking, { duration, easing: 'ease-out' });
    const burst = document.createElement('div');
    burst.className = 'burst';
    morph(burst, markup`<i class="ripple"></i>${Array.from({ length: 10 }, () => markup`<i class="glint"></i>`)}`);
    burst.style.transform = this.#to({ x: at.x, y: at.y - 10 });
    this.#part('folk').append(burst);
    const [ripple, ...sparks] = burst.children, far = 90 * this.#unit;
    ripple.animate([{ transform: 'scale(.4)', opacity: 0.9 }, { transform: 'scale(1.5)', opacity: 0 }], {
      duration,
      easing: 'ease-out',
      fill: 'forwards',
    });
    const done = sparks.map((spark, i) => {
      const turn = (i / sparks.length) * 2 * Math.PI, x = Math.cos(turn) * far, y = Math.sin(turn) * far * 0.7;
      return spark.animate([{ transform: 'scale(.3)', opacity: 1 }, {
        transform: `translate(${x}px, ${y - far * 0.5}px) scale(1)`,
        opacity: 1,
        offset: 0.55,
      }, { transform: `translate(${x * 1.1}px, ${y}px) scale(.4)`, opacity: 0 }], {
        duration,
        easing: 'ease-out',
        fill: 'forwards',
      }).finished;
    });
    await Promise.all(done);
    burst.remove();
  }

  /** With reduced motion: highlight a pawn that has moved. @param {string} pawn */
  async flash(pawn) {
    await this.#pawns.get(pawn)?.animate([{ opacity: 0.25 }, { opacity: 1 }], { duration: 350 }).finished;
  }
}

/** @param {Choice[]} moves */
const kindOf = (moves) => (moves.some(({ kind }) => kind === 'forward') ? 'forward' : 'back');

/** A pin's number; nothing if several numbers lead there. @param {Choice[]} moves */
function labelOf(moves) {
  const labels = new Set(moves.map(({ kind, number }) => `${kind === 'forward' ? '+' : '−'}${number}`));
  return labels.size === 1 ? [...labels][0] : '…';
}

/** Points of a jump.
 * @param {Point} from @param {Point} to @param {number} height @param {number} count @returns {Point[]} */
function arc(from, to, height, count) {
  return Array.from({ length: count }, (_, i) => {
    const share = (i + 1) / count;
    return {
      x: from.x + (to.x - from.x) * share,
      y: from.y + (to.y - from.y) * share - Math.sin(share * Math.PI) * height,
    };
  });
}
