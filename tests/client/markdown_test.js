// The rules are markdown: what of it is understood, and that nothing in it becomes markup by itself.
import { strictEqual as is } from 'node:assert';
import { markup } from '../../src/escapade/client/lib/dom.js';
import { blocks } from '../../src/escapade/client/lib/markdown.js';

const shown = (text) =>
  blocks(text, {
    item: (one) => markup`<li>${one}</li>`,
    code: (one) => markup`<pre>${one}</pre>`,
    address: (link) => `/rules/${link}`,
  }).map((one) => one.text).join('');

Deno.test('headings, paragraphs, items over several lines, and positions', () => {
  is(
    shown('# The rules\n\nOne line\nand another.\n- first\n  goes on\n- second\n```\na b\n```'),
    [
      '<h1>The rules</h1><p>One line and another.</p><li>first goes on</li><li>second</li><pre>a b</pre>',
    ].join(''),
  );
});

Deno.test('words in a line', () => {
  is(shown('**a** *b* `*c*` [d](e)'), '<p><b>a</b> <i>b</i> <code>*c*</code> <a href="/rules/e">d</a></p>');
});

Deno.test('a table has a head, and may have empty cells', () => {
  is(
    shown('| a | |\n|---|---|\n| 1 | `2` |'),
    '<div class="wide" tabindex="0"><table><thead><tr><th scope="col">a</th><td></td></tr></thead><tbody>' +
      '<tr><td>1</td><td><code>2</code></td></tr></tbody></table></div>',
  );
});

Deno.test('markup in a text is shown, not done', () => {
  is(shown('<b onclick="q()">'), '<p>&lt;b onclick=&quot;q()&quot;&gt;</p>');
  is(shown('[a]("onclick="q())'), '<p><a href="/rules/&amp;quot;onclick=&amp;quot;q(">a</a>)</p>');
});
