// @ts-check
/** Cartagena by doing: positions, and what is asked of the reader in each. Knows no rules: the server plays. */
import { readAction, readView } from './notation.js';

/** @typedef {import('../faces.js').Task} Task */
/** @typedef {import('./notation.js').Action} Action */

/** The tunnel of the worked examples. */
const TUNNEL = 'BPHSDK/DBKPHS/PKDHSB/HKPBSD/PHDSBK/SPBKDH';
const SYMBOLS = 'BDHKPS';
const READER = 1;
const BOAT = 37;

/** A position, in which `…` at the end of the pile stands for all cards that lie nowhere else.
 * @param {string} game @param {string} rest from the pirates on @param {number} [each] cards of each symbol */
function position(game, rest, each = 17) {
  const [pirates, hands, row, pile, discards, clock] = rest.split(' ');
  const left = [...SYMBOLS].map((card) => {
    const shown = (hands + row + pile).split(card).length - 1;
    return card.repeat(each - shown - Number(new RegExp(`${card}(\\d+)`).exec(discards)?.[1] ?? 0));
  });
  const mixed = Array.from({ length: each }, (_, n) => left.map((cards) => cards[n] ?? '').join('')).join('');
  return [game, TUNNEL, pirates, hands, row, pile.replace('…', mixed), discards, clock].join(' ');
}

/** Judges the last action. @param {(action: Action, all: Action[]) => string} judge @returns {Task['judge']} */
const last = (judge) => (actions) => {
  const all = actions.map(readAction);
  return judge(all[all.length - 1], all);
};

/** The three turns that 002 and 004 compare. The chances in the texts are Blue's, the mean of `hints.consider` on this
 * position with each turn in `also`, seeds 1 to 10 and 20 s: 5.4 % (4.8 to 5.8), 11.1 % (10.4 to 11.6), 17.8 % (17.2 to
 * 18.5). */
const PLANS = {
  daggers: ['D0>7', 'D6>15', 'D6>24'],
  cards: ['17<12', '18<17', '17<12'],
  mix: ['B17>37', '18<17', 'D0>7'],
};

/** @type {Task[]} */
export const TASKS = [
  {
    name: 'advance',
    position: position('jamaica', '0.0.0.0.0.0/0.0.0.0.0.0 BDHKPS/BDHKPS - … - 1:0:1'),
    solution: ['K0>6'],
    judge: last(({ card }) => (card === 'K' ? 'right' : 'card')),
  },
  {
    name: 'jump',
    position: position('jamaica', '0.0.0.0.1.6/0.0.0.0.9.14 HKP/BDS - … B1K3 1:0:7'),
    solution: ['K6>20'],
    judge: last(({ kind, to }) => (to === 20 ? 'right' : kind === 'retreat' ? 'back' : 'near')),
  },
  {
    name: 'board',
    position: position('jamaica', '0.0.0.6.14.26/0.0.0.22.29.33 BKS/DHP - … B3H1K2 1:0:15'),
    solution: ['B26>37'],
    judge: last(({ kind, to }) => (to === BOAT ? 'right' : kind === 'retreat' ? 'back' : 'near')),
  },
  {
    name: 'one',
    position: position('jamaica', '0.0.0.3.12.20/0.0.0.0.10.24 H/DK - PB… D1H1K1P1S2 1:0:9'),
    solution: ['12<10'],
    judge: last(({ kind }) => (kind === 'retreat' ? 'right' : 'forward')),
  },
  {
    name: 'two',
    position: position('jamaica', '0.0.0.12.14.24/0.0.0.10.20.20 K/DS - BH… D1K2P1S1 1:0:11'),
    solution: ['24<20'],
    judge: last(({ kind, drawn }) => (kind !== 'retreat' ? 'forward' : drawn.length === 2 ? 'right' : 'few')),
  },
  {
    name: 'full',
    position: position('jamaica', '0.0.0.0.15.16/0.0.9.9.14.14 B/HS - DKPH… D1H1K4 1:0:13'),
    solution: ['15<14', '16<9'],
    judge: last(({ kind, drawn }, all) => {
      if (kind !== 'retreat') return 'forward';
      if (drawn.length < 2) return 'few';
      return all.length === 2 ? 'right' : '';
    }),
  },
  {
    name: 'turn',
    position: position('jamaica', '0.0.0.3.12.24/0.0.0.0.10.20 K/DS - PSBH… D1H1K2P1S1 1:0:9'),
    solution: ['12<10', 'P10>13', 'K24>30'],
    judge: last(({ kind }, all) => {
      const back = all.filter((one) => one.kind === 'retreat').length;
      if (kind === 'end') return 'early';
      if (back > 1) return 'mix';
      return all.length < 3 ? '' : back ? 'right' : 'mix';
    }),
  },
  {
    name: 'road',
    position: position('jamaica', '0.0.3.6.12.19/0.0.0.0.16.24 HKS/HHP - … D2H3K1S1 2:0:8'),
    given: ['H0>11', 'H24>26', '.'],
    solution: ['H0>36'],
    judge: last(({ kind, from, to }) =>
      to === 36 ? (from ? 'ahead' : 'right') : kind === 'retreat' ? 'back' : kind === 'end' ? 'early' : 'near'
    ),
  },
  {
    name: 'win',
    position: position('jamaica', '30.37.37.37.37.37/9.12.19.25.28.34 DH/BK - SP… B9D7H9K8P8S7 1:0:41'),
    solution: ['H30>36', 'D36>37'],
    judge: (actions, { seat, result }) =>
      result !== '*' ? 'right' : actions.includes('D30>35') || seat !== READER ? 'order' : '',
  },
  {
    name: 'plans',
    position: `tortuga ${TUNNEL} 0.6.6.9.17.18/5.8.17.17.22.26/0.11.12.19.19.29/0.9.21.30.33.37` +
      ' BDDDD/HK/-/PSS KDDBSP - B15D11H16K15P15S14 1:0:41',
    plans: PLANS,
    solution: PLANS.mix,
    judge: (actions) => {
      const bare = actions.map((action) => action.split('+')[0]);
      const begun = Object.entries(PLANS).find(([, plan]) => bare.every((action, n) => action === plan[n]));
      return !begun ? 'other' : bare.length < begun[1].length ? '' : begun[0];
    },
  },
  {
    name: 'row',
    position: position('tortuga', '0.0.6.14.17.22/12.12.18.29.33.37 K/DHP SBDKHPBSDKHP … B6D4H5K5P4S3 1:0:23'),
    solution: ['14<12', 'B17>37'],
    judge: (_, { position: now, seat }) =>
      readView(now).pirates[READER - 1].includes(BOAT) ? 'right' : seat === READER ? '' : 'late',
  },
  {
    name: 'empty',
    position: position('first-escape', '0.0.6.9.14.20/0.0.0.10.17.24 -/BDP SHBKDPSHBK D… B3D2H4K3P3S2 1:0:15', 18),
    solution: ['draw'],
    judge: last(({ kind }) => (kind === 'draw' ? 'right' : 'other')),
  },
];
