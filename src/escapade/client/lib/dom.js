// @ts-check
/** Markup that is safe to insert. */
export class Markup {
  /** @param {string} text */
  constructor(text) {
    this.text = text;
  }
  toString() {
    return this.text;
  }
}

/** @type {Record<string, string>} */
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** @param {unknown} value @returns {string} */
function safe(value) {
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(safe).join('');
  if (value === null || value === undefined || value === false || value === true) return '';
  return String(value).replace(/[&<>"']/g, (c) => ENTITIES[c]);
}

/** Markup in which every value is escaped, unless it is markup itself; lists are joined, null and booleans are left
 * out.
 * It is not called `html`, because `deno fmt` would add white space to what is inside.
 * @param {TemplateStringsArray} strings @param {...unknown} values @returns {Markup} */
export const markup = (strings, ...values) => new Markup(String.raw({ raw: strings }, ...values.map(safe)));

/** Trusted text that is markup already, such as our own drawings. @param {string} text */
export const raw = (text) => new Markup(text);

/** Update an element's children to match some markup. Nodes that stay are kept, so focus, listeners and running
 * animations survive. Siblings with `data-key` are matched by it, others by order and tag. The inside of a custom
 * element is left alone.
 * @param {Element} element @param {Markup} wanted */
export function morph(element, wanted) {
  const template = document.createElement('template');
  template.innerHTML = wanted.text;
  sync(element, template.content);
}

/** @param {Node} node */
const keyOf = (node) => (node instanceof Element ? node.getAttribute('data-key') : null);

/** @param {Element} old @param {ParentNode & Node} wanted */
function sync(old, wanted) {
  /** @type {Map<string, Element>} */
  const keyed = new Map();
  for (const child of old.children) {
    const key = keyOf(child);
    if (key !== null) keyed.set(key, child);
  }
  /** @type {ChildNode | null} */
  let at = old.firstChild;
  for (const next of [...wanted.childNodes]) {
    const key = keyOf(next);
    let match = key === null ? at : keyed.get(key) ?? null;
    while (key === null && match && (keyOf(match) !== null || match.nodeName !== next.nodeName)) {
      match = match.nextSibling;
    }
    if (match && match.nodeName === next.nodeName) {
      if (match !== at) old.insertBefore(match, at);
      else at = at?.nextSibling ?? null;
      if (match instanceof Element && next instanceof Element) {
        attributes(match, next);
        if (!match.localName.includes('-')) sync(match, next);
      } else if (match.nodeValue !== next.nodeValue) match.nodeValue = next.nodeValue;
    } else old.insertBefore(next, at);
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

/** @param {Element} old @param {Element} wanted */
function attributes(old, wanted) {
  for (const { name } of [...old.attributes]) {
    if (!wanted.hasAttribute(name) && name !== 'style') old.removeAttribute(name);
  }
  for (const { name, value } of wanted.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  if (old instanceof HTMLInputElement && wanted instanceof HTMLInputElement) {
    old.checked = wanted.checked;
    if (old !== document.activeElement) old.value = wanted.value;
  }
}

/** @type {Map<string, Promise<unknown>>} */
const styles = new Map();

/** Load a style sheet once. Those named in the page's head are there already. @param {string} name */
export async function loadStyle(name) {
  const href = `/client/${name}.css`;
  if (!styles.has(name) && document.querySelector(`link[href="${href}"]`)) return;
  if (!styles.has(name)) {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    styles.set(
      name,
      new Promise((done) => {
        link.onload = link.onerror = done;
      }),
    );
    document.head.append(link);
  }
  await styles.get(name);
}

/** An element that always exists. @param {string} id @returns {any} */
export const byId = (id) => document.getElementById(id);
