// Which puzzle comes next, and what is remembered of a try.
import { deepStrictEqual, strictEqual } from 'node:assert';
import { NEW, outcome, pick } from '../../src/escapade/client/learn/solving.js';

const rows = [800, 1000, 1400, 1500, 1600, 1700, 1800, 2600].map((rating, n) => ({ id: `p${n}`, rating }));

Deno.test('the next puzzle is a new one about as hard as one is strong', () => {
  const ids = [0, 0.2, 0.4, 0.6, 0.8, 0.999].map((luck) => pick(rows, NEW, luck)?.id);
  deepStrictEqual(ids.sort(), ['p1', 'p2', 'p3', 'p4', 'p5', 'p6']);
  strictEqual(pick(rows, { ...NEW, tried: { p2: true, p3: false, p4: true } }, 0)?.id, 'p5');
});

Deno.test('when all were tried those come again that were missed, then any', () => {
  const tried = Object.fromEntries(rows.map(({ id }) => [id, id !== 'p7']));
  strictEqual(pick(rows, { ...NEW, tried }, 0.5)?.id, 'p7');
  strictEqual(pick(rows, { ...NEW, tried: { ...tried, p7: true } }, 0)?.id, 'p3');
  strictEqual(pick([], NEW, 0), undefined);
});

Deno.test('a streak is of days in a row on which a puzzle of the day was solved at once', () => {
  const after = (own, id, solved, day) => ({ ...own, ...outcome(own, id, solved, day, [`${day}-a`, `${day}-b`]) });
  const streak = (own) => [own.streak, own.best];
  let own = after(NEW, '2026-12-30-a', true, '2026-12-30');
  deepStrictEqual(streak(own), [1, 1]);
  own = after(own, '2026-12-30-b', true, '2026-12-30');
  deepStrictEqual(streak(own), [1, 1]);
  own = after(own, '2026-12-31-a', false, '2026-12-31');
  deepStrictEqual(streak(own), [1, 1]);
  own = after(own, '2026-12-31-b', true, '2026-12-31');
  own = after(own, '2027-01-01-a', true, '2027-01-01');
  deepStrictEqual(streak(own), [3, 3]);
  own = after(own, 'another', true, '2027-01-02');
  own = after(own, '2027-01-03-a', true, '2027-01-03');
  deepStrictEqual(streak(own), [1, 3]);
  deepStrictEqual(Object.keys(own.tried).length, 7);
});
