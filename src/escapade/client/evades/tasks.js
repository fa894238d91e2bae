// @ts-check
/** Les Évadés by doing: positions, and what is asked of the reader in each. Knows no rules: the server plays. */
import { readAction } from './notation.js';

/** @typedef {import('../faces.js').Task} Task */

const READER = 1;

/** What every die shows when it is thrown. @param {Record<string, number>} numbers @returns {Task['luck']} */
const shows = (numbers) => (action) => {
  const { kind, dice } = readAction(action);
  return kind === 'roll' ? `${action}=${[...dice].map((die) => numbers[die]).join('')}` : action;
};

/** The white die is thrown, and takes a pawn back. @param {string} wanted @returns {Task['judge']} */
const takesBack = (wanted) => (actions, { seat }) => {
  const all = actions.map(readAction);
  if (!all[0].dice.includes('w')) return 'white';
  if (all.some(({ kind, pawn }) => kind === 'back' && pawn === wanted)) return 'right';
  if (all.some(({ kind }) => kind === 'back')) return 'other';
  return seat === READER ? '' : 'left';
};

/** Blue lands on red, before red has gone. @type {Task['judge']} */
const blocksRed = (actions) => {
  const [first] = actions.map(readAction).filter(({ pawn }) => pawn === 'r' || pawn === 'b');
  return !first ? '' : first.pawn === 'b' ? 'right' : 'red';
};

/** @type {Task[]} */
export const TASKS = [
  {
    name: 'bet',
    position: 'evades 0:bryldon -/- - - 1:0',
    waits: true,
    solution: ['bet:br.yl.do.n'],
    judge: ([action]) => (action.startsWith('bet:br.') ? 'right' : 'other'),
  },
  {
    name: 'dice',
    position: 'evades 0:bryldon br.yl.do.n/yl.bo.rd.n - - 1:1',
    luck: shows({ b: 4, r: 2, y: 6, l: 1, d: 3, o: 5, n: 3 }),
    solution: ['roll:bry', 'b>4', 'r>2', 'y>6'],
    judge: ([thrown], { seat }) => (!thrown.startsWith('roll:bry') ? 'dice' : seat === READER ? '' : 'right'),
  },
  {
    name: 'stack',
    position: 'evades 0:ldon,1:b,3:r,8:y by.lo.dn.r/yl.br.do.n b2r3y1 - 1:3',
    solution: ['b>3'],
    judge: blocksRed,
  },
  {
    name: 'order',
    position: 'evades 0:ldon,2:y,5:rb br.yl.do.n/yl.bo.rd.n b1r4y3 - 1:3',
    solution: ['b>6', 'r>9', 'y>5'],
    judge: (actions, { seat }) => (seat === READER ? '' : actions.length === 3 ? 'right' : 'lost'),
  },
  {
    name: 'white',
    position: 'evades 0:ln,4:b,5:d,6:r,7:y,12:o br.yl.dn.o/yo.bl.rd.n - - 1:5',
    luck: shows({ b: 3, r: 1, y: 2, l: 1, d: 3, o: 2, n: 2, w: 4 }),
    solution: ['roll:bryw', 'o<8'],
    judge: takesBack('o'),
  },
  {
    name: 'boats',
    position: 'evades 3:d,5:n,9:l,14:o,27:b,28:y,#1:r ry.bl.do.n/br.yl.on.d b4y3l2 - 1:9',
    solution: ['y>#1', 'b>#2'],
    judge: (actions) => (actions.includes('b>#1') ? 'first' : actions.includes('b>#2') ? 'right' : ''),
  },
  {
    name: 'fewer',
    position: 'evades 6:d,17:o,26:n,#1:br,#2:yl br.yl.dn.o/yl.br.on.d - - 1:15',
    luck: shows({ d: 3, o: 5, n: 5, w: 4 }),
    solution: ['roll:nw', 'o<13'],
    judge: takesBack('o'),
  },
  {
    name: 'last',
    position: 'evades 3:d,20:n,#1:br,#2:yl,#3:o br.yl.on.d/yl.br.do.n n2w4 - 1:21',
    solution: ['d<1'],
    judge: (_, { result, seat }) => (result !== '*' ? 'right' : seat === READER ? '' : 'missed'),
  },
  {
    name: 'score',
    position: 'evades 26:d,28:n,#1:br,#2:yl,#3:o br.yo.ld.n/by.rl.on.d d4n3 - 1:25',
    solution: ['d>#3'],
    judge: ([action]) => (action === 'd>#3' ? 'right' : 'theirs'),
  },
  {
    name: 'english',
    position: 'evades+count-jumped=off 0:don,3:b,4:l,6:r,9:y by.lo.dn.r/yl.br.do.n b2r1y2 - 1:3',
    solution: ['b>6'],
    judge: blocksRed,
  },
];
