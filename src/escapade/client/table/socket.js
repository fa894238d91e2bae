// @ts-check
/** The connection to the server. It says hello, notices when it is dead, and reconnects by itself. */

const FIRST_WAIT = 400, LONGEST_WAIT = 15_000;
/** How often a silent connection is pinged, and how long an answer may take. */
const QUIET = 15_000, PATIENCE = 6000;

export class Line {
  /** @type {WebSocket | null} */ #socket = null;
  #tries = 0;
  #closed = false;
  #heard = 0;
  /** @type {number | undefined} */ #retry;
  /** @type {number | undefined} */ #doubt;
  #pulse;

  /** @param {{ hello: () => Omit<import('../lib/messages.js').Hello, 'type'>, changed: (up: boolean) => void,
   *   heard: (message: import('../lib/messages.js').ToClient) => void }} page */
  constructor(page) {
    this.page = page;
    this.#pulse = setInterval(() => {
      if (Date.now() - this.#heard > QUIET) this.#try(PATIENCE);
    }, QUIET / 3);
    addEventListener('online', this.#wake);
    addEventListener('offline', this.#wake);
    document.addEventListener('visibilitychange', this.#wake);
    this.#open();
  }

  get up() {
    return this.#socket?.readyState === WebSocket.OPEN;
  }

  /** Send a message if connected. @param {import('../lib/messages.js').FromClient} message */
  send(message) {
    if (this.up) this.#socket?.send(JSON.stringify(message));
    return this.up;
  }

  /** Ask for the whole table again. */
  hello() {
    this.send({ type: 'hello', ...this.page.hello() });
  }

  close() {
    this.#closed = true;
    clearInterval(this.#pulse);
    clearTimeout(this.#retry);
    clearTimeout(this.#doubt);
    removeEventListener('online', this.#wake);
    removeEventListener('offline', this.#wake);
    document.removeEventListener('visibilitychange', this.#wake);
    this.#socket?.close();
  }

  #open() {
    clearTimeout(this.#retry);
    const socket = new WebSocket(`${location.protocol === 'https:' ? 'wss' : 'ws'}://${location.host}/ws`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#heard = Date.now();
      this.hello();
    };
    socket.onmessage = ({ data }) => {
      if (socket !== this.#socket) return;
      this.#heard = Date.now();
      this.#tries = 0;
      clearTimeout(this.#doubt);
      this.#doubt = undefined;
      const message = JSON.parse(data);
      if (message.type === 'table') this.page.changed(true);
      if (message.type !== 'pong') this.page.heard(message);
    };
    socket.onclose = () => {
      if (socket === this.#socket) this.#lost();
    };
  }

  #lost() {
    this.#socket = null;
    clearTimeout(this.#doubt);
    this.#doubt = undefined;
    if (this.#closed) return;
    this.page.changed(false);
    // Jitter, so that clients do not all reconnect at once after a restart of the server.
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.#tries) * (0.5 + Math.random() / 2);
    this.#tries++;
    this.#retry = setTimeout(() => this.#open(), wait);
  }

  /** Ping the server. Without an answer the connection is dropped; the network may take minutes to notice.
   * @param {number} patience */
  #try(patience) {
    if (!this.up || this.#doubt !== undefined) return;
    this.send({ type: 'ping' });
    this.#doubt = setTimeout(() => {
      const dead = this.#socket;
      this.#lost();
      dead?.close();
    }, patience);
  }

  /** The device woke up, or the network came or went. */
  #wake = () => {
    if (document.hidden) return;
    if (this.up) this.#try(PATIENCE / 3);
    else if (!this.#socket) {
      this.#tries = 0;
      this.#open();
    }
  };
}
