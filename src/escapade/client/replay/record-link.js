// @ts-check
/** Packs a record into a link: deflated, in URL-safe base64. */

/** @param {string} text */
export async function pack(text) {
  const bytes = await through(new Blob([text]).stream(), new CompressionStream('deflate-raw'));
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** @param {string} packed */
export async function unpack(packed) {
  const bytes = Uint8Array.from(
    atob(packed.replaceAll('-', '+').replaceAll('_', '/')),
    (letter) => letter.charCodeAt(0),
  );
  return new TextDecoder().decode(await through(new Blob([bytes]).stream(), new DecompressionStream('deflate-raw')));
}

/** @param {ReadableStream<Uint8Array<ArrayBuffer>>} stream @param {CompressionStream | DecompressionStream} change */
const through = async (stream, change) => new Uint8Array(await new Response(stream.pipeThrough(change)).arrayBuffer());
