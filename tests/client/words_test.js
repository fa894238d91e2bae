// What the server tells as codes has words in every language, and a record survives its way through a link.
import { ok, strictEqual as is } from 'node:assert';
import { pack, unpack } from '../../src/escapade/client/replay/record-link.js';

const root = new URL('../../src/escapade/', import.meta.url),
  read = (path) => Deno.readTextFileSync(new URL(path, root));

/** The text of every Python module whose path has a name in it. */
function sources(name, folder = root) {
  return [...Deno.readDirSync(folder)].flatMap((entry) => {
    if (entry.isDirectory) return sources(name, new URL(`${entry.name}/`, folder));
    const path = new URL(entry.name, folder).pathname.slice(root.pathname.length);
    return path.endsWith('.py') && path.includes(name) ? [read(path)] : [];
  });
}

for (const language of ['en', 'fr', 'da', 'de']) {
  const words = Object.assign(
    {},
    ...['', 'replay/'].map((part) => JSON.parse(read(`client/lang/${part}${language}.json`))),
  );

  Deno.test(`every reason for a hint has words (${language})`, () => {
    const codes = [...sources('reasons').join('\n').matchAll(/^ {4}"([a-z-]+)": lambda/gm)].map(([, code]) => code);
    ok(codes.length > 15);
    for (const code of codes) ok(words.hints.reason[code], code);
  });

  Deno.test(`every fault of a record or position that has a code has words (${language})`, () => {
    const files = ['game.py', 'games.py', 'record.py', 'notation.py', 'position.py', 'server/replay.py'];
    const told = files.flatMap((name) => sources(name));
    const codes = [...told.join('\n').matchAll(/\b(?:code=|blaming\()"([a-z-]+)"/g)].map(([, code]) => code);
    ok(codes.length > 25);
    for (const code of codes) ok(words.replay.why[code], code);
  });

  Deno.test(`every refusal has words (${language})`, () => {
    const codes = [...sources('server/').join('\n').matchAll(/Refused\("([a-z-]+)"/g)].map(([, code]) => code);
    for (const code of codes.filter((one) => one !== 'bad-setup')) ok(words.fault[code], code);
  });
}

Deno.test('a record comes out of a link as it went in', async () => {
  const record = '[Game "evades"]\n[Seats "Grâce/Øjvind"]\n\n1. roll:bry=421 b>4\n'.repeat(200);
  const packed = await pack(record);
  ok(/^[A-Za-z0-9_-]+$/.test(packed) && packed.length < record.length / 4);
  is(await unpack(packed), record);
});
