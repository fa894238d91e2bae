// @ts-check
/** The ground of a tunnel: rock, passage, spaces, fort, sea and boat. Painted once, because filters are too slow for
 * anything that moves. */
import { raw } from '../lib/dom.js';
import { RADIUS } from './plan.js';

/** @typedef {import('./plan.js').Course} Course */

/** The ground as a bitmap, so that it is not rasterized again when something moves above it. Browsers make one of a
 * picture in the background; drawn on a canvas, it would hold up whoever wants to play. @param {Course} course */
export async function groundOf(course) {
  const picture = ground(course, Math.min(devicePixelRatio, 2)), image = new Image();
  image.src = URL.createObjectURL(new Blob([picture], { type: 'image/svg+xml' }));
  await image.decode();
  const bitmap = await createImageBitmap(image);
  URL.revokeObjectURL(image.src);
  return bitmap;
}

/** The ground without its filters, for the first frames: it is there at once. @param {Course} course */
export const sketch = (course) => raw(ground(course).replace(/<filter.*?<\/filter>| filter="[^"]*"/gs, ''));

/** @param {Course} course @param {number} [dense] pixels of the picture to one of the page */
function ground(course, dense = 1) {
  const { width, height, path, door, places, unit } = course, tunnel = door + path, spaces = places.slice(1, -1);
  const all = `filterUnits="userSpaceOnUse" x="-40" y="-40" width="${width + 80}" height="${height + 80}"`;
  /** @param {string} d @param {string} colour @param {number} breadth @param {string} [more] */
  const passage = (d, colour, breadth, more = '') =>
    `<path d="${d}" fill="none" stroke-linecap="round" stroke="${colour}" stroke-width="${breadth}" ${more}/>`;
  const slabs = spaces.map(({ x, y }) => `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${RADIUS}"/>`).join('');
  const joints = course.joints.map(({ x, y, angle }) =>
    `<path d="M0-60V60" transform="translate(${x} ${y}) rotate(${(angle * 180) / Math.PI})"/>`
  ).join('');
  const torches = [[.34, .03], [.8, .4], [.08, .64]].map(([x, y]) =>
    `<circle cx="${width * x}" cy="${height * y}" r="200" fill="url(#torch)"/>`
  ).join('');
  const tide = course.boat.left ? 1 : -1;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${Math.round(width * unit * dense)}"
    height="${Math.round(height * unit * dense)}" viewBox="0 0 ${width} ${height}"><defs>
    <filter id="rough" ${all}><feTurbulence type="fractalNoise" baseFrequency=".03" numOctaves="3" seed="4" result="n"/>
      <feDisplacementMap in="SourceGraphic" in2="n" scale="15"/></filter>
    <filter id="rock" x="0" y="0" width="100%" height="100%">
    <feTurbulence type="fractalNoise" baseFrequency=".008 .012" numOctaves="4" seed="11" result="n"/>
      <feDiffuseLighting in="n" surfaceScale="7" diffuseConstant=".95" lighting-color="#7d7468">
      <feDistantLight azimuth="235" elevation="54"/></feDiffuseLighting></filter>
    <filter id="soft" ${all}><feGaussianBlur stdDeviation="10"/></filter><filter id="drop" ${all}>
    <feGaussianBlur stdDeviation="3"/></filter>
    ${radial('slab', 'cx=".4" cy=".3" r=".85"', [[0, '#fff8e6', 1], [.6, '#f4e6c8', 1], [1, '#d9c294', 1]])}
    ${radial('vig', 'cx=".5" cy=".5" r=".75"', [[.6, '#000', 0], [1, '#000', .45]])}
    ${radial('torch', '', [[0, '#ffc86a', .4], [1, '#ff9d2e', 0]])}
    <linearGradient id="water" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#2a7f97"/>
      <stop offset="1" stop-color="#0c3d59"/></linearGradient></defs>
    <rect width="${width}" height="${height}" fill="#5a5146" filter="url(#rock)"/>
    <rect width="${width}" height="${height}" fill="#1c150f" opacity=".5"/>
    <g filter="url(#rough)"><path d="${course.shore}" fill="#e6d09a" transform="translate(${16 * tide} -11)"/>
      <path d="${course.shore}" fill="#7fc0c4" transform="translate(0 -3)"/>
      <path d="${course.shore}" fill="url(#water)" transform="translate(${-6 * tide} 3)"/></g>
    ${passage(tunnel, '#000', 156, 'opacity=".6" filter="url(#soft)"')}
    ${passage(tunnel, '#4f3f30', 146, 'filter="url(#rough)"')}${passage(tunnel, '#1d140d', 136, 'filter="url(#rough)"')}
    ${passage(tunnel, '#b08d5c', 126)}${passage(tunnel, '#c09d66', 96, 'opacity=".6"')}
    <g stroke="#2c1e12" stroke-width="3" stroke-dasharray="4 7" opacity=".75">${joints}</g>
    <g fill="#000" opacity=".42" filter="url(#drop)" transform="translate(0 4)">${slabs}</g>
    <g fill="url(#slab)" stroke="#5b4426" stroke-width="2.5">${slabs}</g>
    ${fort(course.fort)}${torches}<rect width="${width}" height="${height}" fill="url(#vig)"/>${boat(course)}</svg>`;
}

/** @param {string} id @param {string} where @param {[number, string, number][]} stops offset, colour and opacity */
function radial(id, where, stops) {
  const marks = stops.map(([offset, colour, opacity]) =>
    `<stop offset="${offset}" stop-color="${colour}" stop-opacity="${opacity}"/>`
  );
  return `<radialGradient id="${id}" ${where}>${marks.join('')}</radialGradient>`;
}

/** @param {Course['fort']} box */
export function fort({ x, y, width, height }) {
  const merlons = Math.round(width / 24) | 1, broad = width / merlons;
  let crown = `M${x} ${y + height}V${y + 8}`;
  for (let i = 0; i < merlons; i++) crown += `h${broad}v${i % 2 ? -16 : i === merlons - 1 ? 0 : 16}`;
  crown += `V${y + height}z`;
  let stones = '';
  for (let down = 30, course = 0; down < height; down += 24, course++) {
    stones += `M${x} ${y + down}h${width}`;
    for (let across = course % 2 ? 46 : 23; across < width; across += 46) {
      stones += `M${x + across} ${y + down}v${Math.min(24, height - down)}`;
    }
  }
  let bars = '';
  for (let across = 34; across < width - 20; across += 26) bars += `M${x + across} ${y + 34}v${height - 46}`;
  return `<path d="${crown}" fill="#000" opacity=".5" filter="url(#soft)" transform="translate(4 8)"/>
    <path d="${crown}" fill="#857b6c" stroke="#2d2620" stroke-width="4" stroke-linejoin="round"/>
    <path d="${stones}" fill="none" stroke="#544b40" stroke-width="2" opacity=".7"/>
    <rect x="${x + 12}" y="${y + 30}" width="${width - 24}" height="${height - 40}" rx="14" fill="#17100b"
      stroke="#2d2620" stroke-width="5"/>
    <path d="${bars}" stroke="#6a655e" stroke-width="3" opacity=".35"/>`;
}

/** @param {Pick<Course, 'boat' | 'beside'>} course */
export function boat({ boat: { x, y, scale, left }, beside }) {
  const rig = beside ? 'translate(0 0)' : `translate(${left ? -92 : 92} -6) scale(.62)`,
    canvas = 'stroke="#8a744c" stroke-width="2.5"';
  return `<g transform="translate(${x} ${y}) scale(${scale})">
  <ellipse cx="4" cy="46" rx="124" ry="14" fill="#06283b" opacity=".55"/>
    <g transform="${rig}"><path d="M0-8V-186" stroke="#4f2d15" stroke-width="7" stroke-linecap="round"/>
      <path d="M6-182c62 18 84 62 74 112-22-10-48-14-74-12z" fill="#f3e6c8" ${canvas}/>
      <path d="M6-150c40 12 62 36 70 56M6-116c30 4 56 14 74 30" fill="none" stroke="#cdb888" stroke-width="2"/>
      <path d="M-6-176c-40 26-60 66-62 104 20-8 42-12 62-12z" fill="#e7d5ae" ${canvas}/>
      <path d="M0-188l-34 9 34 10z" fill="#b5302a"/></g>
    <path d="M-124-14c70 16 176 16 246-4-8 44-36 62-66 64H-62c-32-4-52-24-62-60z" fill="#7a4a26" stroke="#33190a"
      stroke-width="4"/>
    <path d="M-116 4c66 14 160 14 228-3" fill="none" stroke="#4f2d15" stroke-width="3"/></g>`;
}
