// How messages change what the page knows: nothing lost, nothing doubled.
import { deepStrictEqual as same, strictEqual as is } from 'node:assert';
import {
  acting,
  fresh,
  lastTurns,
  NOTHING,
  own,
  reduce,
  steps,
  wasDropped,
  winners,
} from '../../src/escapade/client/table/state.js';

const sitter = (name, yours = false) => ({
  name,
  colour: 0,
  bot: yours ? null : 'sailor',
  free: false,
  person: yours,
  here: yours,
  yours,
});
const state = (view, more = {}) => ({
  view,
  eyes: 1,
  seat: 1,
  turn: 1,
  legal: [],
  undo: false,
  grace: null,
  left: null,
  sealed: [],
  result: '*',
  scores: null,
  ...more,
});
const table = (version, moves, more = {}) => ({
  type: 'table',
  table: 'abcd',
  version,
  game: 'jamaica',
  kind: 'cartagena',
  rules: { hands: 'hidden' },
  printing: 'classic',
  clock: null,
  pace: 400,
  seats: [sitter('Anne', true), sitter('Grace'), sitter('Zheng')],
  watchers: 0,
  host: true,
  hints: true,
  state: state(`v${version}`),
  moves,
  chat: [],
  rematch: null,
  commitment: null,
  ...more,
});
const move = (seat, action, turn = seat) => ({ seat, turn, action });
const moved = (version, one, more = {}) => ({ type: 'moved', version, move: one, state: state(`v${version}`, more) });
const after = (...messages) => messages.reduce((known, message, n) => reduce(known, message, n), NOTHING);

Deno.test('a move is added once, however often it is told', () => {
  const known = after(table(0, []), moved(1, move(1, 'D0>5')), moved(1, move(1, 'D0>5')));
  same(known.table.moves, [move(1, 'D0>5')]);
  same(known.views, ['v0', 'v1']);
  is(known.at, 1);
});

Deno.test('an action waits until it is told, and is sent again only on the version it was made on', () => {
  const sent = after(table(3, [move(2, '.')]), { type: 'sent', seat: 1, action: 'D0>5' });
  same(sent.pending, { version: 3, seat: 1, action: 'D0>5' });
  is(reduce(sent, table(3, [move(2, '.')]), 0).pending.action, 'D0>5');
  is(reduce(sent, table(4, [move(2, '.'), move(1, 'D0>5')]), 0).pending, null);
  is(reduce(sent, moved(4, move(2, 'bet')), 0).pending.action, 'D0>5');
  is(reduce(sent, moved(4, move(1, 'D0>5')), 0).pending, null);
  is(reduce(sent, { type: 'fault', code: 'illegal', about: 'play' }, 0).pending, null);
  is(reduce(sent, { type: 'fault', code: 'too-fast', about: 'say' }, 0).pending.action, 'D0>5');
});

Deno.test('what was done without a connection is sent later, or said to be lost', () => {
  const sent = after(table(3, [move(2, '.')]), { type: 'sent', seat: 1, action: 'D0>5' });
  is(wasDropped(sent, reduce(sent, table(3, [move(2, '.')]), 0)), false);
  is(wasDropped(sent, reduce(sent, table(4, [move(2, '.'), move(1, 'D0>5')]), 0)), false);
  is(wasDropped(sent, reduce(sent, table(4, [move(2, '.'), move(1, '.')]), 0)), true);
});

Deno.test('what the others did is fresh until the reader acts', () => {
  const known = after(table(0, []), moved(1, move(2, 'D0>5')), moved(2, move(2, '.')));
  same(fresh(known).map(({ move }) => move.action), ['D0>5', '.']);
  same(fresh(reduce(known, moved(3, move(1, 'B0>1')), 0)), []);
});

Deno.test('an action taken back leaves the game as it was before', () => {
  const known = after(table(0, []), moved(1, move(1, 'D0>5')), {
    type: 'undone',
    version: 2,
    seat: 1,
    state: state('v0'),
  });
  same(known.table.moves, []);
  same(known.views, ['v0']);
});

Deno.test('a bet taken back may be older than those of others', () => {
  const known = after(table(0, []), moved(1, move(1, 'bet:br.yl.do.n', 0)), moved(2, move(2, 'bet', 0)), {
    type: 'undone',
    version: 3,
    seat: 1,
    state: state('v3'),
  });
  same(known.table.moves, [move(2, 'bet', 0)]);
  same(known.views, ['v0', 'v3']);
});

Deno.test('positions of the past come from a replay, and only for the game that is known', () => {
  const known = after(table(2, [move(1, '18<17+KB'), move(2, '.')]));
  same(steps(known), []);
  const past = {
    type: 'past',
    start: 's',
    steps: [{ ...move(1, '18<17+KB'), view: 'a' }, { ...move(2, '.'), view: 'b' }],
  };
  same(reduce(known, past, 0).views, ['s', 'a', 'v2']);
  is(steps(reduce(known, past, 0)).length, 2);
  same(reduce(known, { ...past, steps: past.steps.slice(0, 1) }, 0).views, ['', '', 'v2']);
});

Deno.test('what one player at a device saw is not kept for the next', () => {
  const first = after(table(0, []), moved(1, move(1, '18<17+KB')));
  const second = reduce(first, moved(2, move(1, '.'), { eyes: 2 }), 0);
  same(second.views, ['', '', 'v2']);
  const told = reduce(second, {
    type: 'past',
    start: 's',
    steps: [{ ...move(1, '18<17+??'), view: 'a' }, { ...move(1, '.'), view: 'b' }],
  }, 0);
  is(told.table.moves[0].action, '18<17+??');
});

Deno.test('the others’ last turns begin after one’s own last move', () => {
  const known = after(
    table(0, []),
    moved(1, move(1, '.', 1)),
    moved(2, move(2, '.', 2)),
    moved(3, move(3, '.', 3)),
    moved(4, move(1, 'D0>5', 4)),
  );
  same(lastTurns(known).map(({ move: one }) => one.seat), [2, 3]);
  const watching = reduce(known, {
    type: 'seats',
    seats: [sitter('Anne'), sitter('Grace'), sitter('Zheng')],
    watchers: 1,
  }, 0);
  same(lastTurns(watching).map(({ move: one }) => one.turn), [4]);
  same(own(watching), []);
});

Deno.test('hints for another version are not taken', () => {
  const known = after(table(1, []), { type: 'asked' });
  is(reduce(known, { type: 'hints', version: 0, hints: [] }, 0).advice, null);
  same(reduce(known, { type: 'hints', version: 1, hints: [] }, 0).advice, []);
});

Deno.test('who acts for the reader, and who has won', () => {
  is(acting(after(table(1, [], { state: state('v', { legal: ['.'] }) }))), 1);
  is(acting(after(table(1, []))), 0);
  same(winners('1/3'), [1, 3]);
  same(winners('='), []);
});

Deno.test('at one device the others are all but the player who looks', () => {
  const seats = [sitter('Anne', true), sitter('Grace', true), sitter('Zheng')];
  const first = after(table(0, [], { seats }), moved(1, move(1, '.', 1), { eyes: 2 }));
  const known = reduce(first, { type: 'past', start: 's', steps: [{ ...move(1, '.', 1), view: 'v1' }] }, 0);
  same(lastTurns(known).map(({ move: one }) => one.seat), [1]);
});
