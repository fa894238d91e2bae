// @ts-check
/** How far somebody has come in a lesson. */

/** Whether all tasks are done, and the next one that is not: after the present one, or else from the start; the present
 * one where none is left.
 * @param {{ name: string }[]} tasks @param {string[]} done names @param {number} [at] the present one */
export function progress(tasks, done, at = -1) {
  const left = tasks.flatMap(({ name }, n) => (done.includes(name) || n === at ? [] : [n]));
  const all = tasks.every(({ name }) => done.includes(name));
  return { all, next: left.find((n) => n > at) ?? left[0] ?? Math.max(0, at) };
}
