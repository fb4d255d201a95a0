import { Agent } from 'node:https';
import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { call, credentials, type TerminalIdentity } from './terminal.ts';

const compress = promisify(zstdCompress);
/** However often it has to be sent again. */
const answeredWithinMs = 300_000;

/** A record of a terminal, as it stands in a batch. */
export interface BatchLine {
  readonly device_id: string;
  readonly channel: 'device' | 'log';
  readonly topic: string;
  readonly received_at: number;
  readonly payload: string;
}

/**
 * A box below as the box above sees it (CONTRACT 5): it logs in, sends its lines in batches over
 * one kept connection, one batch at a time, and sends again what was not acknowledged. Hundreds of
 * them fit into one process, where programs would not.
 */
export class LightBox {
  readonly identity: TerminalIdentity;
  readonly lines: BatchLine[] = [];
  /** How often it had to log in, and how many posts failed. */
  readonly counted = { logins: 0, failed: 0 };
  acked = 0;
  pulls = 0;
  readonly #base: string;
  readonly #agent: Agent;
  readonly #epoch: string;
  #authorization: string | null = null;

  constructor(identity: TerminalIdentity, base: string, ca: string) {
    this.identity = identity;
    this.#base = base;
    this.#epoch = `epoch-of-${identity.deviceId}`;
    this.#agent = new Agent({ keepAlive: true, maxSockets: 1, ca });
  }

  /**
   * Sends the oldest lines that are not acknowledged, at most `max`; tries until they are. So many
   * lines before them come along, as after an answer that was lost.
   */
  async send(max: number, repeated = 0): Promise<void> {
    const through = Math.min(this.lines.length, this.acked + max);
    const first = Math.max(0, this.acked - repeated) + 1;
    const batch = this.lines.slice(first - 1, through).map((line, index) => ({ seq: first + index, ...line }));
    const body = await compress(Buffer.from(batch.map(line => JSON.stringify(line)).join('\n')));
    const end = performance.now() + answeredWithinMs;
    while (!(await this.#posted(body, through)))
      if (performance.now() > end) throw new Error(`${this.identity.deviceId}: line ${through} was never acknowledged`);
  }

  async #posted(body: Buffer, through: number): Promise<boolean> {
    try {
      if (this.#authorization === null && !(await this.#login())) return await pause();
      const { deviceId } = this.identity;
      const answer = await call(`${this.#base}/api/v1.0/batch/${deviceId}`, {
        method: 'POST',
        headers: {
          Authorization: this.#authorization!,
          'Batch-Epoch': this.#epoch,
          'Batch-Instance': 'only',
          'Batch-Instance-Before': '',
          'Content-Type': 'application/x-ndjson',
          'Content-Encoding': 'zstd',
        },
        ...{ body, agent: this.#agent, timeoutMs: 20_000 },
      });
      // Of another process: it knows nothing of the login at the one before.
      if (answer.status === 406) this.#authorization = null;
      if (answer.status !== 200) return await pause();
      const { code, data } = JSON.parse(answer.body) as Answer;
      if (code !== 0 || data.acked_seq !== through || data.refused.length > 0) throw new Error(answer.body);
      this.acked = through;
      return true;
    } catch (error) {
      if (!(error as NodeJS.ErrnoException).code && !/no answer/.test(String(error))) throw error;
      this.#authorization = null;
      this.counted.failed++;
      return await pause();
    }
  }

  /** Asks whether a message waits for one of its devices. Throws on any other answer than that. */
  async pull(): Promise<void> {
    const { status, body } = await call(`${this.#base}/api/pull/${this.identity.deviceId}?batchSize=100`, {
      headers: { Authorization: this.#authorization! },
      ...{ agent: this.#agent, timeoutMs: 20_000 },
    });
    if (status !== 200) throw new Error(`a pull was answered ${status} ${body}`);
    this.pulls++;
  }

  async #login(): Promise<boolean> {
    const { clientId, username, password } = credentials(this.identity);
    const answer = await call(`${this.#base}/api/connect/${clientId}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ clientId, userName: username, password, keepAliveTime: 60 }),
      ...{ agent: this.#agent, timeoutMs: 20_000 },
    });
    this.counted.logins++;
    this.#authorization = answer.status === 200 ? String(answer.headers.authorization) : null;
    return this.#authorization !== null;
  }

  end(): void {
    this.#agent.destroy();
  }
}

interface Answer {
  readonly code: number;
  readonly data: { readonly acked_seq: number; readonly refused: readonly unknown[] };
}

/** Before it tries again: the fleet must not fall upon a process that has just started. */
const pause = () => new Promise<false>(resolve => setTimeout(resolve, 200 + Math.random() * 400, false));
