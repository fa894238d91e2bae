// @ts-check
/** The little markdown that our rules are written in: headings, paragraphs, lists, tables, positions. */
import { markup, raw } from './dom.js';

/** @typedef {import('./dom.js').Markup} Markup */
/** How a page shows a list's item and a block of code, and where its links lead.
 * @typedef {{ item: (text: string) => Markup, code: (text: string) => Markup, address: (link: string) => string }}
 * Looks */

/** The end of a block that begins at a line: the first line that does not belong to it.
 * @param {string[]} lines @param {number} at @param {RegExp} inside */
function endOf(lines, at, inside) {
  let end = at + 1;
  while (end < lines.length && inside.test(lines[end])) end++;
  return end;
}

/** Words with `code`, **strong**, *stressed* and [links](…). @param {string} text @param {Looks['address']} address */
export function inline(text, address) {
  return text.split(/(`[^`]+`)/).map((part) => {
    if (part.startsWith('`')) return markup`<code>${part.slice(1, -1)}</code>`;
    return raw(
      markup`${part}`.text.replace(/\*\*([^*]+)\*\*/g, '<b>$1</b>').replace(/\*([^*]+)\*/g, '<i>$1</i>')
        .replace(
          /\[([^\]]+)\]\(([^)\s]+)\)/g,
          (_, words, link) => `<a href="${markup`${address(link)}`.text}">${words}</a>`,
        ),
    );
  });
}

/** @param {string} line */
const cells = (line) => line.replace(/^\||\|\s*$/g, '').split('|').map((cell) => cell.trim());

/** @param {string[]} lines @param {Looks} looks */
function table([head, , ...rows], { address }) {
  const row = (/** @type {string} */ line) =>
    markup`<tr>${cells(line).map((c) => markup`<td>${inline(c, address)}</td>`)}</tr>`;
  return markup`<div class="wide" tabindex="0"><table><thead><tr>${
    cells(head).map((cell) => cell ? markup`<th scope="col">${inline(cell, address)}</th>` : markup`<td></td>`)
  }</tr></thead><tbody>${rows.map(row)}</tbody></table></div>`;
}

/** @param {string} text @param {Looks} looks @returns {Markup[]} */
export function blocks(text, looks) {
  const lines = text.split('\n'), made = [];
  for (let at = 0, end = 0; at < lines.length; at = end) {
    const line = lines[at], heading = /^(#+) (.*)/.exec(line);
    end = at + 1;
    if (heading) {
      made.push(
        raw(`<h${heading[1].length}>${markup`${inline(heading[2], looks.address)}`.text}</h${heading[1].length}>`),
      );
    } else if (line.startsWith('```')) {
      end = lines.indexOf('```', at + 1) + 1;
      made.push(looks.code(lines.slice(at + 1, end - 1).join('\n')));
    } else if (line.startsWith('|')) {
      end = endOf(lines, at, /^\|/);
      made.push(table(lines.slice(at, end), looks));
    } else if (line.startsWith('- ')) {
      end = endOf(lines, at, /^ {2}\S/);
      made.push(looks.item(lines.slice(at, end).map((one) => one.slice(2)).join(' ')));
    } else if (line) {
      end = endOf(lines, at, /^(?!#|\||- |```)./);
      made.push(markup`<p>${inline(lines.slice(at, end).join(' '), looks.address)}</p>`);
    }
  }
  return made;
}
