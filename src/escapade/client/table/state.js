// @ts-check
/** How the server's messages change what the page knows. Pure: no DOM, no network; the caller passes the time. */

/** @typedef {import('../lib/messages.js').Move} Move */
/** @typedef {import('../lib/messages.js').State} State */
/** @typedef {Omit<import('../lib/messages.js').Shown, 'type' | 'moves'> & { moves: Move[] }} Table */
/** @typedef {Omit<import('../lib/messages.js').Fault, 'type'>} Fault */

/** What the page knows. `views[n]` is the position after n moves, '' where these eyes have not been sent it; `at` is
 * when the state came; `pending` is an action that was sent and not answered yet; `advice` is null until hints come.
 * @typedef {{ table: Table | null, views: string[], at: number,
 *   pending: { version: number, seat: number, action: string } | null, asking: boolean,
 *   advice: import('../lib/messages.js').Advice[] | null, fault: Fault | null }} Known */
/** What changes it: messages of the server, and from the page itself what was sent, what was asked, and the positions
 * in a replay of the game so far.
 * @typedef {import('../lib/messages.js').ToClient | { type: 'sent', seat: number, action: string } | { type: 'asked' }
 *   | { type: 'unasked' } | { type: 'past' } & Pick<import('../lib/messages.js').Replay, 'start' | 'steps'>} Message */

/** @type {Known} */
export const NOTHING = { table: null, views: [], at: 0, pending: null, asking: false, advice: null, fault: null };

/** @type {{ [Type in Message['type']]?: (known: Known, message: Extract<Message, { type: Type }>, now: number) => Known
 *   }} */
const CHANGES = {
  table(known, { type: _, ...table }, now) {
    const pending = known.pending?.version === table.version ? known.pending : null;
    return { ...known, table, views: viewsOf(known, table), at: now, pending, asking: false, advice: null };
  },
  moved(known, { version, move, state }, now) {
    const table = newer(known, version);
    if (!table) return known;
    const pending = known.pending?.seat === move.seat ? null : known.pending,
      views = sameEyes(table, state) ? known.views : known.views.map(() => '');
    return {
      ...known,
      table: {
        ...table,
        version,
        state,
        moves: [...table.moves, move],
      },
      views: [...views, state.view],
      at: now,
      pending,
      asking: false,
      advice: null,
    };
  },
  undone(known, { version, seat, state }, now) {
    const table = newer(known, version), gone = table?.moves.findLastIndex((move) => move.seat === seat) ?? -1;
    if (!table || gone < 0) return known;
    const moves = table.moves.toSpliced(gone, 1);
    const views = moves.map((_, n) => (n <= gone && sameEyes(table, state) ? known.views[n] : ''));
    return {
      ...known,
      table: { ...table, version, state, moves },
      views: [...views, state.view],
      at: now,
      asking: false,
      advice: null,
    };
  },
  seats: (known, { seats, watchers }) => withTable(known, { seats, watchers }),
  said: (known, { type, seat, text }) => withTable(known, { chat: [...known.table?.chat ?? [], { type, seat, text }] }),
  rematch: (known, { table }) => withTable(known, { rematch: table }),
  hints: (
    known,
    { version, hints },
  ) => (version === known.table?.version ? { ...known, asking: false, advice: hints } : known),
  fault: (known, { type: _, ...fault }) => ({
    ...known,
    fault,
    pending: fault.about === 'play' ? null : known.pending,
    asking: fault.about === 'hint' ? false : known.asking,
  }),
  sent: (known, { action, seat }) => ({
    ...known,
    fault: null,
    pending: { version: known.table?.version ?? 0, seat, action },
  }),
  asked: (known) => ({ ...known, fault: null, asking: true }),
  unasked: (known) => ({ ...known, asking: false, advice: null }),
  past(known, { start, steps }) {
    const table = known.table, same = table ? alike(table.moves, steps) : 0;
    if (!table || same < table.moves.length) return known;
    const moves = table.moves.map((
      move,
      n,
    ) => (known.views[n] && known.views[n + 1] ? move : { ...move, action: steps[n].action }));
    return {
      ...known,
      table: { ...table, moves },
      views: known.views.map((view, n) => view || (n ? steps[n - 1].view : start)),
    };
  },
};

/** @param {Known} known @param {Message} message @param {number} now @returns {Known} */
export function reduce(known, message, now) {
  const change =
    /** @type {((known: Known, message: Message, now: number) => Known) | undefined} */ (CHANGES[message.type]);
  return change?.(known, message, now) ?? known;
}

/** Seconds that messages may take longer or shorter. */

/** Whether something that was sent was neither done nor is still to be done.
 * @param {Known} before @param {Known} now */
export function wasDropped({ pending, table: old }, { pending: still, table }) {
  if (!pending || still || !old || !table) return false;
  return !table.moves.slice(old.moves.length).some(({ seat, action }) =>
    seat === pending.seat && bare(action) === bare(pending.action)
  );
}

/** The table, if a message with this version is newer. @param {Known} known @param {number} version */
const newer = ({ table }, version) => (table && version > table.version ? table : null);

/** Whether the view is for the same seat as before. What one player at a device may see is not kept for the next.
 * @param {Table} table @param {State} state */
const sameEyes = (table, state) => table.state?.eyes === state.eyes;

/** @param {Known} known @param {Partial<Table>} change @returns {Known} */
const withTable = (known, change) => (known.table ? { ...known, table: { ...known.table, ...change } } : known);

/** An action without its outcome or secret, which not everyone is sent. @param {string} action */
const bare = (action) => action.replace(/^bet:.*|[+~=].*$/, (cut) => (cut.startsWith('bet') ? 'bet' : ''));

/** How many moves two games have in common from the start. @param {Move[]} one @param {Move[]} other */
function alike(one, other) {
  const differs = one.findIndex((move, n) =>
    move.seat !== other[n]?.seat || bare(move.action) !== bare(other[n].action)
  );
  return differs < 0 ? one.length : differs;
}

/** The views for a table that was sent whole: the last one, and those known from before.
 * @param {Known} known @param {Table} table */
function viewsOf(known, table) {
  if (!table.state) return [];
  const before = known.table?.table === table.table && sameEyes(known.table, table.state) ? known.table : null;
  const same = before ? alike(table.moves, before.moves) : -1;
  return [...table.moves.map((_, n) => (n <= same ? known.views[n] ?? '' : '')), table.state.view];
}

/** A move with the positions before and after it, and the number of moves before it.
 * @typedef {{ n: number, move: Move, before: string, after: string }} Step */

/** The moves whose positions are known, in order. @param {Known} known @returns {Step[]} */
export function steps({ table, views }) {
  return (table?.moves ?? []).map((move, n) => ({ n, move, before: views[n], after: views[n + 1] })).filter((
    { before, after },
  ) => before && after);
}

/** What the others did last, as long as the reader has not acted since. @param {Known} known */
export function fresh(known) {
  const turns = lastTurns(known), all = known.table?.moves ?? [];
  return turns[turns.length - 1]?.n === all.length - 1 ? turns : [];
}

/** What the others did since the reader's last move; the last turn for readers who have not moved. Where several play
 * at one device, the others are all but the player who is looking. @param {Known} known */
export function lastTurns(known) {
  const all = steps(known),
    seats = own(known),
    mine = seats.length > 1 ? seats.filter((seat) => seat === known.table?.state?.eyes) : seats;
  const last = all.findLastIndex(({ move }) => !mine.includes(move.seat));
  if (last < 0) return [];
  const turn = all[last].move.turn;
  const other = all.findLastIndex(({ move }, n) =>
    n < last && (mine.length ? mine.includes(move.seat) : move.turn !== turn)
  );
  return all.slice(other + 1, last + 1);
}

/** The reader's seats, counted from 1. @param {Known} known */
export const own = ({ table }) => (table?.seats ?? []).flatMap(({ yours }, n) => (yours ? [n + 1] : []));

/** The seat that acts for the reader now, or 0. @param {Known} known */
export function acting(known) {
  const state = known.table?.state;
  if (!state?.legal.length) return 0;
  return state.eyes || state.seat;
}

/** Whether only bots play. @param {Table} table */
export const watched = ({ seats }) => seats.every(({ bot, person }) => bot && !person);

/** The winning seats. @param {string} result */
export const winners = (result) => result.split('/').map(Number).filter(Boolean);
