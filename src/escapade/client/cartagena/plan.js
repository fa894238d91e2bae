// @ts-check
/** Lays out a tunnel in a box of any shape. Lengths are in units; a space has a radius of 45. */

export const RADIUS = 45;
const LEAD = 52; // from the tunnel's mouth to the middle of its first space
const NEAR = 98; // least distance between neighbours
const DINGHY = .68; // smallest scale of the boat
const FORT = { width: 208, height: 236, flat: 112 };

/** @typedef {{ x: number, y: number }} Point */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/** @typedef {Point & { scale: number, left: boolean }} Boat */
/** A tunnel of some rows: straights joined by half circles, a pitch apart. Prison and boat are beside its ends, or
 * above and below them.
 * @typedef {{ rows: number, pitch: number, straight: number, left: number, top: number, beside: boolean, hull: number,
 *   width: number, height: number }} Plan */
/** `places` are the prison, every space and the boat; `gates` and `benches` where each seat's pirates stand in prison
 * and boat.
 * @typedef {{ unit: number, width: number, height: number, beside: boolean, path: string, door: string, places:
 *   Point[], joints: (Point & { angle: number })[],
 *   fort: Box, gates: Point[], boat: Boat, benches: Point[], shore: string, trail: (from: number, to: number) => string
 * }} Course */

/** The largest tunnel that fits a box.
 * @param {number} width in pixels @param {number} height @param {number} spaces @param {number} players @returns
 * {Course} */
export function course(width, height, spaces, players) {
  const { plan, unit } = best(width, height, spaces),
    { rows, pitch, beside } = plan,
    box = { width: width / unit, height: height / unit };
  plan.straight += box.width - plan.width;
  plan.top += (box.height - plan.height) / 2;
  const bend = (Math.PI * pitch) / 2,
    length = rows * plan.straight + (rows - 1) * bend,
    step = (length - 2 * LEAD) / (spaces - 1);
  /** @param {number} place */
  const along = (place) => pointAt(plan, Math.max(0, Math.min(length, LEAD + (place - 1) * step)));
  const fort = fortOf(plan, box.width, players), boat = boatOf(plan, box), last = plan.top + (rows - 1) * pitch;
  const prison = { x: fort.x + fort.width / 2, y: fort.y + fort.height / 2 },
    deck = { x: boat.x, y: boat.y - 20 * boat.scale };
  return {
    ...box,
    unit,
    beside,
    fort,
    boat,
    path: serpentine(plan),
    door: doorOf(plan, fort),
    places: [prison, ...Array.from({ length: spaces }, (_, i) => along(i + 1)), deck],
    joints: Array.from({ length: spaces / 6 - 1 }, (_, segment) => along(segment * 6 + 6.5)),
    gates: beside
      ? cells(fort, players)
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

/** The plan with the largest spaces; a small boat costs a little.
 * @param {number} width @param {number} height @param {number} spaces */
function best(width, height, spaces) {
  const plans = [];
  for (let rows = 2; rows <= 10; rows++) {
    for (let pitch = 154; pitch <= 236; pitch += 6) {
      for (const hull of [Math.min(1, pitch / 190), DINGHY]) plans.push(draft(spaces, rows, pitch, true, hull));
      plans.push(draft(spaces, rows, pitch, false, 1.16));
    }
  }
  const rated = plans.filter(({ straight }) => straight > 60).map((plan) => {
    const unit = Math.min(width / plan.width, height / plan.height);
    return { plan, unit, worth: unit * Math.min(1, .85 + .15 * plan.hull) };
  });
  return rated.reduce((one, other) => (other.worth > one.worth ? other : one));
}

/** How much room a tunnel needs.
 * @param {number} spaces @param {number} rows @param {number} pitch @param {boolean} beside @param {number} hull
 * @returns {Plan} */
function draft(spaces, rows, pitch, beside, hull) {
  const straight = ((spaces - 1) * NEAR + 2 * LEAD - ((rows - 1) * Math.PI * pitch) / 2) / rows, even = rows % 2 === 0;
  const margin = pitch / 2 + 74, pier = 62 + 250 * hull;
  const left = beside ? Math.max(margin, FORT.width + 22, even ? pier : 0) : margin,
    right = beside && !even ? Math.max(margin, pier) : margin;
  const top = beside ? 106 : FORT.flat + 98, bottom = beside ? 98 : 190;
  return {
    rows,
    pitch,
    straight,
    left,
    top,
    beside,
    hull,
    width: left + straight + right,
    height: top + (rows - 1) * pitch + bottom,
  };
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
function fortOf({ beside, top }, width, players) {
  if (beside) return { x: 12, y: Math.max(12, top - 132), width: FORT.width, height: FORT.height };
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
  const even = rows % 2 === 0, off = beside ? 56 + 122 * hull : -70;
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

/** In pairs, the odd one in the middle. @param {Box} fort @param {number} players @returns {Point[]} */
function cells({ x, y, width, height }, players) {
  const first = y + height / 2 + 12 - 31 * (Math.ceil(players / 2) - 1), alone = players % 2 ? players - 1 : -1;
  const column = (/** @type {number} */ seat) => (seat === alone ? width / 2 : seat % 2 ? width - 56 : 56);
  return Array.from({ length: players }, (_, seat) => ({ x: x + column(seat), y: first + Math.floor(seat / 2) * 62 }));
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
