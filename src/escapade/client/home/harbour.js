// @ts-check
/** The night harbour behind the home page, painted into an image once. The seed is fixed, so it always looks the
 * same. */

let seed = 7;
const chance = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
/** @param {number} n @param {() => string} draw */
const many = (n, draw) => Array.from({ length: n }, draw).join('');
/** @param {number} x @param {number} [digits] */
const cut = (x, digits = 0) => x.toFixed(digits);

const star = () =>
  `<circle cx="${cut(chance() * 1600)}" cy="${cut(chance() ** 1.4 * 400)}" r="${cut(0.5 + chance() * 1.2, 1)}"
    opacity="${cut(0.2 + chance() * 0.65, 2)}"/>`;

/** A stroke on the water; the nearer, the longer and lower.
 * @param {number} x @param {number} near 0 to 1 @param {number} light */
function ripple(x, near, light) {
  const w = 12 + near * 90;
  return `<path d="M${cut(x - w / 2)} ${cut(578 + near * near * 315)}q${cut(w / 2)} ${cut(2 + near * 6)} ${cut(w)} 0"
    stroke-width="${cut(1.2 + near * 2.2, 1)}" opacity="${cut(light, 2)}"/>`;
}
const glint = () => {
  const near = chance();
  return ripple(560 + (chance() - 0.5) * (46 + near * 290), near, 0.2 + chance() * 0.55);
};
const wave = () => ripple(chance() * 1600, chance(), 0.06 + chance() * 0.14);

/** A lit window of the fortress. @param {number} x @param {number} y */
const lit = (x, y) => `<path d="M${x} ${y}v-9a4 4 0 0 1 8 0v9z"/>`;

/** Somebody running away, drawn around their feet. @param {number} x @param {number} y @param {number} size */
const runner = (x, y, size) =>
  `<g transform="translate(${x} ${y}) scale(${size})">
  <path d="M-6-22c0-8 3-12 7-12s7 4 7 12l-1 8 5 13-4 1-6-11-7 5-6 9-3-2 5-11 5-5z"/><circle cx="2" cy="-39" r="6"/>
  <path d="M-10-41c4-12 20-12 24 0-8-3-16-3-24 0z"/></g>`;

const GRADIENTS = `
  <linearGradient id="sky" x2="0" y2="1"><stop stop-color="#0a1826"/><stop offset=".5" stop-color="#143047"/>
  <stop offset=".8" stop-color="#356070"/>
    <stop offset="1" stop-color="#dba873"/></linearGradient>
  <linearGradient id="sea" x2="0" y2="1"><stop stop-color="#75938d"/><stop offset=".16" stop-color="#2c6272"/>
  <stop offset=".6" stop-color="#133a4c"/>
    <stop offset="1" stop-color="#0a1f2c"/></linearGradient>
  <linearGradient id="rock" x2="0" y2="1"><stop stop-color="#1c2d37"/><stop offset="1" stop-color="#0d161c"/>
  </linearGradient>
  <linearGradient id="sail" x2="1"><stop stop-color="#cdb487"/><stop offset="1" stop-color="#f5e6c4"/></linearGradient>
  <radialGradient id="glow"><stop stop-color="#ffe9bd" stop-opacity=".5"/>
  <stop offset=".4" stop-color="#ffe9bd" stop-opacity=".13"/>
    <stop offset="1" stop-color="#ffe9bd" stop-opacity="0"/></radialGradient>
  <radialGradient id="lamp"><stop stop-color="#ffb84f" stop-opacity=".8"/>
  <stop offset="1" stop-color="#ff9d2e" stop-opacity="0"/></radialGradient>
  <filter id="rough" x="-5%" y="-5%" width="110%" height="110%">
  <feTurbulence type="fractalNoise" baseFrequency=".03" numOctaves="3" seed="9"/>
    <feDisplacementMap in="SourceGraphic" scale="13"/></filter>`;

const HILLS =
  `<path d="M0 560c90-26 150-20 220-42 40-12 74 2 120 14 60 14 110 22 190 28 120 8 240-18 330-28s180 12 300 24 260-14
    440-20v40H0z"
    fill="#33596a" opacity=".8"/>
  <path d="M780 570c80-8 150-26 230-22s110 12 190 4 150-34 240-24 100 14 160 10v40H780z" fill="#24475a"
    opacity=".85"/>`;

const CLOUDS =
  `<path d="M300 452c60-10 120-8 190-3s150 2 200-4c-50 16-120 20-196 17s-140 2-194-10zM900 410c80-9 170-5 250 0s180 4
    260-5c-60 18-160 23-262
    19s-170 3-248-14zM640 492c40-5 110-5 170-2-40 8-120 10-170 2z" fill="#ffe3b4" opacity=".16"/>`;

const FORTRESS = `<path d="M-60 800c90 20 150 40 210 70s110 60 150 120 30 60 60 80H-60z" fill="#0d161c"/>
  <g filter="url(#rough)"><path d="M-40 900V452c40-18 70-14 110-20 60-8 110-4 150 12 30 12 52 40 66 76 20 50 24 84 60
    112 40 30 92 44 96 72 6 40-60 80-170
    110s-240 60-312 86z" fill="url(#rock)"/>
  <path d="M-40 900V560c60 6 100 40 150 60 70 28 130 40 190 78 50 30 96 30 100 44 4 30-80 56-170 80s-200 50-270 78z"
    fill="#0f191f"/>
  <path d="M60 470c30 40 70 60 90 110M200 470c-6 50 30 80 44 120M120 640c30 30 90 40 130 80" fill="none"
    stroke="#2a404c" stroke-width="3" opacity=".6"/></g>
  <path d="M-10 470V330h14v-14h14v14h14v-14h14v14h14v-14h14v14h14
    V384h60v-12h12v12h12v-12h12v12h12v-12h12v12h10V300h-8v-24h12v12h12v-12h12v12h12v-12h12v24h-8v170l40 40H-10z"
      fill="#1b2b35"/>
  <path d="M244 300v170l40 40h-26L228 470V300z" fill="#2c4350" opacity=".7"/>
  <path d="M222 276v-44" stroke="#1b2b35" stroke-width="4"/>
  <path d="M224 232c16-2 22 8 40 2-4 8-4 12 0 20-18 6-24-4-40-2z" fill="#b23a30"/>
  <g fill="#ffc66b">${lit(34, 372)}${lit(62, 372)}${lit(112, 424)}${lit(150, 424)}${lit(216, 330)}${lit(216, 372)}</g>
  <circle cx="352" cy="676" r="120" fill="url(#lamp)"/><path d="M326 704v-26a26 28 0 0 1 52 0v30z" fill="#ffcf7c"/>
  <path d="M338 707v-24a14 17 0 0 1 28 0v26z" fill="#8a4d18"/>
  <path d="M324 706c20-4 40 0 56 4 18 6 40 12 52 26-30-4-70-4-96-14z" fill="#c79a5d"/>
  <g fill="#120c07">${runner(352, 710, 0.62)}${runner(392, 724, 0.62)}</g>`;

const SHIP = `<circle cx="-46" cy="-4" r="70" fill="url(#lamp)" opacity=".75"/>
  <path d="M-80 34q80 18 168 0-20 26-84 26t-84-26z" fill="#061620" opacity=".5"/>
  <path d="M0 0v-152" stroke="#2a1a0e" stroke-width="5"/>
  <path d="M5-146c56 18 72 62 62 112-20-10-42-14-62-12z" fill="url(#sail)"/>
  <path d="M16-137c30 18 40 52 40 96M8-98c22 3 44 8 60 18" fill="none" stroke="#b99c68" stroke-width="1.6"
    opacity=".7"/>
  <path d="M-5-140c-34 24-50 60-52 94 18-7 36-10 52-10z" fill="#d3bb8d"/>
  <path d="M2-153c14-3 20 6 36 1-8 8-22 9-36 12z" fill="#b5302a"/>
  <path d="M-92 0c60 14 132 14 184-3-6 30-26 44-48 46h-92c-24-3-38-18-44-43z" fill="#4a2b16" stroke="#1e0f06"
    stroke-width="3"/>
  <path d="M-86 14c56 11 122 11 172-2M-76 27c50 9 108 9 154-1" stroke="#2c1708" stroke-width="2.5" fill="none"/>
  <circle cx="-46" cy="-8" r="5" fill="#ffd98e"/>
  <g fill="#1a130d"><path d="M-38 2c0-14 4-20 10-20s10 6 10 20zM24 2c0-14 4-20 10-20s10 6 10 20z"/>
  <circle cx="-28" cy="-23" r="6"/>
  <circle cx="34" cy="-23" r="6"/><path d="M-39-25c4-11 18-11 22 0zM23-25c4-11 18-11 22 0z"/></g>`;

/** The picture as the text of an SVG file, 1600 by 900. */
export function harbour() {
  seed = 7;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="900" viewBox="0 0 1600 900">
  <defs>${GRADIENTS}</defs>
  <rect width="1600" height="572" fill="url(#sky)"/><g fill="#fff4dc">
    ${many(95, star)}
    </g><circle cx="560" cy="470" r="230" fill="url(#glow)"/>
  <circle cx="560" cy="500" r="36" fill="#ffeec9"/>
  ${CLOUDS}${HILLS}<rect y="568" width="1600" height="332" fill="url(#sea)"/>
  <g fill="none" stroke-linecap="round"><g stroke="#cfe6e2">${many(54, wave)}</g><g stroke="#ffe6b8">
    ${many(70, glint)}
    </g></g>
  <g transform="translate(0 312) scale(.62)">${FORTRESS}</g><g transform="translate(640 672)">${SHIP}</g></svg>`;
}
