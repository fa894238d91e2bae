// @ts-check
/** Questions to the server about records and positions, and its refusals in words. */
import { has, t } from '../lib/lang.js';

/** A refusal in words: the common ones have their own, the rest come in the server's English.
 * @param {import('../lib/messages.js').Refusal} refusal */
export function refusal({ code, detail, why }) {
  if (why && has(`replay.why.${why.code}`)) return t(`replay.why.${why.code}`, why.values);
  if (has(`fault.${code}`)) return t(`fault.${code}`);
  return detail ? t('replay.why.other', { detail }) : t('replay.refused');
}

/** Ask the server. A refusal comes back as `fault`, and so does a line that is broken.
 * @param {string} path @param {object} question */
export async function ask(path, question) {
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(question),
    });
    const body = await answer.json();
    return answer.ok ? body : { fault: body };
  } catch {
    return { fault: { code: 'busy' } };
  }
}
