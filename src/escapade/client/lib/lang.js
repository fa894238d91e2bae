// @ts-check
import { save, settings } from './settings.js';

/** Language names by code, as the server found them in lang/. @type {Record<string, string>} */
export const LANGUAGES = JSON.parse(document.querySelector('meta[name="languages"]')?.getAttribute('content') || '{}');

/** @type {any} */
let catalog = {};
let plural = new Intl.PluralRules('en');

/** The language to start with: the player's choice, or the first of the browser's languages that we have. */
const preferred = () =>
  settings.language ?? navigator.languages.map((l) => l.slice(0, 2)).find((l) => l in LANGUAGES) ?? 'en';

/** The language in use. */
export let language = 'en';

/** Parts of the catalog that only some pages need, and which they have asked for. @type {Map<string, Promise<void>>} */
const parts = new Map();

/** @param {string} part a folder of lang/, or '' */
const load = async (part) => await (await fetch(`/client/lang/${part && `${part}/`}${language}.json`)).json();

/** Load a part of the catalog too, once; if that fails, it is tried again by whoever asks next. @param {string} part */
export async function alsoSpeak(part) {
  const add = async () => {
    const now = language, texts = await load(part);
    if (now === language) Object.assign(catalog, texts);
  };
  if (!parts.has(part)) parts.set(part, add());
  await parts.get(part)?.catch((fault) => {
    parts.delete(part);
    throw fault;
  });
}

/** Load a language and tell the page, which redraws itself in place. @param {string} [wanted] */
export async function speak(wanted) {
  language = wanted ?? preferred();
  if (wanted) save({ language });
  catalog = Object.assign({}, ...await Promise.all(['', ...parts.keys()].map(load)));
  plural = new Intl.PluralRules(language);
  document.documentElement.lang = language;
  document.dispatchEvent(new CustomEvent('language'));
}

/** A text by its path in the catalog, as in t('table.cards', { n: 3 }). Values replace `{name}`, and a text with CLDR
 * plural categories is chosen by the value `n`.
 * @param {string} path @param {Record<string, unknown>} [values] @returns {string} */
export function t(path, values = {}) {
  let text = path.split('.').reduce((branch, name) => branch?.[name], catalog);
  if (text !== null && typeof text === 'object') text = text[plural.select(Number(values.n))] ?? text.other;
  if (typeof text !== 'string') return path;
  return text.replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ''));
}

/** Whether the catalog has a text. @param {string} path */
export const has = (path) => path.split('.').reduce((branch, name) => branch?.[name], catalog) !== undefined;

/** Joins things for a sentence: `a, b and c`. Before its first list, Intl goes through the lists of all languages, for
 * which a page that is being opened has no time. @param {string[]} things */
export const list = (things) =>
  things.length < 2 ? things.join() : `${things.slice(0, -1).join(', ')} ${t('and')} ${things[things.length - 1]}`;

/** @param {number} share */
export const percent = (share) => new Intl.NumberFormat(language, { style: 'percent' }).format(share);
