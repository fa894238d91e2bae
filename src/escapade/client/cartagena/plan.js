// @ts-check
/** Lays out a tunnel in a box of any shape. Lengths are in units; a space has a radius of 45. */

export const RADIUS = 45;
const LEAD = 52; // from the tunnel's mouth to the middle of its first space
const NEAR = 98; // least distance between neighbours
const DINGHY = .68; // smallest scale of the boat
/** Least distance from the prison's foot to the middle of the second row, where three pirates may stand. */
const HEADROOM = 76;
const FORT = { width: 208, wide: 284, height: 236, flat: 112 };
/** How far a pirate's middle is above the middle of its space, and its own size. */
const HEAD = 33, PIRATE = { width: 46, height: 61 };
/** The least size of a space's number in pixels (the second one on the smallest boards), and how high and broad it is
 * for that. */
const DIGITS = 10, TINY = 9, HIGH = .8, BROAD = 1.3;
/** Where a number may be around its space, in degrees from the right: below, or else as near to that as possible. */
const AROUND = [90, 75, 105, 60, 120, 45, 135, 30, 150, 15, 165, 0, 180];

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/** @typedef {Point & { scale: number, left: boolean }} Boat */
/** A tunnel of some rows: straights joined by half circles, a pitch apart. Prison and boat are beside its ends, or
 * above and below them; `wide` is a prison of three columns, `cells` how high it must be.
 * @typedef {{ rows: number, pitch: number, straight: number, left: number, top: number, beside: boolean, wide: boolean,
 *   cells: number, hull: number, width: number, height: number }} Plan */
/** `places` are the prison, every space and the boat, `numbers` where each space's number is; `gates` and `benches`
 * where each seat's pirates stand in prison and boat; `stout` scales the pirates up on small boards; `ship` are boxes
 * around the manned hull and the rig.
 * @typedef {{ unit: number, stout: number, width: number, height: number, beside: boolean, path: string, door: string,
 *   places: Point[], numbers: Point[], digits: number, joints: (Point & { angle: number })[], fort: Box,
 *   gates: Point[], boat: Boat, ship: Box[], benches: Point[], shore: string,
 *   trail: (from: number, to: number) => string }} Course */

/** The largest tunnel that fits a box, with a place of its own for everything.
 * @param {number} width in pixels @param {number} height @param {number} spaces @param {number} players @returns
 * {Course} */
export function course(width, height, spaces, players) {
  const plans = drafts(width, height, spaces, players);
  for (const { plan, unit } of plans) {
    const drawn = lay(plan, unit, width, height, spaces, players);
    if (hasRoom(drawn)) return drawn;
  }
  return lay(plans[0].plan, plans[0].unit, width, height, spaces, players);
}

/** All plans, best first: those with the largest spaces, though three rows look best and a small boat costs a little.
 * @param {number} width @param {number} height @param {number} spaces @param {number} players */
function drafts(width, height, spaces, players) {
  const plans = [];
  for (let rows = 2; rows <= 10; rows++) {
    for (let pitch = 154; pitch <= 290; pitch += 6) {
      for (const hull of [1, .84, DINGHY]) {
        for (const wide of players > 4 ? [false, true] : [false]) {
          plans.push(draft(spaces, rows, pitch, true, hull, wide, players));
        }
      }
      plans.push(draft(spaces, rows, pitch, false, 1.16, false, players));
    }
  }
  const rated = plans.filter(({ straight }) => straight > 60).map((plan) => {
    const unit = Math.min(width / plan.width, height / plan.height);
    return { plan, unit, worth: unit * Math.min(1, .85 + .15 * plan.hull) * (plan.rows === 3 ? 1.08 : 1) };
  });
  return rated.sort((one, other) => other.worth - one.worth);
}

/** How much room a tunnel needs.
 * @param {number} spaces @param {number} rows @param {number} pitch @param {boolean} beside @param {number} hull
 * @param {boolean} wide @param {number} players @returns {Plan} */
function draft(spaces, rows, pitch, beside, hull, wide, players) {
  const straight = ((spaces - 1) * NEAR + 2 * LEAD - ((rows - 1) * Math.PI * pitch) / 2) / rows, even = rows % 2 === 0;
  const margin = pitch / 2 + 74, pier = 62 + 250 * hull, cells = 44 + 62 * Math.ceil(players / (wide ? 3 : 2));
  const left = beside ? Math.max(margin, (wide ? FORT.wide : FORT.width) + 22, even ? pier : 0) : margin,
    right = beside && !even ? Math.max(margin, pier) : margin;
  const top = beside ? Math.max(106, 12 + cells + HEADROOM - pitch) : FORT.flat + 98, bottom = beside ? 98 : 218;
  return {
    rows,
    pitch,
    straight,
    left,
    top,
    beside,
    wide,
    cells,
    hull,
    width: left + straight + right,
    height: top + (rows - 1) * pitch + bottom,
  };
}

/** @param {Plan} draft @param {number} unit @param {number} width @param {number} height @param {number} spaces
 *   @param {number} players @returns {Course} */
function lay(draft, unit, width, height, spaces, players) {
  const box = { width: width / unit, height: height / unit },
    plan = {
      ...draft,
      straight: draft.straight + box.width - draft.width,
      top: draft.top + (box.height - draft.height) / 2,
    },
    { rows, pitch, beside } = plan,
    stout = Math.max(1, Math.min(1.1, 20 / (PIRATE.width * unit)));
  const bend = (Math.PI * pitch) / 2,
    length = rows * plan.straight + (rows - 1) * bend,
    step = (length - 2 * LEAD) / (spaces - 1);
  /** @param {number} place */
  const along = (place) => pointAt(plan, Math.max(0, Math.min(length, LEAD + (place - 1) * step)));
  const fort = fortOf(plan, box.width, players), boat = boatOf(plan, box), last = plan.top + (rows - 1) * pitch;
  const prison = middleOf(fort),
    ship = shipOf(boat, beside, stout),
    deck = middleOf(ship[0]),
    trod = Array.from({ length: spaces }, (_, i) => along(i + 1)),
    digits = Math.max((unit < .4 ? TINY : DIGITS) / unit, 15.5);
  return {
    ...box,
    unit,
    stout,
    beside,
    fort,
    boat,
    ship,
    path: serpentine(plan),
    door: doorOf(plan, fort),
    places: [prison, ...trod, deck],
    numbers: numbersOf(trod, stout, digits),
    digits,
    joints: Array.from({ length: spaces / 6 - 1 }, (_, segment) => along(segment * 6 + 6.5)),
    gates: beside
      ? cells(fort, players, plan.wide ? 3 : 2)
      : benches(players, { x: prison.x, y: prison.y + 14 }, (fort.width - 40) / players),
    benches: benches(players, { x: boat.x, y: boat.y - 30 * boat.scale }, Math.min(56, 210 / players) * boat.scale),
    shore: beside ? bay(boat, box) : beach(last + 96, box),
    trail: (from, to) => {
      const n = Math.max(1, Math.ceil(Math.abs(to - from) * 7)),
        way = Array.from({ length: n + 1 }, (_, i) => along(from + ((to - from) * i) / n));
      const points = [...(from === 0 ? [prison] : []), ...way, ...(to > spaces ? [deck] : [])];
      return points.map(({ x, y }, i) => `${i ? 'L' : 'M'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
    },
  };
}

/** The middle of a pirate, the k-th of n on a space.
 * @param {Point} space @param {number} stout @param {number} k @param {number} n @returns {Point} */
export const standing = ({ x, y }, stout, k, n) => ({
  x: x + (k - (n - 1) / 2) * (n > 2 ? 29 : 33) * stout,
  y: y - HEAD,
});

/** Around three pirates on a space, the most there can be. @param {Point} space @param {number} stout @returns {Box} */
const crowd = ({ x, y }, stout) => around({ x, y: y - HEAD }, (58 + PIRATE.width) * stout, (PIRATE.height + 1) * stout);

/** @param {Point} middle @param {number} width @param {number} height @returns {Box} */
const around = ({ x, y }, width, height) => ({ x: x - width / 2, y: y - height / 2, width, height });

/** @param {Box} box */
const middleOf = ({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 });

/** How far apart two boxes are; less than 0 if they overlap. @param {Box} one @param {Box} other */
const apart = (one, other) =>
  Math.max(
    other.x - one.x - one.width,
    one.x - other.x - other.width,
    other.y - one.y - one.height,
    one.y - other.y - other.height,
  );

/** Where each space's number is free of pirates, its own and the neighbours', and of other numbers.
 * @param {Point[]} spaces @param {number} stout @param {number} digits */
function numbersOf(spaces, stout, digits) {
  const width = BROAD * digits, height = HIGH * digits;
  /** @type {Point[]} */
  const numbers = [];
  for (const space of spaces) {
    const near = spaces.filter((one) => Math.hypot(one.x - space.x, one.y - space.y) < 3 * NEAR);
    const taken = [
      ...near.map((one) => crowd(one, stout)),
      ...near.filter((one) => one !== space).map((one) => around(one, 1.5 * RADIUS, 1.5 * RADIUS)),
      ...numbers.slice(-3).map((one) => around(one, width, height)),
    ];
    const spots = AROUND.map((degrees) => {
      const across = Math.cos((degrees * Math.PI) / 180), down = Math.sin((degrees * Math.PI) / 180);
      const away = RADIUS + .9 * (Math.abs(across) * width + down * height) / 2;
      const spot = { x: space.x + across * away, y: space.y + down * away }, box = around(spot, width, height);
      return { spot, room: Math.min(...taken.map((one) => apart(box, one))) };
    });
    const free = spots.find(({ room }) => room >= 2) ??
      spots.reduce((one, other) => (other.room > one.room ? other : one));
    numbers.push(free.spot);
  }
  return numbers;
}

/** Around the hull with the pirates in it, and around the rig.
 * @param {Boat} boat @param {boolean} beside @param {number} stout @returns {Box[]} */
function shipOf({ x, y, scale, left }, beside, stout) {
  const heads = -30 - (31 * stout) / scale,
    small = beside ? 1 : .62,
    mast = beside ? 0 : left ? -92 : 92,
    low = beside ? 0 : -6;
  const part = (/** @type {number[]} */ [from, to, above, below]) => ({
    x: x + from * scale,
    y: y + above * scale,
    width: (to - from) * scale,
    height: (below - above) * scale,
  });
  const rig = [mast - 68 * small, mast + 84 * small, low - 188 * small, low - 8 * small];
  return [part([-124, 122, heads, 50]), part(rig)];
}

/** Whether prison and boat keep clear of spaces, pirates and numbers, and numbers of pirates. @param {Course} course */
function hasRoom({ fort, ship, places, numbers, stout, digits }) {
  const spaces = places.slice(1, -1),
    crowds = spaces.map((space) => crowd(space, stout)),
    slabs = spaces.map((space) => around(space, 2 * RADIUS, 2 * RADIUS)),
    signs = numbers.map((spot) => around(spot, BROAD * digits, HIGH * digits));
  const clear = (/** @type {Box[]} */ some, /** @type {Box[]} */ others) =>
    some.every((one) => others.every((other) => apart(one, other) >= 0));
  return clear([fort, ...ship], [...crowds, ...slabs, ...signs]) && clear(signs, crowds) &&
    signs.every((sign, i) => clear([sign], signs.slice(i + 1)));
}

/** @param {Plan} plan */
function serpentine({ rows, pitch, straight, left, top }) {
  const rowsOf = Array.from({ length: rows }, (_, row) => `h${row % 2 ? -straight : straight}`);
  const bends = Array.from(
    { length: rows - 1 },
    (_, row) => `a${pitch / 2} ${pitch / 2} 0 0 ${row % 2 ? 0 : 1} 0 ${pitch}`,
  );
  return `M${left} ${top}${rowsOf.map((line, row) => line + (bends[row] ?? '')).join('')}`;
}

/** The point at a distance along the tunnel, and the direction there. @param {Plan} plan @param {number} way */
function pointAt({ rows, pitch, straight, left, top }, way) {
  const lap = straight + (Math.PI * pitch) / 2, row = Math.min(rows - 1, Math.floor(way / lap)), rest = way - row * lap;
  const ahead = row % 2 ? -1 : 1, start = ahead > 0 ? left : left + straight, y = top + row * pitch;
  if (rest <= straight) return { x: start + ahead * rest, y, angle: ahead > 0 ? 0 : Math.PI };
  const turn = (rest - straight) / (pitch / 2);
  return {
    x: start + ahead * (straight + (Math.sin(turn) * pitch) / 2),
    y: y + ((1 - Math.cos(turn)) * pitch) / 2,
    angle: ahead > 0 ? turn : Math.PI - turn,
  };
}

/** @param {Plan} plan @param {number} width @param {number} players @returns {Box} */
function fortOf({ beside, wide, cells, top, pitch }, width, players) {
  if (beside) {
    const y = Math.max(12, Math.min(top - 132, top + pitch - HEADROOM - cells));
    return {
      x: 12,
      y,
      width: wide ? FORT.wide : FORT.width,
      height: Math.min(FORT.height, top + pitch - HEADROOM - y),
    };
  }
  return { x: 12, y: 10, width: Math.min(width - 24, 40 + players * 108), height: FORT.flat };
}

/** The way from the fort into the tunnel. @param {Plan} plan @param {Box} fort */
function doorOf({ beside, left, top }, fort) {
  if (beside) return `M${fort.x + fort.width - 24} ${top}H${left + 4}`;
  return `M${left - 44} ${fort.y + fort.height - 6}V${top - 40}Q${left - 44} ${top} ${left - 4} ${top}`;
}

/** The boat is where the last row ends: on the left if the number of rows is even.
 * @param {Plan} plan @param {{ width: number, height: number }} box @returns {Boat} */
function boatOf({ rows, pitch, straight, left, top, beside, hull }, { width, height }) {
  const even = rows % 2 === 0, off = beside ? 56 + 122 * hull : -34;
  const x = even ? Math.max(left - off, 132 * hull) : Math.min(left + straight + off, width - 132 * hull);
  return {
    x,
    y: beside ? Math.min(top + (rows - 1) * pitch + 34, height - 62 * hull) : height - 58 * hull,
    scale: hull,
    left: even,
  };
}

/** Side by side. @param {number} players @param {Point} middle @param {number} gap @returns {Point[]} */
const benches = (players, { x, y }, gap) =>
  Array.from({ length: players }, (_, seat) => ({ x: x + (seat - (players - 1) / 2) * gap, y }));

/** In rows of two or three, those left over in the middle.
 * @param {Box} fort @param {number} players @param {number} columns @returns {Point[]} */
function cells({ x, y, width, height }, players, columns) {
  const rows = Math.ceil(players / columns), first = y + height / 2 + 12 - 31 * (rows - 1);
  return Array.from({ length: players }, (_, seat) => {
    const row = Math.floor(seat / columns), beside = Math.min(columns, players - row * columns);
    const gap = (width - 112) / (columns - 1);
    return { x: x + width / 2 + (seat % columns - (beside - 1) / 2) * gap, y: first + row * 62 };
  });
}

/** The sea in a corner. @param {Boat} boat @param {{ width: number, height: number }} box */
function bay({ x, y, scale, left }, { width, height }) {
  const edge = left ? -30 : width + 30, way = left ? 1 : -1, mid = x + way * 148 * scale;
  const cliff = `M${edge} ${y - 230 * scale}C${edge + way * 90} ${y - 220 * scale} ${mid - way * 20} ${
    y - 150 * scale
  } ${mid} ${y - 40 * scale}`;
  return `${cliff}S${mid + way * 30} ${height - 10} ${mid + way * 190 * scale} ${height + 30}H${edge}z`;
}

/** The sea along the lower edge. @param {number} y @param {{ width: number, height: number }} box */
function beach(y, { width, height }) {
  const line = `M-30 ${y + 28}C${width * .2} ${y - 8} ${width * .32} ${y + 22} ${width * .45} ${y + 2}S${width * .8} ${
    y - 20
  } ${width + 30} ${y - 44}`;
  return `${line}V${height + 30}H-30z`;
}
