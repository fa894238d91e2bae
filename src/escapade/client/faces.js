// @ts-check
/** The kinds of games that this client knows. This is the only place that names them: everything else asks here. */
import { loadStyle } from './lib/dom.js';

/** @typedef {import('./lib/dom.js').Markup} Markup */
/** @typedef {import('./lib/messages.js').Move} Move */
/** @typedef {import('./lib/messages.js').Why} Why */
/** @typedef {import('./table/state.js').Step} Step */

/** A game that a face is to show. `rules` has every rule of the edition as it is played here; `shared` is whether
 * several players use this screen.
 * @typedef {{ game: string, kind: string, rules: Record<string, string | number>, printing: string,
 *   seats: { name: string, colour: number, bot: string | null }[], shared?: boolean }} Info */
/** A position and the moves that led to it. `eyes` is the seat whose secrets the view has, or 0; `legal` is what the
 * reader may do; `covered` hides the secrets from whoever else is at the screen; `sealed` are the seats that have bet;
 * `busy` means that nothing can be done for the moment, `offline` that there is no connection, `replayed` that nothing
 * can be done here at all; `last` is what the others did last, until the reader acts.
 * @typedef {{ view: string, moves: Move[], eyes: number, legal: string[], covered: boolean, over: boolean,
 *   sealed: number[], canEnd: boolean, busy: boolean, offline?: boolean, replayed?: boolean, last?: Step[] }} Shown */
/** What a face answers to. It knows a view and the legal actions, and no rules. It sends `act` and `tell` events, and
 * `ending` to ask for the last sheet. That sheet is the shell's; a game that has more to show on it than the order of
 * the players brings a body for it. `deal` is the motion of the first cards; `say` is a move as a sentence, `line` one
 * line of the log; `suspense` is whether a move is told only when it has been shown; `hides` is whether players have
 * secrets from each other, `secrets` what is known of each seat's in a view (with `?` for what is not), `reason` the
 * values of a hint's reason in words, `pips` how many actions are left in a turn. It sends `counted` when what
 * `summary` shows changes during a move.
 * @typedef {HTMLElement & { setup: (info: Info) => void, update: (now: Shown) => void,
 *   animate: (move: Move, before: string, after: string, speed: number) => Promise<void>,
 *   deal?: (speed: number) => Promise<void>,
 *   suggest: (action: string | null, piece?: boolean) => void,
 *   clue?: (action: string, view: string) => { area: string, piece: string }, cancel: () => void,
 *   summary: (seat: number) => Markup,
 *   say: (move: Move, before: string, after: string) => Markup,
 *   line: (move: Move, before: string, after: string) => Markup, sound: (move: Move) => string,
 *   suspense?: (move: Move) => boolean,
 *   reason: (values: Why['values']) => Record<string, unknown>, hides: boolean, secrets: (view: string) => string[],
 *   pips?: (view: string) => { left: number, most: number }, whyNotEnd: () => string,
 *   keys: { key: string, text: string }[],
 *   ending?: { looks: string, body: () => Markup, opened: (sheet: HTMLElement) => void } }} Face */
/** What a kind adds to the setup sheet: fields, and a part that can be folded. `listen` handles the events in that
 * part.
 * @typedef {import('./home/setup.js').Choice} Choice
 * @typedef {{ name: string, label: string, now: string, options: [string, string][] }} Field
 * @typedef {{ fields: (choice: Choice) => Field[], fold: { name: string, now: (choice: Choice) => string,
 *   body: (choice: Choice) => Markup, listen: (sheet: HTMLElement, choice: Choice, update: () => void) => void } }}
 * Setup */
/** What is played, for its rules: `rules` has every rule of the edition, house rules included.
 * @typedef {Pick<Info, 'rules' | 'printing'> & { edition: string }} Played */
/** A step of a lesson by its name in the catalogs: its sentences, and a picture made of the board's own drawings.
 * @typedef {{ name: string, says: string[], picture?: Markup }} LessonStep */
/** How it is played by these rules. @typedef {{ steps: (played: Played) => LessonStep[] }} Lesson */
/** Something to do in a lesson, by its name in the catalogs: a position in which seat 1 is the reader, what the others
 * do first (`given`), and a way to do it. `judge` names what the reader's actions so far have come to: `right`, a slip,
 * or '' while that is open. `plans` are whole turns to compare, which `judge` names; `luck` completes an action with
 * its outcome; `waits` is for what would cover the words before they are read.
 * @typedef {{ name: string, position: string, given?: string[], solution: string[],
 *   judge: (actions: string[], now: { position: string, seat: number, result: string }) => string,
 *   plans?: Record<string, string[]>, luck?: (action: string) => string, waits?: boolean }} Task */
/** `crew` are names for bots. Parts that a game does not have are not offered.
 * @typedef {{ crew: string[], face: () => Promise<{ Face: new () => HTMLElement }>, setup?: () => Promise<Setup>,
 *   lesson?: () => Promise<Lesson>, tasks?: () => Promise<{ TASKS: Task[] }> }} Row */

/** @type {Record<string, Row>} */
const FACES = {
  cartagena: {
    crew: 'Anne, Grace, Calico Jack, Zheng, Mary, Black Bart, Sayyida, Morgan, Jeanne, Störtebeker, Teuta, Olivier'
      .split(', '),
    face: () => styled(import('./cartagena/face.js'), 'cartagena/style'),
    setup: () => styled(import('./cartagena/setup.js'), 'cartagena/setup'),
    lesson: () => styled(import('./cartagena/lesson.js'), 'cartagena/lesson'),
    tasks: () => import('./cartagena/tasks.js'),
  },
  evades: {
    crew: 'Fingers, Cartouche, Molly, Slim, Vidocq, Lefty, La Taupe, Ned, Mandrin, Spoons, Knuckles, Dédé'
      .split(', '),
    face: () => styled(import('./evades/face.js'), 'evades/style'),
    lesson: () => styled(import('./evades/lesson.js'), 'evades/lesson'),
    tasks: () => import('./evades/tasks.js'),
  },
};

/** For kinds that only the server knows: positions and actions as text. @type {Row} */
const PLAIN = {
  crew: ['Ada', 'Bo', 'Cleo', 'Dan', 'Eli', 'Flo', 'Gus'],
  face: () => styled(import('./plain/face.js'), 'plain/style'),
};

/** A module, once its style has loaded too. Modules must not await that themselves: in WebKit, a module with a
 * top-level await counts as ready when it is imported a second time.
 * @template T @param {Promise<T>} module @param {string} style */
async function styled(module, style) {
  const [loaded] = await Promise.all([module, loadStyle(style)]);
  return loaded;
}

/** @param {string} kind */
const rowOf = (kind) => FACES[kind] ?? PLAIN;

/** Load what shows a kind of game. @param {string} kind */
export const loadFace = (kind) => rowOf(kind).face();

/** @param {string} kind @returns {Promise<Face>} */
export async function newFace(kind) {
  const { Face } = await loadFace(kind);
  return /** @type {Face} */ (new Face());
}

/** What a kind adds to the setup sheet, if anything. @param {string} kind */
export const loadSetup = async (kind) => await rowOf(kind).setup?.();

/** Whether a kind has a lesson and its rules written out. @param {string} kind */
export const isTaught = (kind) => rowOf(kind).lesson !== undefined;

/** How a kind is played, if there is a lesson. @param {string} kind */
export const loadLesson = async (kind) => await rowOf(kind).lesson?.();

/** Whether a kind can be learned by doing. @param {string} kind */
export const isPractised = (kind) => rowOf(kind).tasks !== undefined;

/** What there is to do in a kind's lesson. @param {string} kind */
export const loadTasks = async (kind) => (await rowOf(kind).tasks?.())?.TASKS ?? [];

for (const { crew } of [PLAIN, ...Object.values(FACES)]) crew.sort(() => Math.random() - 0.5);

/** Names for a kind's bots, in the same order until the page is loaded again. @param {string} kind */
export const crewOf = (kind) => rowOf(kind).crew;
