// Cartagena's board in every shape: prison, boat, pirates and numbers each have a place of their own.
import { ok } from 'node:assert';
import { course, standing } from '../../src/escapade/client/cartagena/plan.js';

const around = ({ x, y }, width, height) => ({ left: x - width / 2, top: y - height / 2, width, height });
const boxed = ({ x, y, width, height }) => ({ left: x, top: y, width, height });
const overlap = (one, other) =>
  Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left) > .01 &&
  Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top) > .01;

/** Boxes of boards from a narrow phone to a wide screen, in pixels. */
const BOARDS = [
  [308, 255],
  [308, 280],
  [348, 420],
  [378, 440],
  [378, 500],
  [370, 370],
  [480, 300],
  [690, 330],
  [976, 440],
  [1062, 560],
  [1150, 640],
  [1228, 700],
  [1548, 780],
  [600, 900],
];

for (const [width, height] of BOARDS) {
  for (const spaces of [18, 24, 36, 48]) {
    Deno.test(`a board of ${width} by ${height} with ${spaces} spaces has room for everything`, () => {
      for (const players of [2, 3, 4, 5]) {
        const plan = course(width, height, spaces, players), where = `${players} players, ${plan.path}`;
        const { unit, stout, fort, ship, digits } = plan, slabs = plan.places.slice(1, -1);
        const numbers = plan.numbers.map((spot) => around(spot, 1.2 * digits, .75 * digits)),
          pirates = slabs.map((slab) =>
            [0, 1, 2].map((k) => around(standing(slab, stout, k, 3), 46 * stout, 61 * stout))
          );
        const fixed = [fort, ...ship].map(boxed), stones = slabs.map((slab) => around(slab, 84, 84));
        numbers.forEach((number, i) => {
          ok(!pirates.flat().some((pirate) => overlap(number, pirate)), `number ${i + 1} under a pirate: ${where}`);
          ok(!numbers.some((other, j) => j !== i && overlap(number, other)), `number ${i + 1} on another: ${where}`);
          ok(!fixed.some((box) => overlap(number, box)), `number ${i + 1} in prison or boat: ${where}`);
        });
        [...pirates.flat(), ...stones].forEach((box) => {
          ok(!fixed.some((other) => overlap(box, other)), `prison or boat on a space: ${where}`);
        });
        ok(digits * unit >= 9, `numbers of ${digits * unit} pixels: ${where}`);
        [...numbers, ...pirates.flat(), ...fixed].forEach((box) => {
          ok(box.left > -.1 && box.left + box.width < plan.width + .1, `beyond the edge: ${where}`);
          ok(box.top > -.1 && box.top + box.height < plan.height + .1, `beyond the edge: ${where}`);
        });
      }
    });
  }
}
