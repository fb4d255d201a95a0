import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import type { Clock, Random } from '../platform/clock.ts';
import { limits } from '../platform/limits.ts';
import type { Log } from '../platform/log.ts';
import { nextTry } from '../platform/retry.ts';
import type { DeviceNo, Seq, Store } from '../store/index.ts';
import type { Confirmations } from './confirmations.ts';
import { type HttpCaller, httpCaller, parseJson } from './http-client.ts';
import { httpLogin, pullMessages, resultOf } from './http-transport.ts';
import type { Attempt, Closable } from './kept-connection.ts';
import { outgoing } from './outgoing.ts';
import type { Credentials, Outgoing } from './transport.ts';
import type { Trust } from './trust.ts';

const compress = promisify(zstdCompress);
/** CONTRACT 5: sent when full or after one second. */
const gatherMs = 1000;

/** An open session over which batches go. */
export interface BatchTransport extends Closable {
  post(body: Uint8Array, epoch: string): Promise<BatchAnswer>;
}

export type BatchAnswer =
  | {
      readonly kind: 'acked';
      readonly ackedSeq: number;
      readonly refused: readonly { seq: number; code: number; msg: string }[];
    }
  | { readonly kind: 'again'; readonly why: string };

export async function connectForBatches(
  base: string,
  options: {
    readonly trust: Trust;
    readonly clock: Clock;
    readonly message: (payload: Uint8Array) => Promise<void>;
  },
  credentials: Credentials,
  lost: (why: string) => void,
  signal: AbortSignal,
): Promise<Attempt<BatchTransport>> {
  const caller = httpCaller(base, { trust: options.trust, sockets: 2 });
  const login = await httpLogin(caller, credentials, signal);
  if (login.kind !== 'accepted') {
    caller.close();
    return login;
  }
  const closing = new AbortController();
  const lose = (why: string) => {
    if (closing.signal.aborted) return;
    closing.abort();
    caller.close();
    lost(why);
  };
  const headers = { Authorization: login.authorization };
  void pullMessages(
    caller,
    credentials.clientId,
    headers,
    { message: options.message, lost },
    options.clock,
    closing.signal,
    lose,
  );
  return {
    kind: 'accepted',
    transport: {
      post: (body, epoch) =>
        post(caller, credentials.clientId, { ...headers, 'Batch-Epoch': epoch }, body, closing.signal, lose),
      close() {
        closing.abort();
        caller.close();
      },
    },
  };
}

async function post(
  caller: HttpCaller,
  clientId: string,
  headers: Record<string, string>,
  body: Uint8Array,
  signal: AbortSignal,
  lose: (why: string) => void,
): Promise<BatchAnswer> {
  const answer = await caller.call(`/api/v1.0/batch/${encodeURIComponent(clientId)}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-ndjson', 'Content-Encoding': 'zstd' },
    body,
    signal,
  });
  if (answer.status === 406) {
    lose('the Authorization value has expired (406)');
    return { kind: 'again', why: 'connect again' };
  }
  const result = resultOf(answer, 'device');
  if (result.kind !== 'confirmed')
    return { kind: 'again', why: result.kind === 'again' ? result.why : `${result.code}: ${result.reason}` };
  const data = (parseJson(answer.body).data ?? {}) as { acked_seq?: unknown; refused?: unknown };
  if (!Number.isSafeInteger(data.acked_seq)) return { kind: 'again', why: 'the answer names no acked_seq' };
  const refused = Array.isArray(data.refused) ? (data.refused as { seq: number; code: number; msg: string }[]) : [];
  return { kind: 'acked', ackedSeq: data.acked_seq as number, refused };
}

export interface BatchesOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly confirmations: Confirmations;
  /** Nothing up to there waits. */
  readonly startsAfter: () => Seq;
  readonly onPassed: (deviceNo: DeviceNo, records: number, upTo: Seq) => void;
  /** It is about to go over the wire. */
  readonly onSend: (record: Outgoing) => void;
}

/** Sends everything, in the journal's own order, in batches (CONTRACT 5), and moves each device's cursor by what is acknowledged. */
export class Batches {
  readonly #options: BatchesOptions;
  #transport: BatchTransport | null = null;
  #running = false;
  #wake: (() => void) | null = null;
  readonly #closing = new AbortController();

  constructor(options: BatchesOptions) {
    this.#options = options;
  }

  up(transport: BatchTransport): void {
    this.#transport = transport;
    if (this.#running) this.#wake?.();
    else this.#start();
  }

  close(): void {
    this.#transport = null;
    this.#closing.abort();
    this.#wake?.();
  }

  #start(): void {
    this.#running = true;
    this.#run()
      .catch(error => this.#options.log.error({ error: String(error) }, 'sending batches stopped; it starts again'))
      .finally(() => {
        this.#running = false;
        if (this.#transport) this.#start();
      });
  }

  lost(): void {
    this.#transport = null;
    this.#wake?.();
  }

  committed(): void {
    this.#wake?.();
  }

  async #run(): Promise<void> {
    const { store, random, log, onSend } = this.#options;
    let cursor = this.#options.startsAfter();
    while (this.#transport) {
      if (store.journal.lastSeq <= cursor) {
        await this.#committedOrLost();
        continue;
      }
      if (store.journal.lastSeq - cursor < limits.batchRecordsMax) await this.#pause(gatherMs);
      if (!this.#transport) break;
      const batch = this.#gather(cursor);
      if (batch.records.length === 0) {
        cursor = batch.through;
        // A long way of records that are confirmed already must not hold the doors up.
        await new Promise(resolve => setImmediate(resolve));
        continue;
      }
      const transport = this.#transport;
      if (!transport) break;
      try {
        for (const record of batch.records) onSend(record);
        const answer = await transport.post(await compress(Buffer.from(batch.lines.join('\n'))), store.epoch);
        if (answer.kind === 'acked') {
          await this.#acknowledge(batch.records, answer.ackedSeq, answer.refused);
          cursor = Math.min(batch.through, Math.max(cursor, answer.ackedSeq)) as Seq;
          if (answer.ackedSeq >= batch.records.at(-1)!.seq) cursor = batch.through;
          continue;
        }
        log.warn({ why: answer.why }, 'a batch was not taken; it is sent again');
      } catch (error) {
        log.info({ error: String(error) }, 'a batch did not get through; it is sent again');
      }
      await this.#pause(nextTry(random));
    }
  }

  #pause(ms: number): Promise<void> {
    return this.#options.clock.sleep(ms, this.#closing.signal).catch(() => {});
  }

  #committedOrLost(): Promise<void> {
    return new Promise(resolve => {
      this.#wake = () => {
        this.#wake = null;
        resolve();
      };
    });
  }

  #gather(cursor: Seq): { records: Outgoing[]; lines: string[]; through: Seq } {
    const { store } = this.#options;
    const records: Outgoing[] = [];
    const lines: string[] = [];
    let bytes = 0;
    let through = cursor;
    while (through < store.journal.lastSeq) {
      const read = store.journal.read(through, { bytesMax: limits.batchBytesMax });
      for (const journalRecord of read.records) {
        // A batch names the moment of receipt beside the original text.
        const record = outgoing(journalRecord, 'verbatim');
        const device = store.directory.deviceByNo(record.deviceNo);
        if (record.passOver || !device || record.seq <= device.forwarded[record.channel]) continue;
        const line = lineOf(record, device.deviceId);
        const size = Buffer.byteLength(line) + 1;
        if (records.length === limits.batchRecordsMax || (bytes + size > limits.batchBytesMax && records.length > 0))
          return { records, lines, through: (record.seq - 1) as Seq };
        records.push(record);
        lines.push(line);
        bytes += size;
      }
      through = read.through;
      if (records.length === 0) break;
    }
    return { records, lines, through };
  }

  async #acknowledge(
    records: readonly Outgoing[],
    ackedSeq: number,
    refused: readonly { seq: number; code: number; msg: string }[],
  ): Promise<void> {
    const { store, clock, confirmations, onPassed, log } = this.#options;
    const refusedBySeq = new Map(refused.map(one => [one.seq, one]));
    const upTo = new Map<DeviceNo, { seq: Seq; records: number }>();
    for (const { seq, deviceNo, channel } of records) {
      if (seq > ackedSeq) break;
      upTo.set(deviceNo, { seq, records: (upTo.get(deviceNo)?.records ?? 0) + 1 });
      const refusal = refusedBySeq.get(seq);
      if (!refusal) continue;
      await store.write.park({ seq, deviceNo, channel, at: clock.now(), code: refusal.code, reason: refusal.msg });
      log.warn({ seq, code: refusal.code }, `parked: refused above: ${refusal.msg}`);
    }
    for (const [deviceNo, { seq, records: count }] of upTo) {
      confirmations.add({ deviceNo, channel: null }, seq, { via: 'batch', floorSeq: seq });
      onPassed(deviceNo, count, seq);
    }
    await confirmations.flush();
  }
}

const lineOf = ({ seq, channel, topic, receivedAt, payload }: Outgoing, deviceId: string): string =>
  JSON.stringify({
    seq,
    device_id: deviceId,
    channel,
    topic,
    received_at: receivedAt,
    payload: Buffer.from(payload).toString('utf8'),
  });
