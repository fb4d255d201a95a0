import { promisify } from 'node:util';
import { zstdCompress } from 'node:zlib';
import { limits } from '../platform/limits.ts';
import type { Clock, Random } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { nextTry } from '../runtime/retry.ts';
import type { DeviceNo, Seq, Store } from '../store/index.ts';
import type { BatchAnswer, BatchTransport } from './batch-transport.ts';
import type { Confirmations } from './confirmations.ts';
import { outgoing } from './outgoing.ts';
import { recordsToSendAgain } from './send-again.ts';
import type { Leaving } from './staying-features.ts';
import type { Outgoing } from './transport.ts';

const compress = promisify(zstdCompress);
/** CONTRACT 5: sent when full or after one second. */
const gatherMs = 1000;

interface BatchesOptions {
  readonly store: Store;
  readonly leaving: Leaving | null;
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

/**
 * Sends everything, in the journal's own order, in batches (CONTRACT 5), and moves each device's
 * cursor by what is acknowledged.
 */
export class Batches {
  readonly #options: BatchesOptions;
  #transport: BatchTransport | null = null;
  #running = false;
  /** Parked records that a person sends again, and since when they are parked. */
  readonly #again: { readonly record: Outgoing; readonly parkedAt: number }[] = [];
  /** Fewer after a batch that was too large for the other side. */
  #recordsMax: number = limits.batchRecordsMax;
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

  /** Takes up the parked records that staff want sent again. */
  async loadSendAgain(): Promise<void> {
    for await (const again of recordsToSendAgain(this.#options, 'verbatim'))
      if (!this.#again.some(({ record }) => record.seq === again.record.seq)) this.#again.push(again);
    this.#wake?.();
  }

  async #run(): Promise<void> {
    const { store, random, log, onSend } = this.#options;
    let cursor = this.#options.startsAfter();
    while (this.#transport) {
      if (this.#again.length > 0) {
        if (!(await this.#sendFirstAgain(this.#transport))) await this.#pause(nextTry(random));
        continue;
      }
      if (store.journal.lastSeq <= cursor) {
        await this.#wokenUp();
        continue;
      }
      if (store.journal.lastSeq - cursor < limits.batchRecordsMax) await this.#pause(gatherMs);
      if (!this.#transport) break;
      const batch = this.#gather(cursor);
      if (batch.records.length === 0) {
        cursor = batch.through;
        // A long run of records that are already confirmed must not hold up the gateways.
        await new Promise(resolve => setImmediate(resolve));
        continue;
      }
      for (const record of batch.records) onSend(record);
      const answer = await this.#post(this.#transport, batch.lines, store.epoch);
      if (answer.kind === 'acked') {
        this.#recordsMax = limits.batchRecordsMax;
        await this.#acknowledge(batch.records, answer.ackedSeq, answer.refused);
        cursor = Math.min(batch.through, Math.max(cursor, answer.ackedSeq)) as Seq;
        if (answer.ackedSeq >= batch.records.at(-1)!.seq) cursor = batch.through;
        continue;
      }
      log.warn({ why: answer.why }, 'a batch was not taken; it is sent again');
      const [first] = batch.records;
      if (answer.kind === 'too_large' && batch.records.length === 1) {
        await this.#acknowledge([first!], first!.seq, [{ seq: first!.seq, code: 413, msg: answer.why }]);
        cursor = first!.seq;
      } else if (answer.kind === 'too_large') this.#recordsMax = Math.ceil(batch.records.length / 2);
      else await this.#pause(nextTry(random));
    }
  }

  async #post(transport: BatchTransport, lines: readonly string[], epoch: string): Promise<BatchAnswer> {
    try {
      return await transport.post(await compress(Buffer.from(lines.join('\n'))), epoch);
    } catch (error) {
      return { kind: 'again', why: String(error) };
    }
  }

  /**
   * What was refused above stands behind the cursor that is kept there. It goes again as a batch of
   * its own, under an epoch of its own: the same one each time until it is answered, so that it is
   * stored once. False when there was no answer.
   */
  async #sendFirstAgain(transport: BatchTransport): Promise<boolean> {
    const { store, clock, log } = this.#options;
    const { record, parkedAt } = this.#again[0]!;
    const { seq } = record;
    const device = store.directory.deviceByNo(record.deviceNo);
    const answer =
      device && (await this.#post(transport, [lineOf(record, device.deviceId)], `${store.epoch}.${seq}.${parkedAt}`));
    if (answer?.kind === 'again' || (answer?.kind === 'acked' && answer.ackedSeq < seq)) return false;
    this.#again.shift();
    if (!answer) return true;
    const refusal =
      answer.kind === 'acked' ? answer.refused.find(one => one.seq === seq) : { code: 413, msg: answer.why };
    const outcome = refusal ? { code: refusal.code, reason: refusal.msg } : ('confirmed' as const);
    await store.write
      .settleParked({ seq, outcome, at: clock.now() })
      .catch(error =>
        log.warn({ seq, error: String(error) }, 'what became of a parked record could not be written down'),
      );
    return true;
  }

  #pause(ms: number): Promise<void> {
    return this.#options.clock.sleep(ms, this.#closing.signal).catch(() => {});
  }

  #wokenUp(): Promise<void> {
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
        const record = outgoing(journalRecord, this.#options.leaving, 'verbatim');
        const device = store.directory.deviceByNo(record.deviceNo);
        if (!device || record.seq <= device.forwarded[record.channel]) continue;
        if (record.stays) {
          // It has passed once everything before it is confirmed above.
          if (records.length > 0) return { records, lines, through: (record.seq - 1) as Seq };
          const { seq, deviceNo } = record;
          this.#options.confirmations.add({ deviceNo, channel: null }, seq, { via: 'batch', floorSeq: seq });
          this.#options.onPassed(deviceNo, 1, seq);
          continue;
        }
        if (record.passOver) continue;
        const line = lineOf(record, device.deviceId);
        const size = Buffer.byteLength(line) + 1;
        if (records.length === this.#recordsMax || (bytes + size > limits.batchBytesMax && records.length > 0))
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
