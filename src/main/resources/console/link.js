// Asks the API: with the token, and as a stream that comes back by itself.

const TOKEN = 'once.token';
const FIRST_WAIT = 1000;
const LONGEST_WAIT = 30000;
// The server says something every 10 seconds.
const SILENCE = 30000;

export const token = {
  get: () => sessionStorage.getItem(TOKEN) ?? '',
  set: (value) => (value ? sessionStorage.setItem(TOKEN, value) : sessionStorage.removeItem(TOKEN)),
};

/** An answer that is no success. */
export class Refused extends Error {
  constructor(status, detail, retryAfter) {
    super(detail);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

function headers(more = {}) {
  const bearer = token.get();
  return bearer ? { ...more, Authorization: `Bearer ${bearer}` } : more;
}

async function refusal(response) {
  const problem = await response.json().catch(() => ({}));
  const wait = Number(response.headers.get('Retry-After')) || 0;
  return new Refused(response.status, problem.detail ?? problem.title ?? response.statusText, wait * 1000);
}

export async function ask(path, options = {}) {
  const response = await fetch(path, { cache: 'no-store', ...options, headers: headers(options.headers) });
  if (!response.ok) {
    throw await refusal(response);
  }
  return { status: response.status, body: await response.json(), replayed: response.headers.has('Idempotent-Replayed') };
}

export const path = (id) => `/v1/requests/${encodeURIComponent(id)}`;

/** Random enough to name a command; crypto.randomUUID is missing where the page is not served over TLS. */
export function newKey() {
  return `console-${[...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/**
 * All lifecycle events, for ever: goes on behind the last one after every break. EventSource cannot send a token, so the stream is
 * read here.
 *
 * @param hear is given each event
 * @param tell is told whether it is connected
 */
export class Stream {
  constructor(hear, tell) {
    this.hear = hear;
    this.tell = tell;
    this.lastId = '';
    this.wait = FIRST_WAIT;
    this.running = undefined;
  }

  start() {
    if (!this.running) {
      this.running = new AbortController();
      this.run(this.running.signal);
    }
  }

  stop() {
    this.running?.abort();
    this.running = undefined;
  }

  async run(signal) {
    while (!signal.aborted) {
      let wait = this.wait;
      try {
        await this.read(signal);
        wait = this.wait;
      } catch (failed) {
        if (failed instanceof Refused) {
          wait = Math.max(wait, failed.retryAfter);
          // The events this one names may belong to topics that were made anew.
          this.lastId = failed.status === 400 ? '' : this.lastId;
        }
      }
      if (signal.aborted) {
        return;
      }
      this.tell(false);
      await new Promise((resume) => {
        const timer = setTimeout(resume, wait * (0.75 + Math.random() / 2));
        signal.addEventListener('abort', () => { clearTimeout(timer); resume(); }, { once: true });
      });
      this.wait = Math.min(LONGEST_WAIT, this.wait * 2);
    }
  }

  async read(signal) {
    const response = await fetch('/v1/stream', {
      cache: 'no-store', signal, headers: headers(this.lastId ? { 'Last-Event-ID': this.lastId } : {}),
    });
    if (!response.ok) {
      throw await refusal(response);
    }
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let kept = '';
    for (;;) {
      const silent = setTimeout(() => reader.cancel(), SILENCE);
      const { value, done } = await reader.read().finally(() => clearTimeout(silent));
      if (done) {
        return;
      }
      // Connected is what has sent something.
      this.tell(true);
      this.wait = FIRST_WAIT;
      const messages = (kept + value).split('\n\n');
      kept = messages.pop();
      messages.forEach((message) => this.message(message));
    }
  }

  message(text) {
    const data = [];
    for (const line of text.split('\n')) {
      if (line.startsWith('id: ')) {
        this.lastId = line.slice(4);
      } else if (line.startsWith('data: ')) {
        data.push(line.slice(6));
      }
    }
    if (data.length) {
      this.hear(JSON.parse(data.join('\n')));
    }
  }
}
