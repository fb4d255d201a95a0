import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';

interface Call {
  readonly id: string;
  readonly isSigned: boolean;
  readonly body: {
    readonly type: string;
    readonly data: {
      readonly kind: string;
      readonly events?: readonly { readonly seq: number; readonly name?: string }[];
    };
  };
  readonly bytes: number;
}

/**
 * A receiver that verifies as Standard Webhooks says, passes over what it has, as docs/events.md
 * says, and answers what a test wants.
 */
export class WebhookReceiver implements AsyncDisposable {
  readonly calls: Call[] = [];
  /** The `seq` of its events, in the order in which they came first. */
  readonly taken: number[] = [];
  status = 200;
  /** Secret that signs the calls; empty: not known yet. */
  secret = '';
  /** The answer to a call waits for it. */
  answers: Promise<void> = Promise.resolve();
  readonly #has = new Set<string>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      const text = Buffer.concat(chunks).toString('utf8');
      const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = request.headers;
      const key = Buffer.from(this.secret.slice('whsec_'.length), 'base64');
      const signed = `v1,${createHmac('sha256', key).update(`${id}.${at}.${text}`).digest('base64')}`;
      const isFresh = Math.abs(Date.now() / 1000 - Number(at)) < 300;
      const body = JSON.parse(text);
      this.calls.push({ id: String(id), isSigned: signed === signature && isFresh, body, bytes: text.length });
      await this.answers;
      if (this.status === 200 && body.data.events) this.#take(body);
      response.writeHead(this.status).end(this.status === 200 ? 'thanks' : 'no');
    });
  }

  async listen(port = 0): Promise<string> {
    this.#server.listen(port, '127.0.0.1');
    await once(this.#server, 'listening');
    return this.address();
  }

  address(): string {
    const { port } = this.#server.address() as { port: number };
    return `http://127.0.0.1:${port}/hook`;
  }

  #take({ data: { kind, events = [] } }: Call['body']): void {
    for (const { seq } of events) {
      if (this.#has.has(`${kind} ${seq}`)) continue;
      this.#has.add(`${kind} ${seq}`);
      this.taken.push(seq);
    }
  }

  /** How often each event has come. */
  get counts(): Record<number, number> {
    const counts: Record<number, number> = {};
    for (const { body } of this.calls)
      for (const { seq } of body.data.events ?? []) counts[seq] = (counts[seq] ?? 0) + 1;
    return counts;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#server.listening) await this.close();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
