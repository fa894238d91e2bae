// @ts-check
/** Portraits of the bots' levels, 80 by 80. Each has its own outline, so they can be told apart without colour and at
 * small sizes. */
import { raw } from './dom.js';

/** @param {string} skin @param {string} shade */
const face = (skin, shade) =>
  `<path d="M33 52h14v12H33z" fill="${shade}"/>
    <path d="M24 34c0-13 7-20 16-20s16 7 16 20c0 14-7 25-16 25S24 48 24 34z" fill="${skin}"/>
    <path d="M40 38c2 4 3 6 1 8h-4" fill="none" stroke="${shade}" stroke-width="2" stroke-linecap="round"/>`;
/** @param {number} y */
const eyes = (y) => `<g fill="#2a1a10"><circle cx="33" cy="${y}" r="2.1"/><circle cx="47" cy="${y}" r="2.1"/></g>`;

/** @type {Record<string, string>} */
const PORTRAITS = {
  'cabin-boy':
    `<circle cx="40" cy="40" r="40" fill="#7fb2b5"/><path d="M12 80c2-16 14-20 28-20s26 4 28 20z" fill="#e9e0cb"/>
    <path d="M30 60l10 10 10-10" fill="none" stroke="#b4552d" stroke-width="5"/>
    <circle cx="23.5" cy="39" r="4.5" fill="#dfa57c"/><circle cx="56.5" cy="39" r="4.5" fill="#dfa57c"/>
    ${face('#f3c7a0', '#d99c74')}
    <path d="M22 34c-2-14 6-22 18-22s20 8 18 22c-3-2-4-7-5-9-2 4-5 5-8 2-2 4-6 4-9 1-3 4-6 3-8 0-2 2-3 4-6 6z"
      fill="#b8662f"/>
    <path d="M20 24c2-14 12-19 21-18 10 0 17 6 18 18-12-5-27-5-39 0z" fill="#c9483b"/>
    <path d="M19 25c13-6 29-6 42 0l-1 5c-12-6-28-6-40 0z" fill="#a13328"/>
    ${eyes(38)}
    <g fill="#c98a5e"><circle cx="30" cy="44" r="1"/><circle cx="33" cy="46" r="1"/>
    <circle cx="48" cy="44" r="1"/><circle cx="51" cy="46" r="1"/>
    </g><path d="M34 50c4 4 8 4 12 0" fill="none" stroke="#8a3d28" stroke-width="2.4" stroke-linecap="round"/>`,
  deckhand:
    `<circle cx="40" cy="40" r="40" fill="#8aa06a"/><path d="M11 80c2-16 14-20 29-20s27 4 29 20z" fill="#5f4630"/>
    <path d="M28 61l4 19M52 61l-4 19" stroke="#d9c79f" stroke-width="5"/>
    ${face('#e9b98c', '#c58a5d')}
    <path d="M22 36c0-4 1-8 3-11h30c2 3 3 7 3 11-2-3-3-5-4-8H26c-1 3-2 5-4 8z" fill="#d8b14a"/>
    <path d="M22 27c0-14 8-22 18-22s18 8 18 22z" fill="#3f7d5c"/><circle cx="40" cy="5" r="5" fill="#e9e0cb"/>
    <path d="M20 24h40v7H20z" fill="#2c5d43"/>
    ${eyes(38)}<path d="M29 34h7M44 33h7" stroke="#8a6a22" stroke-width="2.2" stroke-linecap="round"/>
    <ellipse cx="40" cy="51" rx="4" ry="3" fill="#7c3526"/>`,
  sailor: `<circle cx="40" cy="40" r="40" fill="#4f86a8"/><path d="M10 80c2-17 14-21 30-21s28 4 30 21z" fill="#f4eee0"/>
    <path d="M15 70h50M12 77h56M22 63h36" stroke="#2b5d86" stroke-width="3.5"/>
    ${face('#c98d63', '#a66c45')}
    <path d="M25 42c2 12 8 18 15 18s13-6 15-18c-3 5-6 6-9 5-4-2-8-2-12 0-3 1-6 0-9-5z" fill="#5a3a22" opacity=".55"/>
    <path d="M22 31c0-15 8-22 18-22s18 7 18 22c-11-6-25-6-36 0z" fill="#2b5d86"/>
    <path d="M22 31c11-6 25-6 36 0l-1-5c-11-5-23-5-34 0z" fill="#1d4467"/>
    <path d="M57 27c6 0 9 3 11 8-4-1-6-1-8 1 2 3 2 6 1 9-3-4-5-10-4-18z" fill="#2b5d86"/><g fill="#fff">
    <circle cx="32" cy="18" r="1.6"/>
    <circle cx="40" cy="15" r="1.6"/><circle cx="48" cy="18" r="1.6"/></g>
    ${eyes(37)}<path d="M29 33h7M44 33h7" stroke="#3b2414" stroke-width="2.2" stroke-linecap="round"/>
    <path d="M35 51h10" stroke="#5b2a1a" stroke-width="2.4" stroke-linecap="round"/>
    <circle cx="24" cy="45" r="2.6" fill="none" stroke="#f0c65a" stroke-width="1.8"/>`,
  gunner: `<circle cx="40" cy="40" r="40" fill="#59616b"/><path d="M8 80c2-18 14-22 32-22s30 4 32 22z" fill="#a13328"/>
    <path d="M26 59l14 21 14-21" fill="#e0b088"/><path d="M14 66l50 14" stroke="#2a2018" stroke-width="6"/>
    <circle cx="23.5" cy="39" r="4.5" fill="#b97a52"/><circle cx="56.5" cy="39" r="4.5" fill="#b97a52"/>
    ${face('#d99f74', '#b0744b')}
    <path d="M23 29c-1-13 7-20 17-20s18 7 17 20c-11-4-23-4-34 0z" fill="#23282e"/>
    <path d="M22 29c12-5 24-5 36 0l-1-5c-11-4-23-4-34 0z" fill="#e2b34d"/>
    ${eyes(38)}<path d="M28 34l8-1M52 34l-8-1" stroke="#2a1a10" stroke-width="2.6" stroke-linecap="round"/>
    <path d="M26 50c4-5 10-6 14-3 4-3 10-2 14 3-4-1-9 1-14 0-5 1-10-1-14 0z" fill="#2a1a10"/>
    <g fill="#3a3a3a" opacity=".5"><circle cx="28" cy="44" r="3"/><circle cx="52" cy="45" r="2.4"/></g>`,
  buccaneer:
    `<circle cx="40" cy="40" r="40" fill="#b98a4a"/><path d="M20 30c-6 14-8 30-4 44h48c4-14 2-30-4-44z" fill="#8e2f1c"/>
    <path d="M12 80c2-16 14-20 28-20s26 4 28 20z" fill="#3c5140"/><path d="M31 60l9 12 9-12z" fill="#f1e6cf"/>
    ${face('#e8b78f', '#c78a61')}
    <path d="M24 38c-3 10-3 18-6 24-2-12-2-24 4-34zM56 38c3 10 3 18 6 24 2-12 2-24-4-34z" fill="#a63c22"/>
    <path d="M8 29c10-7 54-7 64 0-4 4-12 4-16 2-10-3-22-3-32 0-4 2-12 2-16-2z" fill="#2e241c"/>
    <path d="M22 27c1-14 8-20 18-20s17 6 18 20c-11-3-25-3-36 0z" fill="#3b2f25"/>
    <path d="M22 26c11-3 25-3 36 0v-4c-11-3-25-3-36 0z" fill="#c9483b"/>
    <path d="M24 31l32 8" stroke="#1b1410" stroke-width="2"/><path d="M41 34h12c1 6-2 9-6 9s-7-3-6-9z" fill="#1b1410"/>
    <circle cx="33" cy="38" r="2.2" fill="#2a1a10"/>
    <path d="M29 34c2-2 5-2 7 0" fill="none" stroke="#7a2b17" stroke-width="2"/>
    <path d="M35 51c3 2 7 2 11-1" fill="none" stroke="#9b2f2a" stroke-width="2.8" stroke-linecap="round"/>`,
  boatswain:
    `<circle cx="40" cy="40" r="40" fill="#3f6d77"/><path d="M8 80c2-17 14-22 32-22s30 5 32 22z" fill="#28323d"/>
    <path d="M33 58h14l-7 10z" fill="#f1e6cf"/>
    <path d="M40 66c6 3 10 7 9 12" fill="none" stroke="#e2b34d" stroke-width="2"/>
    <circle cx="49" cy="77" r="3" fill="#e2b34d"/>
    ${face('#dba37a', '#b5774e')}
    <path d="M24 36c-1 20 5 31 16 31s17-11 16-31c-2 7-5 10-9 10-4-1-10-1-14 0-4 0-7-3-9-10z" fill="#b5632c"/>
    <path d="M36 53h8" stroke="#6d2c1c" stroke-width="2.6" stroke-linecap="round"/>
    <path d="M21 28c-3-12 6-20 19-20s22 8 19 20z" fill="#28323d"/><path d="M21 28h38l-3 5H24z" fill="#161d24"/>
    <circle cx="40" cy="19" r="3.4" fill="#e2b34d"/>
    ${eyes(39)}`,
  helmsman: `<circle cx="40" cy="40" r="40" fill="#9fb7c4"/>
    <g stroke="#6d4a2a" stroke-width="4" fill="none"><circle cx="40" cy="42" r="34"/><path d="M4 42h12M64 42h12"/></g>
    <path d="M10 80c2-17 14-21 30-21s28 4 30 21z" fill="#d9a927"/>
    <path d="M40 60v20" stroke="#a67c12" stroke-width="2.5"/>
    ${face('#b97f58', '#935d3a')}
    <path d="M14 33c6-4 8-8 9-13C25 9 32 5 40 5s15 4 17 15c1 5 3 9 9 13-16-6-36-6-52 0z" fill="#e6b935"/>
    <path d="M14 33c16-6 36-6 52 0-4 3-8 3-12 1-9-3-19-3-28 0-4 2-8 2-12-1z" fill="#bd9117"/>
    ${eyes(39)}<path d="M34 51c4 2 8 2 12 0" fill="none" stroke="#5b2a1a" stroke-width="2.4" stroke-linecap="round"/>`,
  quartermaster:
    `<circle cx="40" cy="40" r="40" fill="#6b5a86"/><path d="M8 80c2-17 14-22 32-22s30 5 32 22z" fill="#3b2f4d"/>
    <path d="M31 58h18l-3 10-6 4-6-4z" fill="#f6eedd"/>
    <path d="M22 26c-6 4-7 16-3 25 3 0 5-2 6-6zM58 26c6 4 7 16 3 25-3 0-5-2-6-6z" fill="#e9e2d2"/>
    ${face('#f0c8a4', '#cf9a72')}
    <path d="M22 32c0-16 8-23 18-23s18 7 18 23c-5-5-6-9-8-11-6 3-14 3-20 0-2 2-3 6-8 11z" fill="#e9e2d2"/>
    <g fill="none" stroke="#3a2a1a" stroke-width="2"><circle cx="32" cy="38" r="6.5"/><circle cx="48" cy="38" r="6.5"/>
    <path d="M38.5 38h3"/></g>
    ${eyes(38)}<path d="M35 51c3 1 7 1 10-1" fill="none" stroke="#8a3d28" stroke-width="2.4" stroke-linecap="round"/>`,
  mate: `<circle cx="40" cy="40" r="40" fill="#1f5a6b"/><path d="M8 80c2-17 14-22 32-22s30 5 32 22z" fill="#e9e0cb"/>
    <path d="M14 68l14-6M66 68l-14-6" stroke="#e2b34d" stroke-width="5"/>
    <path d="M34 59h12l-6 14z" fill="#1c2b4a"/>
    <path d="M22 32c-3 12-2 22 2 28h6V36zM58 32c3 12 2 22-2 28h-6V36z" fill="#2c1b12"/>
    ${face('#8f5d3d', '#6d4229')}
    <path d="M20 24c2-11 10-16 20-16s18 5 20 16c-12-4-28-4-40 0z" fill="#f4eee0"/>
    <path d="M20 24c12-4 28-4 40 0v5c-12-4-28-4-40 0z" fill="#1c2b4a"/>
    <path d="M24 29c10-3 22-3 32 0-5 5-27 5-32 0z" fill="#0f1830"/><circle cx="40" cy="17" r="3.6" fill="#e2b34d"/>
    ${eyes(39)}<path d="M34 50c4 3 8 3 12 0" fill="none" stroke="#3f1a14" stroke-width="2.6" stroke-linecap="round"/>
    <circle cx="24.5" cy="47" r="2.4" fill="#f0c65a"/><circle cx="55.5" cy="47" r="2.4" fill="#f0c65a"/>`,
  captain: `<circle cx="40" cy="40" r="40" fill="#7c2c34"/><path d="M8 80c2-17 14-22 32-22s30 5 32 22z" fill="#1f3552"/>
    <path d="M22 60l-8 20M58 60l8 20" stroke="#e2b34d" stroke-width="3.5"/>
    <path d="M32 58h16l4 14-12 6-12-6z" fill="#f6eedd"/>
    <path d="M35 60l5 16 5-16" fill="none" stroke="#d8cbb0" stroke-width="2"/>
    <path d="M20 30c-4 12-4 24 0 32 5-2 6-10 6-18zM60 30c4 12 4 24 0 32-5-2-6-10-6-18z" fill="#e4ddd0"/>
    ${face('#9a6a47', '#784c30')}
    <path d="M4 30c4-12 16-8 22-16C30 8 34 5 40 5s10 3 14 9c6 8 18 4 22 16-18-7-54-7-72 0z" fill="#17263b"/>
    <path d="M4 30c18-7 54-7 72 0-4 4-10 4-14 3-14-4-30-4-44 0-4 1-10 1-14-3z" fill="#22385a"/>
    <path d="M4 30c18-7 54-7 72 0" fill="none" stroke="#e2b34d" stroke-width="2.6"/>
    <circle cx="40" cy="15" r="4" fill="#e2b34d"/>
    ${eyes(39)}
    <path d="M28 35c3-2 6-2 8 0M44 35c2-2 5-2 8 0" fill="none" stroke="#e4ddd0" stroke-width="2.6"
      stroke-linecap="round"/>
    <path d="M27 49c5-4 10-4 13-1 3-3 8-3 13 1-4 3-9 4-13 1-4 3-9 2-13-1z" fill="#e4ddd0"/>
    <path d="M37 54h6l-3 9z" fill="#e4ddd0"/>`,
  legend: `<circle cx="40" cy="40" r="40" fill="#10232c"/><circle cx="40" cy="38" r="33" fill="#1f5157"/>
    <circle cx="40" cy="38" r="26" fill="#2f7d7c" opacity=".7"/>
    <path d="M6 80c2-16 14-22 34-22s32 6 34 22z" fill="#0d171c"/>
    <path d="M18 30c-6 18-4 34 2 44h40c6-10 8-26 2-44z" fill="#0d171c"/>${face('#cfe3d6', '#8db8ac')}
    <path d="M23 42c0 16 4 30 17 36 13-6 17-20 17-36-3 4-7 6-10 4-4-2-10-2-14 0-3 2-7 0-10-4z" fill="#131a1e"/>
    <path d="M31 56c-1 6 0 11 2 15M40 58v17M49 56c1 6 0 11-2 15" stroke="#2f464c" stroke-width="2" fill="none"/>
    <path d="M2 27c6-12 18-6 24-14C30 7 34 3 40 3s10 4 14 10c6 8 18 2 24 14-18-5-58-5-76 0z" fill="#0b1216"/>
    <path d="M2 27c18-5 58-5 76 0-4 6-12 6-16 4-14-4-30-4-44 0-4 2-12 2-16-4z" fill="#17242b"/>
    <path d="M56 14c8-8 16-9 20-6-2 6-10 10-18 12z" fill="#bfe9df"/>
    <g fill="#eaf6ee"><circle cx="40" cy="15" r="4.6"/><rect x="37.6" y="18" width="4.8" height="4" rx="1"/></g>
    <circle cx="38.3" cy="15" r="1.2" fill="#0b1216"/><circle cx="41.7" cy="15" r="1.2" fill="#0b1216"/>
    <path d="M28 34l9 3M52 34l-9 3" stroke="#131a1e" stroke-width="2.6" stroke-linecap="round"/>
    <circle cx="33" cy="39" r="3" fill="#ffcf6b"/>
    <circle cx="47" cy="39" r="3" fill="#ffcf6b"/><circle cx="33" cy="39" r="1.2" fill="#5b2a06"/>
    <circle cx="47" cy="39" r="1.2" fill="#5b2a06"/>
    <g fill="#ff9d4a"><circle cx="21" cy="60" r="1.8"/><circle cx="59" cy="57" r="1.8"/>
    <circle cx="24" cy="70" r="1.5"/></g>`,
};

/** For a level without a portrait. */
const NOBODY =
  `<circle cx="40" cy="40" r="40" fill="#5d6b74"/><path d="M10 80c2-17 14-21 30-21s28 4 30 21z" fill="#3c4951"/>
    ${face('#c9b49a', '#a08b72')}
    ${eyes(38)}`;

/** The round portrait of a level. @param {string} level */
export const portrait = (level) =>
  raw(`<svg viewBox="0 0 80 80" aria-hidden="true" class="face">${PORTRAITS[level] ?? NOBODY}
    <circle cx="40" cy="40" r="38.5" fill="none" stroke="#0008" stroke-width="3"/></svg>`);
