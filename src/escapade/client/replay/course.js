// @ts-check
/** How the chances went: a line for each player, with mistakes, blunders and where the game turned. */
import { markup } from '../lib/dom.js';
import { list, percent, t } from '../lib/lang.js';
import { SEATS, sign } from '../lib/seats.js';

/** @typedef {import('../lib/messages.js').Outline} Outline */
/** @typedef {import('../lib/messages.js').Judgement} Judgement */
/** @typedef {import('../lib/messages.js').Verdict} Verdict */
/** @typedef {{ name: string, colour: number }} Player */
/** What is known of a game so far. `outline` comes first, `verdict` last.
 * @typedef {{ outline: Outline | null, judged: Map<number, Judgement>, verdict: Verdict | null, fault: string }}
 * Found */

const WIDTH = 300, HEIGHT = 112;
/** Lines that differ for people who cannot tell the colours apart. */
const DASHES = ['none', '8 3', '2 3', '9 3 2 3', '5 2', '1 2'];
/** @type {Record<string, string>} */
export const MARKS = { mistake: '?', blunder: '??' };

/** Every seat's chances at the start and after each turn, as well as they are known.
 * @param {Found} found @returns {number[][]} */
export const chancesOf = ({ outline, judged }) =>
  (outline?.chances ?? []).map((chances, n) => judged.get(n - 1)?.chances ?? chances);

/** The turns that are marked, in order. @param {Found} found @returns {Judgement[]} */
export const marked = ({ judged }) =>
  [...judged.values()].filter(({ mark }) => mark).sort((one, other) => one.index - other.index);

/** The chart. A press on it is told by `turnAt`. @param {Found} found @param {Player[]} players
 * @param {number} [at] how many turns have been played where the reader is; none is shown without it */
export function chart(found, players, at = -1) {
  const { outline, verdict } = found, chances = chancesOf(found), last = Math.max(1, chances.length - 1);
  if (!outline) return markup``;
  const x = (/** @type {number} */ n) => ((n / last) * WIDTH).toFixed(1);
  const y = (/** @type {number} */ chance) => (HEIGHT * (1 - chance)).toFixed(1);
  const lines = players.map(({ colour }, seat) =>
    markup`<polyline points="${chances.map((row, n) => `${x(n)},${y(row[seat])}`).join(' ')}"
      stroke="${SEATS[colour].fill}" stroke-dasharray="${DASHES[seat]}"/>`
  );
  const marks = marked(found).map(({ index, mark, chances: after }) =>
    markup`<circle class="${mark}" r="4" cx="${x(index + 1)}" cy="${y(after[outline.seats[index] - 1])}"/>`
  );
  const turned = verdict?.turning.map(({ index }) => markup`<path class="turned" d="M${x(index + 1)} 0V${HEIGHT}"/>`);
  return markup`<svg class="course" viewBox="-6 -6 ${WIDTH + 12} ${HEIGHT + 12}" role="img"
      aria-label="${summary(found, players)}"><rect x="-6" y="-6" width="${WIDTH + 12}" height="${HEIGHT + 12}" rx="6"/>
    <path class="half" d="M0 ${HEIGHT / 2}H${WIDTH}M0 0V${HEIGHT}H${WIDTH}"/>${turned}
    ${at >= 0 && markup`<path class="here" d="M${x(at)} -4V${HEIGHT + 4}"/>`}${lines}${marks}</svg>
    <p class="legend" aria-hidden="true">${
    players.map(({ name, colour }) => markup`<span>${sign(colour)}${name}</span>`)
  }</p>`;
}

/** Which turn lies under a press on the chart: how many turns have been played there.
 * @param {Element} svg @param {number} clientX @param {number} turns */
export function turnAt(svg, clientX, turns) {
  const { left, width } = svg.getBoundingClientRect(), unit = width / (WIDTH + 12);
  return Math.max(0, Math.min(turns, Math.round(((clientX - left - 6 * unit) / (WIDTH * unit)) * turns)));
}

/** The chart for those who do not see it. @param {Found} found @param {Player[]} players */
function summary(found, players) {
  const chances = chancesOf(found), end = chances[chances.length - 1] ?? [];
  return t('analysis.chart', {
    turns: chances.length - 1,
    chances: list(players.map(({ name }, seat) => `${name} ${percent(end[seat] ?? 0)}`)),
    n: marked(found).length,
  });
}

/** Where the game turned most, in words. @param {Found} found @param {Player[]} players */
export function turningWords({ outline, verdict }, players) {
  const [most] = (verdict?.turning ?? []).toSorted((one, other) => other.change - one.change);
  if (!outline || !verdict) return '';
  if (!most) return t('analysis.steady');
  return turnedWords(most, outline, players);
}

/** @param {import('../lib/messages.js').Turned} point @param {Outline} outline @param {Player[]} players */
export const turnedWords = ({ index, change, gainer, cause }, outline, players) =>
  t('analysis.turned', {
    n: outline.turns[index],
    gain: percent(change),
    gainer: players[gainer - 1].name,
    cause: t(`analysis.cause.${cause}`, { name: players[outline.seats[index] - 1].name }),
  });

/** The lines of an analysis as they come. @param {Found} found filled while it reads @param {Response} answer
 * @param {() => void} changed */
export async function readLines(found, answer, changed) {
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    const lines = (rest + part.value).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach((line) => take(found, JSON.parse(line)));
    changed();
  }
}

/** @param {Found} found @param {any} line */
function take(found, line) {
  if (line.type === 'outline') found.outline = line;
  else if (line.type === 'judged') found.judged.set(line.index, line);
  else if (line.type === 'verdict') found.verdict = line;
  else found.fault = t(`fault.${line.code}`);
}

/** @returns {Found} */
export const nothingFound = () => ({ outline: null, judged: new Map(), verdict: null, fault: '' });
