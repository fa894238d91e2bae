// @ts-check
/** The end of a game: who has won, and what comes next. */
import { loadStyle, markup } from '../lib/dom.js';
import { alsoSpeak, has, list, t } from '../lib/lang.js';
import { ICONS } from '../lib/icons.js';
import { portrait } from '../lib/portraits.js';
import { SEATS, sign } from '../lib/seats.js';
import { settings } from '../lib/settings.js';
import { openSheet } from '../lib/sheet.js';
import { own, winners } from './state.js';

/** @typedef {import('./state.js').Known} Known */
/** @typedef {import('./state.js').Table} Table */
/** @typedef {import('../faces.js').Face} Face */

/** How it ended, in a few words. @param {Known} known */
export function outcome(known) {
  const { table } = known, result = table?.state?.result ?? '*', won = winners(result), mine = own(known);
  if (!table || !won.length) return t(result === '=' ? 'finish.drawn' : 'finish.unfinished');
  const names = list(won.map((seat) => table.seats[seat - 1].name)), you = mine.length === 1 && mine[0] === won[0];
  if (table.resigned) {
    return t(you ? 'finish.resignedYou' : 'finish.resigned', {
      loser: table.seats[table.resigned - 1].name,
      name: names,
    });
  }
  if (won.length > 1) return t('finish.shared', { names });
  return you ? t('finish.you') : t('finish.wins', { name: names });
}

/** Buttons after a game, the likeliest last, near the thumb. @param {Known} known */
export function nextSteps({ table }) {
  const seated = table?.seats.some(({ yours }) => yours);
  return markup`<a class="btn" href="/">${t('finish.home')}</a>
    <button type="button" class="btn" data-do="record">${t('finish.record')}</button>
    <a class="btn" href="/replay/${table?.table}">${t('finish.replay')}</a>
    ${
    table?.rematch
      ? markup`<a class="btn gold" href="/t/${table.rematch}">${t(seated ? 'finish.join' : 'finish.watch')}</a>`
      : seated &&
        markup`<button type="button" class="btn gold" data-do="rematch" autofocus>${t('finish.rematch')}</button>`
  }`;
}

/** Players from first to last. @param {Table} table */
function ranking(table) {
  const scores = table.state?.scores, won = winners(table.state?.result ?? '');
  const players = table.seats.map(({ name, colour, bot }, n) => ({
    name,
    colour,
    bot,
    score: scores?.[n],
    won: won.includes(n + 1),
  }));
  return players.sort((a, b) => Number(b.won) - Number(a.won) || (b.score ?? 0) - (a.score ?? 0));
}

/** Confetti in the winners' colours, for people: bots do not care for it. @param {Table} table */
export function celebrate(table) {
  const won = winners(table.state?.result ?? '').map((seat) => table.seats[seat - 1]).filter(({ person }) => person);
  if (won.length) confetti(won.map(({ colour }) => colour));
}

/** @param {string} kind @param {number} n */
const scoreText = (kind, n) => (has(`finish.score.${kind}`) ? t(`finish.score.${kind}`, { n }) : n);

/** @param {Table} table */
const order = (table) =>
  markup`<ol class="ranking">${
    ranking(table).map(({ name, colour, bot, score, won }) =>
      markup`<li class="${won ? 'won' : ''}">${sign(colour)}<span class="who">${
        bot && portrait(bot)
      }<b>${name}</b></span>
  ${score !== undefined && markup`<span class="points">${scoreText(table.kind, score)}</span>`}</li>`
    )
  }</ol>`;

/** Open the last sheet: who has won, and what comes next.
 * @param {() => Known} known what the page knows at the moment @param {Face} face @param {(what: string) => void} act
 * what the buttons do */
export function openFinish(known, { ending }, act) {
  /** Why it ended so, once somebody has asked. @type {import('../replay/course.js').Found | null} */
  let found = null;
  /** @type {typeof import('../replay/course.js') | null} */
  let course = null;
  const gone = new AbortController();
  /** @param {Table} table */
  const decided = ({ table, seats }) =>
    markup`<section class="decided">${
      found && course
        ? markup`<h3>${t('finish.decided')}</h3>${course.chart(found, seats)}<p>${
          found.fault || course.turningWords(found, seats) || t('hints.asking')
        }</p><a class="btn" href="/replay/${table}#analyse">${t('analysis.whole')}</a>`
        : markup`<button type="button" class="btn" data-do="decided">${t('finish.decided')}</button>`
    }<button type="button" class="btn" data-do="share">${ICONS.link}${t('lobby.share')}</button></section>`;
  const sheet = openSheet({
    title: () => outcome(known()),
    body: () => {
      const { table } = known();
      return markup`${ending ? ending.body() : table && order(table)}${table && decided(table)}`;
    },
    footer: () => nextSteps(known()),
  }, `finish ${ending?.looks ?? ''}`);
  ending?.opened(sheet.dialog);
  const decide = async () => {
    [course] = await Promise.all([import('../replay/course.js'), loadStyle('replay/analysis'), alsoSpeak('replay')]);
    found = course.nothingFound();
    sheet.draw();
    const answer = await fetch(`/api/tables/${known().table?.table}/analysis`, gone).catch(() => null);
    if (!answer?.ok) found.fault = t('fault.busy');
    else await course.readLines(found, answer, () => sheet.draw()).catch(() => {});
    if (!gone.signal.aborted) sheet.draw();
  };
  sheet.dialog.addEventListener('close', () => gone.abort());
  sheet.dialog.addEventListener('click', (event) => {
    const target = /** @type {Element} */ (event.target), button = target.closest('[data-do]');
    if (button?.getAttribute('data-do') === 'decided') decide();
    else if (button) act(button.getAttribute('data-do') ?? '');
    if (target.closest('a[href^="/"]')) sheet.dialog.close();
  });
  return sheet;
}

const PIECES = 70;

/** Let paper fall, above dialogs too. @param {number[]} colours */
function confetti(colours) {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches || !settings.speed) return;
  const sky = Object.assign(document.createElement('div'), { className: 'confetti', popover: 'manual' });
  sky.setAttribute('aria-hidden', 'true');
  document.body.append(sky);
  sky.showPopover();
  const paints = ['#e9bb5f', '#f4e6c6', '#7fd0cf', ...colours.map((colour) => SEATS[colour].fill)];
  const falling = Array.from({ length: PIECES }, (_, n) => {
    const piece = document.createElement('i'),
      turn = `rotate3d(${Math.random()}, ${Math.random()}, 1, ${600 + Math.random() * 900}deg)`;
    piece.style.left = `${Math.random() * 100}%`;
    piece.style.background = paints[n % paints.length];
    sky.append(piece);
    return piece.animate(
      [{ transform: 'translateY(-10vh)' }, { transform: `translate(${(Math.random() - 0.5) * 30}vw, 108vh) ${turn}` }],
      {
        duration: 2400 + Math.random() * 2600,
        delay: Math.random() * 900,
        easing: 'cubic-bezier(.3,.1,.7,1)',
        fill: 'both',
      },
    ).finished;
  });
  Promise.allSettled(falling).then(() => sky.remove());
}

/** Save a record as a file, if there is one. @param {string | undefined} record @param {string} name */
export function saveRecord(record, name) {
  if (!record) return;
  const link = Object.assign(document.createElement('a'), {
    href: URL.createObjectURL(new Blob([record], { type: 'text/plain' })),
    download: `${name}.esc`,
  });
  link.click();
  URL.revokeObjectURL(link.href);
}
