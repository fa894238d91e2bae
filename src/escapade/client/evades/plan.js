// @ts-check
/** The island's plan: where its windows, spaces and boats are, for a track of any length, on a wide or a tall board. */

/** @typedef {{ x: number, y: number }} Point */
/** `way` is the track as a line of points, `radius` half the width of a space, `name` where the prison's name is
 * written.
 * @typedef {{ tall: boolean, width: number, height: number, way: Point[], spaces: Point[], radius: number,
 *   prison: Point & { width: number, height: number }, tower: Point | null, windows: Point[], hole: Point, name: Point
 * & { size: number },
 *   boats: Point[], boatWidth: number, shore: Point[], jetty: Point[], jettyWidth: number }} Plan */

/** Points from one space to the next; a hop goes through them. */
export const STEPS = 8;

/** @param {number[][]} pairs @returns {Point[]} */
const points = (pairs) => pairs.map(([x, y]) => ({ x, y }));

/** A smooth curve through the points (Catmull-Rom), finely sampled. @param {Point[]} through @param {boolean} closed */
export function curve(through, closed = false) {
  const n = through.length, last = closed ? n : n - 1;
  const at = (/** @type {number} */ i) => (closed ? through[(i + n) % n] : through[Math.max(0, Math.min(n - 1, i))]);
  const fine = [];
  for (let i = 0; i < last; i++) {
    const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)];
    for (let k = 0; k < 24; k++) {
      fine.push({ x: spline(a.x, b.x, c.x, d.x, k / 24), y: spline(a.y, b.y, c.y, d.y, k / 24) });
    }
  }
  return closed ? fine : [...fine, through[n - 1]];
}

/** @param {number} a @param {number} b @param {number} c @param {number} d @param {number} t */
const spline = (a, b, c, d, t) => b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));

/** Some points on a line, at equal distances. @param {Point[]} line @param {number} count */
function spread(line, count) {
  const far = [0];
  for (let i = 1; i < line.length; i++) {
    far.push(far[i - 1] + Math.hypot(line[i].x - line[i - 1].x, line[i].y - line[i - 1].y));
  }
  const length = far[far.length - 1], even = [];
  for (let i = 0, k = 1; i < count; i++) {
    const wanted = (length * i) / (count - 1);
    while (k < far.length - 1 && far[k] < wanted) k++;
    const share = (wanted - far[k - 1]) / (far[k] - far[k - 1]);
    even.push({
      x: line[k - 1].x + (line[k].x - line[k - 1].x) * share,
      y: line[k - 1].y + (line[k].y - line[k - 1].y) * share,
    });
  }
  return { even, length };
}

/** The way as points, STEPS to a space, and how large a space can be.
 * @param {Point[]} through @param {number} length @param {number} biggest */
function track(through, length, biggest) {
  const { even, length: far } = spread(curve(through), (length - 1) * STEPS + 1);
  return {
    way: even,
    spaces: even.filter((_, i) => i % STEPS === 0),
    radius: Math.min(biggest, (far / (length - 1)) * 0.44),
  };
}

/** @param {number} length @returns {Plan} */
function wide(length) {
  const through = points([
    [386, 306],
    [424, 210],
    [514, 124],
    [634, 96],
    [724, 160],
    [696, 262],
    [584, 322],
    [450, 364],
    [316, 388],
    [180, 418],
    [98, 500],
    [112, 612],
    [204, 690],
    [322, 678],
    [402, 592],
    [494, 510],
    [612, 454],
    [724, 396],
    [806, 304],
    [842, 196],
    [918, 112],
    [1024, 92],
    [1110, 156],
    [1106, 266],
    [1018, 346],
    [898, 406],
    [784, 484],
    [672, 562],
    [568, 640],
    [600, 724],
    [716, 732],
    [824, 672],
    [916, 588],
    [1026, 524],
    [1132, 556],
    [1164, 664],
  ]);
  return {
    tall: false,
    width: 1480,
    height: 800,
    ...track(through, length, 46),
    prison: { x: 42, y: 62, width: 306, height: 240 },
    tower: { x: 196, y: 50 },
    hole: { x: 310, y: 276 },
    name: { x: 154, y: 288, size: 14 },
    windows: Array.from({ length: 7 }, (_, i) => ({ x: 86 + (i % 4) * 73, y: i < 4 ? 147 : 232 })),
    boats: points([[1374, 150], [1374, 322], [1374, 494], [1366, 668]]),
    boatWidth: 218,
    jetty: points([[1164, 700], [1262, 690], [1262, 92]]),
    jettyWidth: 46,
    shore: points([
      [20, 330],
      [22, 110],
      [110, 22],
      [330, 36],
      [560, 22],
      [760, 46],
      [960, 18],
      [1150, 40],
      [1200, 180],
      [1176, 340],
      [1226, 480],
      [1240, 640],
      [1196, 752],
      [1040, 770],
      [820, 784],
      [600, 794],
      [380, 780],
      [150, 784],
      [36, 690],
      [18, 520],
    ]),
  };
}

/** A track in rows. A longer track gets more of them, so that spaces stay large enough for a thumb.
 * @param {number} length @returns {Plan} */
function tall(length) {
  const rows = length <= 20 ? 3 : length <= 42 ? 5 : 7,
    top = 214,
    bottom = 632,
    gap = (bottom - top) / (rows - 1),
    sway = Math.min(14, gap * 0.13);
  const through = [];
  for (let row = 0; row < rows; row++) {
    const right = row % 2 === 0, y = top + row * gap;
    const across = [96, 204, 312, 420, 520].map((x, i) => ({ x: right ? x : 620 - x, y: y + (i % 2 ? sway : -sway) }));
    through.push(...across);
    if (row < rows - 1) through.push({ x: right ? 572 : 48, y: y + gap / 2 });
  }
  return {
    tall: true,
    width: 620,
    height: 810,
    ...track(through, length, 40),
    prison: { x: 22, y: 26, width: 576, height: 128 },
    tower: null,
    hole: { x: 70, y: 126 },
    name: { x: 352, y: 146, size: 17 },
    windows: Array.from({ length: 7 }, (_, i) => ({ x: 156 + i * 66, y: 88 })),
    boats: points([[86, 752], [236, 752], [386, 752], [534, 752]]),
    boatWidth: 156,
    jetty: points([[566, 628], [566, 692], [30, 692]]),
    jettyWidth: 32,
    shore: points([
      [8, 200],
      [14, 60],
      [80, 4],
      [320, 8],
      [540, 4],
      [608, 70],
      [612, 250],
      [604, 420],
      [614, 580],
      [596, 668],
      [480, 680],
      [330, 670],
      [160, 682],
      [34, 670],
      [8, 560],
      [14, 380],
    ]),
  };
}

/** The plan for a board of this shape.
 * @param {number} length of the track @param {number} aspect width over height of the room */
export const plan = (length, aspect) => (aspect > 1.2 ? wide(length) : tall(length));
