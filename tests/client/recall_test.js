// What the others did last, as the boards show it.
import { deepStrictEqual as same } from 'node:assert';
import { recent } from '../../src/escapade/client/evades/choice.js';

const view = (track, seat) => `evades ${track},#1:br,#2:yl,#3:d br.yl.do.n/ln.bo.rd.y/? n2w5 - ${seat}:31`;

Deno.test('each seat’s move has a way of its own, also where two have moved the same pawn', () => {
  const last = [
    { move: { seat: 2, action: 'roll:ow=25' }, before: view('4:o,22:n', 2) },
    { move: { seat: 2, action: 'o>6' }, before: view('4:o,22:n', 2) },
    { move: { seat: 3, action: 'o<3' }, before: view('6:o,22:n', 3) },
    { move: { seat: 3, action: 'n>#3' }, before: view('3:o,22:n', 3) },
  ];
  same(recent(last), [
    { seat: 2, from: 4, to: 6, boat: false },
    { seat: 3, from: 6, to: 3, boat: false },
    { seat: 3, from: 22, to: 3, boat: true },
  ]);
});
