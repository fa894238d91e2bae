// @ts-check
/** A finished game inside another site's page: the board, steps, and a link to the whole page. Nothing is kept. */
import { markup, morph } from '../lib/dom.js';
import { alsoSpeak, t } from '../lib/lang.js';
import { distinct, turnHere } from './page.js';
import { Stepper } from './stepper.js';

/** @param {HTMLElement} root @param {string[]} rest */
export function open(root, [id]) {
  /** @type {Stepper | null} */
  let stepper = null;
  let gone = false;
  const begin = async () => {
    const [answer] = await Promise.all([
      fetch(`/api/tables/${id}/replay`).catch(() => null),
      alsoSpeak('replay'),
      alsoSpeak('share'),
    ]);
    const replay = answer?.ok ? await answer.json() : null;
    if (gone) return;
    if (!replay || replay.result === '*') {
      return morph(root, markup`<main class="bring"><p>${t('share.gone')}</p></main>`);
    }
    stepper = new Stepper(root, { ...replay, names: distinct(replay.names) }, {
      number: 1,
      turn: turnHere(),
      link: '',
      whole: `/replay/${id}`,
    });
  };
  begin();
  return () => {
    gone = true;
    stepper?.leave();
  };
}
