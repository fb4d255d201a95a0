import { isUtf8 } from 'node:buffer';
import { limits } from '../platform/limits.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { zstdCompressed } from '../runtime/zstd.ts';
import type { DirectoryStore, RefusedLine, Store } from '../store/index.ts';
import { codedIn, type Why } from '../words/sentences.ts';
import { boxNo } from './identities.ts';
import { type Outgoing, payloadOf, type Result, type Sending, type Transport } from './transport.ts';

/** CONTRACT 5: sent when full or after one second. */
const gatherMs = 1000;
/** A record may wait for the batch before its own. */
const silentMs = 40_000;

/** Answer of the other side to a batch. */
export type BatchAnswer =
  | {
      readonly kind: 'acked';
      readonly ackedSeq: number;
      readonly refused: readonly RefusedLine[];
    }
  /** As it is it will never be taken. */
  | ({ readonly kind: 'too_large' } & Why)
  | { readonly kind: 'again'; readonly why: string };

interface BatchTransportOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: DirectoryStore & Pick<Store, 'epoch'>;
  /** Never rejects. */
  readonly post: (body: Uint8Array, epoch: string) => Promise<BatchAnswer>;
  /** A log record of the box itself, which is in no journal and so in no batch. Never rejects. */
  readonly postOwn: (record: Outgoing) => Promise<Result>;
  readonly onClose: () => void;
  /** Aborted when the session ends. */
  readonly signal: AbortSignal;
}

interface Line {
  readonly sending: Sending;
  readonly text: string;
  readonly bytes: number;
}

/**
 * Gathers records into batches and posts one at a time (CONTRACT 5). The receiver answers for all
 * of them with the highest `seq` that it has, and lists what it refuses.
 */
export class BatchTransport implements Transport {
  readonly via = 'batch';
  readonly silentMs = silentMs;
  readonly #options: BatchTransportOptions;
  /** Lines without an answer, in the order of sending. */
  #lines: Line[] = [];
  #bytes = 0;
  /** Fewer after a batch that was too large for the other side. */
  #recordsMax: number = limits.batchRecordsMax;
  #running = false;
  #gathering: AbortController | null = null;

  constructor(options: BatchTransportOptions) {
    this.#options = options;
  }

  /** About one batch: while it is posted the next is not read yet. */
  get window(): number {
    return this.#bytes < limits.batchBytesMax ? limits.batchRecordsMax : 0;
  }

  send(sending: Sending): void {
    const { postOwn, signal } = this.#options;
    if (sending.deviceNo === boxNo) {
      void postOwn(sending).then(result => {
        if (!signal.aborted) sending.onAnswer(result);
      });
      return;
    }
    const text = lineOf(sending, this.#options.store.directory.deviceByNo(sending.deviceNo)?.deviceId ?? '');
    const bytes = Buffer.byteLength(text) + 1;
    this.#lines.push({ sending, text, bytes });
    this.#bytes += bytes;
    if (this.#isDue) this.#gathering?.abort();
    if (!this.#running) void this.#run();
  }

  close(): void {
    this.#options.onClose();
  }

  async #run(): Promise<void> {
    const { clock, signal } = this.#options;
    this.#running = true;
    while (this.#lines.length > 0 && !signal.aborted) {
      if (!this.#isDue) {
        this.#gathering = new AbortController();
        await clock.sleep(gatherMs, AbortSignal.any([signal, this.#gathering.signal])).catch(() => {});
        this.#gathering = null;
        if (signal.aborted) break;
      }
      await this.#postOne();
    }
    this.#running = false;
  }

  /** Whether the batch is full, or begins with a record that goes alone. */
  get #isDue(): boolean {
    return (
      this.#lines.length >= this.#recordsMax ||
      this.#bytes >= limits.batchBytesMax ||
      this.#lines[0]?.sending.parkedAt !== null
    );
  }

  async #postOne(): Promise<void> {
    const { post, log, signal } = this.#options;
    const batch = this.#next();
    const body = await zstdCompressed(Buffer.from(batch.map(({ text }) => text).join('\n')));
    const answer = await post(body, this.#epochOf(batch[0]!.sending));
    if (signal.aborted) return;
    if (answer.kind === 'acked') {
      this.#recordsMax = limits.batchRecordsMax;
      this.#acknowledge(batch, answer);
      return;
    }
    log.warn({ why: answer.why }, 'batch_not_accepted');
    if (answer.kind === 'again') this.#giveBack(answer.why);
    else if (batch.length > 1) this.#recordsMax = Math.ceil(batch.length / 2);
    else
      for (const { sending } of this.#take(1))
        sending.onAnswer({ kind: 'refused', code: 413, reason: answer.why, said: codedIn(answer) });
  }

  /** Records of the next batch; one that staff send again goes alone. */
  #next(): readonly Line[] {
    let bytes = 0;
    let count = 0;
    for (const { sending, bytes: more } of this.#lines) {
      const alone = sending.parkedAt !== null;
      if (count > 0 && (count === this.#recordsMax || bytes + more > limits.batchBytesMax || alone)) break;
      bytes += more;
      count++;
      if (alone) break;
    }
    return this.#lines.slice(0, count);
  }

  /**
   * Epoch of a record. One that was refused above lies behind the receiver's cursor of this epoch;
   * sent again it has an epoch of its own: the same one until it is answered, so that it is stored
   * once.
   */
  #epochOf({ seq, parkedAt }: Outgoing): string {
    const { epoch } = this.#options.store;
    return parkedAt === null ? epoch : `${epoch}.${seq}.${parkedAt}`;
  }

  #acknowledge(batch: readonly Line[], { ackedSeq, refused }: Extract<BatchAnswer, { kind: 'acked' }>): void {
    const refusedBySeq = new Map(refused.map(one => [one.seq, one]));
    const acked = batch.filter(({ sending }) => sending.seq <= ackedSeq);
    if (acked.length === 0) {
      this.#giveBack('the answer acknowledges nothing of it');
      return;
    }
    for (const { sending } of this.#take(acked.length)) {
      const refusal = refusedBySeq.get(sending.seq);
      sending.onAnswer(
        refusal
          ? { kind: 'refused', code: refusal.code, reason: refusal.msg, said: refusal.said }
          : { kind: 'confirmed' },
      );
    }
  }

  /** Nothing is taken now: the queue sends all of it again after a while. */
  #giveBack(why: string): void {
    for (const { sending } of this.#take(this.#lines.length)) sending.onAnswer({ kind: 'again', why });
  }

  /** The oldest are answered; answering may send more. */
  #take(count: number): readonly Line[] {
    const taken = this.#lines.splice(0, count);
    for (const { bytes } of taken) this.#bytes -= bytes;
    return taken;
  }
}

function lineOf(record: Outgoing, deviceId: string): string {
  const { seq, channel, topic, receivedAt } = record;
  const bytes = payloadOf(record);
  // Bytes that are not UTF-8 have no place in JSON as they are.
  const payload = isUtf8(bytes)
    ? { payload: Buffer.from(bytes).toString('utf8') }
    : { payload_base64: Buffer.from(bytes).toString('base64') };
  return JSON.stringify({ seq, device_id: deviceId, channel, topic, received_at: receivedAt, ...payload });
}
