// @ts-check
/** What the server and this client send each other. Made by `python -m escapade.server.jsdoc`: do not edit. */
export {};

/** Come to a table: with a key to hold one's seats, without one to watch.
 * @typedef {{
 *   type: 'hello',
 *   table: string,
 *   key?: string | null,
 * }} Hello */

/** Take a free seat. Whoever brings a key of their own can say it again if the line breaks.
 * @typedef {{
 *   type: 'sit',
 *   seat: number,
 *   name: string,
 *   key?: string | null,
 * }} Sit */

/** An action, made on the version of the table that the player saw.
 * @typedef {{
 *   type: 'play',
 *   version: number,
 *   action: string,
 *   final?: boolean,
 * }} Play */

/** Take one's last action back.
 * @typedef {{
 *   type: 'undo',
 *   version: number,
 * }} Undo */

/** Give up a game of two: the other one has won.
 * @typedef {{
 *   type: 'resign',
 *   seat: number,
 * }} Resign */

/** Fill a free seat with a bot, let a bot play for somebody absent, or, with no level, take one's seat back.
 * @typedef {{
 *   type: 'bot',
 *   seat: number,
 *   level?: 'boatswain' | 'buccaneer' | 'cabin-boy' | 'captain' | 'deckhand' | 'gunner' | 'helmsman' | 'legend' |
 *     'mate' | 'quartermaster' | 'sailor' | null,
 * }} SetBot */

/** A line of chat.
 * @typedef {{
 *   type: 'say',
 *   text: string,
 * }} Say */

/** Ask what could be done now.
 * @typedef {{
 *   type: 'hint',
 *   version: number,
 * }} AskHint */

/** Ask for the next game of the same people, in which the next seat begins.
 * @typedef {{
 *   type: 'rematch',
 * }} Again */

/** Is the line alive?
 * @typedef {{
 *   type: 'ping',
 * }} Ping */

/** The whole table: the answer to hello, and sent after changes that have no message of their own.
 * @typedef {{
 *   type: 'table',
 *   table: string,
 *   version: number,
 *   game: string,
 *   kind: string,
 *   rules: Record<string, string | number>,
 *   printing: string,
 *   clock: number | null,
 *   pace: number,
 *   seats: Sitter[],
 *   watchers: number,
 *   host: boolean,
 *   hints: boolean,
 *   state: State | null,
 *   moves: Move[],
 *   chat: Said[],
 *   resigned: number,
 *   rematch: string | null,
 *   commitment: string | null,
 *   chosen: string[],
 *   start: string | null,
 * }} Shown */

/** A seat as everyone sees it, in the order of play.
 * @typedef {{
 *   name: string,
 *   colour: number,
 *   bot: string | null,
 *   free: boolean,
 *   person: boolean,
 *   here: boolean,
 *   yours: boolean,
 *   host: boolean,
 * }} Sitter */

/** The game as the reader may know it now.
 * @typedef {{
 *   view: string,
 *   eyes: number,
 *   seat: number,
 *   turn: number,
 *   legal: string[],
 *   undo: boolean,
 *   grace: number | null,
 *   left: number | null,
 *   sealed: number[],
 *   result: string,
 *   scores: number[] | null,
 * }} State */

/** An action as the reader may know it, with its outcome; what others chose in secret is hidden.
 * @typedef {{
 *   seat: number,
 *   turn: number,
 *   action: string,
 *   late?: boolean,
 * }} Move */

/** A line of chat by a seat.
 * @typedef {{
 *   type: 'said',
 *   seat: number,
 *   text: string,
 * }} Said */

/** Somebody has acted, and it is on disk.
 * @typedef {{
 *   type: 'moved',
 *   version: number,
 *   move: Move,
 *   state: State,
 * }} Moved */

/** The last action has been taken back.
 * @typedef {{
 *   type: 'undone',
 *   version: number,
 *   seat: number,
 *   state: State,
 * }} Undone */

/** Who sits and who is here has changed.
 * @typedef {{
 *   type: 'seats',
 *   seats: Sitter[],
 *   watchers: number,
 * }} Seated */

/** The answer to `sit`: the key that holds the seat from now on.
 * @typedef {{
 *   type: 'held',
 *   seat: number,
 *   key: string,
 * }} Held */

/** What could be done, the best first.
 * @typedef {{
 *   type: 'hints',
 *   version: number,
 *   hints: Advice[],
 * }} Hints */

/** One thing to do, what it may begin, and every seat's winning chance then.
 * @typedef {{
 *   action: string,
 *   line: string[],
 *   chances: number[],
 *   reasons: Why[],
 * }} Advice */

/** A reason for a hint: a code and its values.
 * @typedef {{
 *   code: string,
 *   values: Record<string, any>,
 * }} Why */

/** The next game is at this table; every key holds the same person's seat there.
 * @typedef {{
 *   type: 'rematch',
 *   table: string,
 * }} Next */

/** The line is alive.
 * @typedef {{
 *   type: 'pong',
 * }} Pong */

/** A message was refused and nothing was changed. `about` is its type, `where` the path of a field.
 * @typedef {{
 *   type: 'fault',
 *   code: string,
 *   about?: string | null,
 *   where?: string | null,
 *   version?: number | null,
 *   detail?: string | null,
 * }} Fault */

/** What is played, by whom, and how.
 * @typedef {{
 *   game: string,
 *   seats: Place[],
 *   first?: number | null,
 *   tunnel?: string | null,
 *   start?: string | null,
 *   printing?: 'classic' | 'tilsit',
 *   clock?: number | null,
 *   pace?: number,
 * }} Setup */

/** A seat of a new table: the maker's own, a bot's, or, with neither, free for whoever has the link.
 * @typedef {{
 *   colour: number,
 *   name?: string | null,
 *   mine?: boolean,
 *   bot?: 'boatswain' | 'buccaneer' | 'cabin-boy' | 'captain' | 'deckhand' | 'gunner' | 'helmsman' | 'legend' |
 *     'mate' | 'quartermaster' | 'sailor' | null,
 * }} Place */

/** A new table, and the secret that holds its maker's seats.
 * @typedef {{
 *   table: string,
 *   key: string,
 * }} Made */

/** A table in a list.
 * @typedef {{
 *   table: string,
 *   game: string,
 *   names: string[],
 *   colours: number[],
 *   free: number,
 *   seat: number,
 *   turn: number,
 *   result: string,
 * }} Summary */

/** A game from its start, as far as the reader may know it.
 * @typedef {{
 *   game: string,
 *   kind: string,
 *   rules: Record<string, string | number>,
 *   printing: string,
 *   names: string[],
 *   colours: number[],
 *   start: string,
 *   steps: Step[],
 *   result: string,
 *   scores: number[] | null,
 *   record: string,
 *   proven: boolean,
 *   chosen: string[],
 *   games: number,
 *   resigned?: number,
 * }} Replay */

/** A move of a replay, and the position after it.
 * @typedef {{
 *   seat: number,
 *   turn: number,
 *   action: string,
 *   view: string,
 *   late?: boolean,
 * }} Step */

/** A record to be checked and replayed.
 * @typedef {{
 *   record: string,
 *   number?: number,
 * }} AskReplay */

/** A position to be checked, and actions to be played from it.
 * @typedef {{
 *   position: string,
 *   actions?: string[],
 *   seed?: number | null,
 * }} AskCheck */

/** A link to be drawn as a QR code.
 * @typedef {{
 *   link: string,
 * }} AskPicture */

/** A position that is valid, or what the actions from it led to.
 * @typedef {{
 *   game: string,
 *   kind: string,
 *   rules: Record<string, string | number>,
 *   players: number,
 *   seat: number,
 *   position: string,
 *   playable: boolean,
 *   legal: string[],
 *   result: string,
 *   steps: Step[],
 * }} Checked */

/** The first line of an analysis: whose every turn is, and the chances as they are known at once.
 * @typedef {{
 *   type: 'outline',
 *   turns: number[],
 *   seats: number[],
 *   chances: number[][],
 * }} Outline */

/** A turn of an analysis: what it gave away, what would have been better, and why.
 * @typedef {{
 *   type: 'judged',
 *   index: number,
 *   chances: number[],
 *   lost: number,
 *   mark: string,
 *   at: number,
 *   better: string[],
 *   reasons: Why[],
 *   luck: number[],
 * }} Judgement */

/** The last line of an analysis: a figure for each seat, and where the game turned.
 * @typedef {{
 *   type: 'verdict',
 *   accuracy: (number | null)[],
 *   mistakes: number[],
 *   blunders: number[],
 *   luck: number[],
 *   turning: Turned[],
 * }} Verdict */

/** A turn that changed the chances: by how much, to whose gain, and why.
 * @typedef {{
 *   index: number,
 *   change: number,
 *   gainer: number,
 *   cause: string,
 * }} Turned */

/** A position, and actions of the seat to act, of one turn and with their outcomes, to be judged.
 * @typedef {{
 *   position: string,
 *   actions?: string[],
 * }} AskAdvice */

/** What the seat to act could do, the best first, and what the actions that were asked about would give away.
 * @typedef {{
 *   hints: Advice[],
 *   lost: number | null,
 * }} Advised */

/** All puzzles, and those of today by kind of game.
 * @typedef {{
 *   day: string,
 *   today: Record<string, string>,
 *   puzzles: PuzzleRow[],
 * }} Puzzles */

/** A puzzle to choose.
 * @typedef {{
 *   id: string,
 *   kind: string,
 *   game: string,
 *   rating: number,
 *   tries: number,
 *   themes: string[],
 * }} PuzzleRow */

/** Actions to try in a puzzle; none to see it.
 * @typedef {{
 *   actions?: string[],
 *   give_up?: boolean,
 * }} AskPuzzle */

/** A puzzle as the seat to act sees it, what the actions did, and whether they are it.
 * @typedef {{
 *   id: string,
 *   game: string,
 *   kind: string,
 *   rules: Record<string, string | number>,
 *   players: number,
 *   seat: number,
 *   opening: string,
 *   before: Step[],
 *   start: string,
 *   steps: Step[],
 *   legal: string[],
 *   verdict: 'open' | 'right' | 'wrong',
 *   lost: number | null,
 *   answer: Answered | null,
 * }} Puzzled */

/** The best turn and the next best, the chances after them, and what speaks for the best.
 * @typedef {{
 *   line: string[],
 *   steps: Step[],
 *   chance: number,
 *   other: string[],
 *   less: number,
 *   reasons: Why[],
 *   solved: string[],
 * }} Answered */

/** Whether a puzzle was solved, and the rating of whoever tried it, by Glicko-2.
 * @typedef {{
 *   solved: boolean,
 *   rating?: number,
 *   deviation?: number,
 *   volatility?: number,
 * }} AskRating */

/** The rating after a try, and that of the puzzle.
 * @typedef {{
 *   rating: number,
 *   deviation: number,
 *   volatility: number,
 *   puzzle: number,
 *   tries: number,
 * }} Rated */

/** Whether the server can serve tables, and what of all that it needs is there.
 * @typedef {{
 *   ready: boolean,
 *   checks: Record<string, boolean>,
 * }} Health */

/** A question that was refused: a code, what is wrong with it and where; a common fault of a text as a code too.
 * @typedef {{
 *   code: string,
 *   detail?: string | null,
 *   where?: string | null,
 *   why?: Why | null,
 * }} Refusal */

/** @typedef {Hello | Sit | Play | Undo | Resign | SetBot | Say | AskHint | Again | Ping} FromClient */

/** @typedef {Shown | Moved | Undone | Seated | Held | Said | Hints | Next | Pong | Fault} ToClient */
