// @ts-check
/** The ground of the island, as one picture: filters are too slow for anything that shares a layer with what moves. */
import { raw } from '../lib/dom.js';
import { curve, STEPS } from './plan.js';
import { FLAT } from './drawings.js';

/** @typedef {import('./plan.js').Plan} Plan */
/** @typedef {import('./plan.js').Point} Point */

/** Sea around the plan, for boards of other shapes. */
export const BLEED = 300;
const FONT = 'font-family="Georgia,DejaVu Serif,serif" font-weight="700" text-anchor="middle"';
const ROUND = 'fill="none" stroke-linecap="round" stroke-linejoin="round"';

/** A generator with a fixed seed, so that an island always looks the same. */
function luck() {
  let seed = 7;
  return () => (seed = (seed * 16807) % 2147483647) / 2147483647;
}

/** @param {Point[]} line */
const path = (line, end = '') => `M${line.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}${end}`;

/** Filters, and what is made of nothing else. */
const TEXTURES = /<filter.*?<\/filter>|<(?:rect|path) [^>]*filter="url\(#(?:sea|grain|land)\)"[^>]*>| filter="[^"]*"/gs;

/** The ground without its textures, for the first frames: it is there at once. @param {string} ground */
export const sketch = (ground) => raw(ground.replace(TEXTURES, ''));

/** @param {Plan} plan */
export function ground(plan) {
  const { width, height, radius } = plan, random = luck();
  const way = path(plan.way), isle = path(curve(plan.shore, true), 'z'), band = radius * 1.66;
  const all = `x="${-BLEED}" y="${-BLEED}" width="${width + 2 * BLEED}" height="${height + 2 * BLEED}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg"
    viewBox="${-BLEED} ${-BLEED} ${width + 2 * BLEED} ${height + 2 * BLEED}" width="${width + 2 * BLEED}"
      height="${height + 2 * BLEED}">
    <defs>${filters(`x="-40" y="-40" width="${width + 80}" height="${height + 80}"`, all)}${paints}</defs>
    <rect ${all} fill="url(#dusk)"/><rect ${all} filter="url(#sea)" opacity=".42"/>${ripples(plan, random)}
    <path d="${isle}" ${ROUND} stroke="#8fd0e6" stroke-width="46" opacity=".14" filter="url(#rough)"/>
    <path d="${isle}" ${ROUND} stroke="#e6f3f6" stroke-width="18" opacity=".42" filter="url(#rough)"/>
    <path d="${isle}" fill="#cdb081" stroke="#cdb081" stroke-width="8" filter="url(#rough)"/>
    <path d="${isle}" opacity=".5" filter="url(#grain)"/>
    <g transform="translate(${width / 2} ${height / 2}) scale(.966 .945) translate(${-width / 2} ${-height / 2})">
      <path d="${isle}" fill="#0b1a1a" opacity=".55" filter="url(#rough)" transform="translate(0 5)"/>
      <path d="${isle}" filter="url(#land)"/>
      <path d="${isle}" fill="#2b5a3e" opacity=".42" filter="url(#rough)"/></g>
    ${jetty(plan)}
    <path d="${way}" ${ROUND} stroke="#04100f" stroke-width="${band + 24}" opacity="${plan.tall ? 0.3 : 0.5}"
      filter="url(#soft)"/>
    <path d="${way}" ${ROUND} stroke="#5d4a34" stroke-width="${band + 10}" filter="url(#rough2)"/>
    <path d="${way}" ${ROUND} stroke="#c09f66" stroke-width="${band - 4}" filter="url(#rough2)"/>
    <path d="${way}" ${ROUND} stroke="#000" stroke-width="${band - 4}" opacity=".5" filter="url(#grain)"/>
    <circle cx="${plan.hole.x + 40}" cy="${plan.hole.y + 20}" r="140" fill="url(#warm)"/>
    ${footprints(plan)}${plants(plan, random)}${slabs(plan)}${prison(plan)}</svg>`;
}

/** Only the sea's filter covers everything; the others cover the island. @param {string} island @param {string} all */
const filters = (island, all) => `
  <filter id="rough" filterUnits="userSpaceOnUse" ${island}>
  <feTurbulence type="fractalNoise" baseFrequency=".028" numOctaves="4" seed="9" result="n"/>
      <feDisplacementMap in="SourceGraphic" in2="n" scale="26"/></filter>
  <filter id="rough2" filterUnits="userSpaceOnUse" ${island}>
  <feTurbulence type="fractalNoise" baseFrequency=".05" numOctaves="3" seed="5" result="n"/>
      <feDisplacementMap in="SourceGraphic" in2="n" scale="12"/></filter>
  <filter id="land" filterUnits="userSpaceOnUse" ${island}>
  <feTurbulence type="fractalNoise" baseFrequency=".014 .02" numOctaves="5" seed="21" result="n"/>
    <feDiffuseLighting in="n" surfaceScale="9" lighting-color="#93a98c" result="l">
    <feDistantLight azimuth="230" elevation="50"/></feDiffuseLighting>
    <feDisplacementMap in="SourceGraphic" in2="n" scale="26" result="s"/><feComposite in="l" in2="s" operator="in"/>
    </filter>
  <filter id="sea" filterUnits="userSpaceOnUse" ${all}>
  <feTurbulence type="fractalNoise" baseFrequency=".008 .03" numOctaves="4" seed="3" result="n"/>
    <feDiffuseLighting in="n" surfaceScale="6" lighting-color="#6294c2"><feDistantLight azimuth="270" elevation="48"/>
    </feDiffuseLighting></filter>
  <filter id="grain" filterUnits="userSpaceOnUse" ${island}>
  <feTurbulence type="fractalNoise" baseFrequency=".6" numOctaves="2" seed="3"/>
    <feColorMatrix values="0 0 0 0 .1  0 0 0 0 .1  0 0 0 0 .16  0 0 0 .6 -.2"/>
    <feComposite in2="SourceGraphic" operator="in"/></filter>
  <filter id="soft" filterUnits="userSpaceOnUse" ${island}><feGaussianBlur stdDeviation="10"/></filter>
      <filter id="drop" filterUnits="userSpaceOnUse" ${island}><feGaussianBlur stdDeviation="3"/></filter>`;

const paints = `
  <linearGradient id="dusk" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#45407c"/>
  <stop offset=".4" stop-color="#205274"/>
      <stop offset="1" stop-color="#0b2340"/></linearGradient>
  <linearGradient id="wall" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#8a8ea6"/>
  <stop offset="1" stop-color="#5a5f78"/></linearGradient>
  <radialGradient id="lamp" cx=".5" cy=".55" r=".8"><stop offset="0" stop-color="#ffc964" stop-opacity=".8"/>
      <stop offset="1" stop-color="#8a4a1c" stop-opacity=".25"/></radialGradient>
  <radialGradient id="slab" cx=".4" cy=".25" r=".9"><stop offset="0" stop-color="#fbf3e2"/>
  <stop offset=".6" stop-color="#e2d3b6"/>
      <stop offset="1" stop-color="#b3a083"/></radialGradient>
  <radialGradient id="warm"><stop offset="0" stop-color="#ffb65c" stop-opacity=".5"/>
  <stop offset="1" stop-color="#ff9a3c" stop-opacity="0"/></radialGradient>`;

/** Waves everywhere, and moonlight where the boats lie. @param {Plan} plan @param {() => number} random */
function ripples({ tall, width, height }, random) {
  let waves = '', glints = '';
  for (let i = 0; i < 360; i++) {
    const w = 10 + random() * 26,
      x = -BLEED + random() * (width + 2 * BLEED),
      y = -BLEED + random() * (height + 2 * BLEED);
    waves += `M${x.toFixed(0)} ${y.toFixed(0)}q${(w / 4).toFixed(0)}-5 ${(w / 2).toFixed(0)} 0t${(w / 2).toFixed(0)} 0`;
  }
  for (let i = 0; i < 70; i++) {
    const x = tall ? random() * width : width - 90 + (random() - 0.5) * 180,
      y = tall ? height - random() * 110 : random() * height;
    glints += `M${x.toFixed(0)} ${y.toFixed(0)}h${(6 + random() * 30).toFixed(0)}`;
  }
  return `<path d="${waves}" fill="none" stroke="#a9cdea" stroke-width="1.8" opacity=".26" stroke-linecap="round"/>
      <path d="${glints}" stroke="#ffe3a6" stroke-width="2.4" stroke-linecap="round" opacity=".34"/>`;
}

/** @param {Plan} plan */
function jetty({ jetty, jettyWidth }) {
  const line = path(jetty), join = 'fill="none" stroke-linejoin="round"';
  return `<path d="${line}" ${ROUND} stroke="#020912" stroke-width="${jettyWidth + 12}" opacity=".5"
    filter="url(#drop)" transform="translate(4 8)"/>
    <path d="${line}" ${join} stroke="#2c1b10" stroke-width="${jettyWidth + 5}"/><path d="${line}" ${join}
      stroke="#96704a" stroke-width="${jettyWidth}"/>
    <path d="${line}" ${join} stroke="#3b2413" stroke-width="${jettyWidth}" stroke-dasharray="2.5 13" opacity=".75"/>`;
}

/** Footprints between spaces that are far apart. @param {Plan} plan */
function footprints({ way, spaces, radius }) {
  const gap = Math.hypot(spaces[1].x - spaces[0].x, spaces[1].y - spaces[0].y) - 2 * radius;
  if (gap < 26) return '';
  let prints = '';
  for (let i = 0; i + 1 < way.length; i++) {
    const from = spaces[Math.round(i / STEPS)], { x, y } = way[i], next = way[i + 1];
    if (Math.hypot(x - from.x, y - from.y) < radius + 10) continue;
    const turn = Math.atan2(next.y - y, next.x - x) * 57.3;
    prints += `<ellipse rx="7" ry="3.4" cy="${i % 2 ? 7 : -7}"
      transform="translate(${x.toFixed(0)} ${y.toFixed(0)}) rotate(${turn.toFixed(0)})"/>`;
  }
  return `<g fill="#5d4526" opacity=".5">${prints}</g>`;
}

const ROCK = '<ellipse cy="2" rx="18" ry="6" fill="#0007"/>' +
  '<path d="M-16 2C-18-10-6-18 2-14 12-18 20-8 16 2z" fill="#59607a"/>' +
  '<path d="M-10-4C-8-12 0-14 4-12L-2-2z" fill="#8a94ae"/>';
const BUSH = '<ellipse cy="3" rx="20" ry="6" fill="#0007"/>' +
  '<path d="M-18 3C-22-6-12-12-9-9-8-18 6-18 7-10 16-14 22-4 17 3z" fill="#275c40"/>' +
  '<path d="M-12-3C-10-10-4-10-2-6 0-13 8-12 8-6" fill="none" stroke="#72b077" stroke-width="2.4"' +
  ' stroke-linecap="round"/>';
const BLOOM = `${BUSH}<g fill="#f3a3b4"><circle cx="-8" cy="-4" r="2.4"/><circle cx="3" cy="-8" r="2.6"/>
  <circle cx="10" cy="-2" r="2.2"/></g>`;
const GRASS = '<path d="M-8 3Q-9-6-13-10M-3 3Q-3-8-5-14M2 3Q4-8 8-13M7 3Q9-4 14-7" fill="none" stroke="#6da35e"' +
  ' stroke-width="2.6" stroke-linecap="round"/>';
const PALM = '<ellipse cx="4" cy="3" rx="16" ry="5" fill="#0007"/>' +
  '<path d="M0 3C3-14 2-26 8-38" fill="none" stroke="#6b4b31" stroke-width="5" stroke-linecap="round"/>' +
  '<path d="M8-38C-4-50-16-44-20-36-10-42 0-40 8-36zM8-38C18-52 32-46 34-34 26-42 16-40 8-36zM8-38C0-56 12-62 20-60' +
  ' 12-54 12-46 10-38z' +
  'M8-38C-6-40-12-28-11-20-6-30 2-34 9-36zM8-38C22-38 27-28 25-18 21-28 15-34 8-36z" ' +
  'fill="#35805a" stroke="#123527" stroke-width="1.5"/>';

/** Plants and rocks where the track and the prison leave room. @param {Plan} plan @param {() => number} random */
function plants({ tall, width, height, prison, way, radius }, random) {
  /** @param {number} x @param {number} y */
  const built = (x, y) => x > prison.x - 30 && x < prison.x + prison.width + 34 && y < prison.y + prison.height + 26;
  /** @param {number} x @param {number} y @param {number} room */
  const clear = (x, y, room) => !built(x, y) && way.every((p) => Math.hypot(p.x - x, (p.y - y) * 1.15) > room);
  /** @type {(Point & { kind: number })[]} */ const spots = [];
  for (let i = 0; i < 1600 && spots.length < (tall ? 30 : 78); i++) {
    const x = 56 + random() * (width - (tall ? 112 : 350)), y = 60 + random() * (height - (tall ? 210 : 110));
    if (clear(x, y, radius + 26) && spots.every((p) => Math.hypot(p.x - x, p.y - y) > 38)) {
      spots.push({ x, y, kind: random() });
    }
  }
  for (let i = 0; i < 900 && spots.length < (tall ? 70 : 110); i++) {
    const x = 40 + random() * (width - (tall ? 80 : 330)), y = 60 + random() * (height - (tall ? 200 : 110));
    if (clear(x, y, radius + 6) && spots.every((p) => Math.hypot(p.x - x, p.y - y) > 24)) {
      spots.push({ x, y, kind: 0.2 });
    }
  }
  spots.sort((a, b) => a.y - b.y);
  return spots.map(({ x, y, kind }) => {
    const palm = kind > 0.66 && y > 110 && clear(x + 8, y - 46, radius + 24);
    const drawing = palm ? PALM : kind < 0.18 ? ROCK : kind < 0.36 ? GRASS : kind < 0.5 ? BLOOM : BUSH;
    const place = `translate(${x.toFixed(0)} ${y.toFixed(0)}) scale(${(0.85 + kind * 0.45).toFixed(2)})`;
    return `<g transform="${place}">${drawing}</g>`;
  }).join('');
}

/** @param {Plan} plan */
function slabs({ spaces, radius }) {
  /** @param {number} dy */
  const ellipses = (dy, grow = 0) =>
    spaces.map(({ x, y }) =>
      `<ellipse cx="${x.toFixed(1)}" cy="${(y + dy).toFixed(1)}" rx="${radius + grow}" ry="${radius * FLAT + grow}"/>`
    ).join('');
  const numbers = spaces.map(({ x, y }, i) =>
    `<text x="${x.toFixed(1)}" y="${(y + radius * 0.2).toFixed(1)}"
      opacity="${(i + 1) % 5 ? 0.8 : 1}">${i + 1}</text>`
  ).join('');
  return `<g fill="#1a0f06" opacity=".6" filter="url(#drop)">${ellipses(7, 1)}</g><g fill="#7d6a4f">${ellipses(5)}</g>
    <g fill="url(#slab)" stroke="#54432b" stroke-width="2">${ellipses(0)}</g><g ${FONT} fill="#3f2f19"
      font-size="${(radius * 0.6).toFixed(1)}">${numbers}</g>`;
}

/** @param {Plan} plan */
function prison({ prison: { x, y, width, height }, tower, windows, hole, name }) {
  let courses = '', merlons = '';
  for (let top = y + 22, odd = 0; top < y + height; top += 22, odd = 1 - odd) {
    courses += `M${x} ${top}h${width}`;
    for (let joint = x + (odd ? 24 : 44); joint < x + width; joint += 44) {
      courses += `M${joint} ${top}v${Math.min(22, y + height - top)}`;
    }
  }
  for (let left = x - 4; left < x + width - 14; left += 40) merlons += `M${left} ${y}v-15h24v15z`;
  const bars = 'M-15 20V-37M-5 20V-42M5 20V-42M15 20V-37', arch = 'M-25 20V-20a25 23 0 0 1 50 0V20z';
  const panes = windows.map((w) =>
    `<g transform="translate(${w.x} ${w.y})"><path d="M-29 22V-22a29 26 0 0 1 58 0V22z" fill="#d9a441" opacity=".18"/>
      <path d="${arch}" fill="#1a1420" stroke="#1b1724" stroke-width="5"/>
    <path d="${arch}" fill="url(#lamp)"/><path d="${bars}" stroke="#0b0a10" stroke-width="4"/>
    <path d="${bars}" stroke="#8a93ad" stroke-width="1.6"/>
        <path d="M-33 20h66v9h-66z" fill="#9da3b8" stroke="#22202c" stroke-width="2"/></g>`
  ).join('');
  const lookout = tower
    ? `<g transform="translate(${tower.x} ${tower.y})"><circle cy="-12" r="56" fill="url(#warm)"/>
      <path d="M-20 6V-24H20V6z" fill="#6d7288" stroke="#1e1c29" stroke-width="3"/>
    <path d="M-13-3V-19H13V-3z" fill="#ffd98a" stroke="#1e1c29" stroke-width="2.5"/>
        <path d="M-26-22L0-40 26-22z" fill="#4a3f63" stroke="#1e1c29" stroke-width="3"/></g>`
    : '';
  return `${lookout}<rect x="${x - 6}" y="${y + 14}" width="${width + 26}" height="${height}" opacity=".5"
    filter="url(#soft)"/>
      <path d="${merlons}" fill="#767b93" stroke="#1e1c29" stroke-width="3"/>
    <rect x="${x}" y="${y}" width="${width}" height="${height}" fill="url(#wall)" stroke="#1e1c29" stroke-width="4"/>
        <path d="${courses}" fill="none" stroke="#33344a" stroke-width="2" opacity=".6"/>
    <rect x="${x}" y="${y}" width="${width}" height="${height}" opacity=".5" filter="url(#grain)"/>
        <path d="M${x - 6} ${y - 2}h${width + 12}v10h-${width + 12}z" fill="#989db4" stroke="#1e1c29"
          stroke-width="2.5"/>${panes}
    <g ${FONT} font-size="${name.size}" letter-spacing="4"><text x="${name.x}" y="${name.y + 1.6}"
      fill="#b9bfd4">MONTE GANOVO</text>
        <text x="${name.x}" y="${name.y}" fill="#1f2036">MONTE GANOVO</text></g>
    <g transform="translate(${hole.x} ${hole.y})">
        <path d="M-34 32L-40 8-26-4-30-22-8-36 10-28 28-30 34-8 42 4 36 32z" fill="#a7a9b8" stroke="#1e1c29"
          stroke-width="3"/>
      <path d="M-24 32L-29 10-16 0-18-16-4-26 10-19 22-20 25-4 31 6 26 32z" fill="#0c0910"/>
      <path d="M-40 34l8-9 9 3 4 8zM22 36l6-10 11 2 6 9zM-14 38l5-6 7 2 3 5z" fill="#8d93a8" stroke="#1e1c29"
        stroke-width="2"/></g>`;
}
