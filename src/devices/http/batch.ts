import { promisify } from 'node:util';
import { gunzip, zstdDecompress } from 'node:zlib';
import type { ActionTable } from '../../platform/actions.ts';
import type { Clock } from '../../platform/clock.ts';
import { type DeviceId, parseDeviceId, productOf } from '../../platform/device-id.ts';
import { encodeEnvelope, parseEnvelope } from '../../platform/envelope.ts';
import { limits } from '../../platform/limits.ts';
import { fitLogRecord } from '../../platform/log-record.ts';
import { parseLogTopic } from '../../platform/log-topic.ts';
import { ok, type Parsed, refuse } from '../../platform/parsed.ts';
import { refusals } from '../../platform/refusals.ts';
import { misfitOf } from '../../platform/reports.ts';
import type { Device, DeviceNo, IncomingRecord, Store } from '../../store/index.ts';

const unpackers = { zstd: promisify(zstdDecompress), gzip: promisify(gunzip) } as const;
/** The bound is before compression: a small bomb stops at it. */
const unpackedBytesMax = limits.batchBytesMax + 64 * 1024;

/** The journal keeps the moment in six bytes: one line that does not fit would fail its whole batch at every attempt. */
const receivedBelow = 2 ** 48;

export class BatchTooLarge extends Error {}
export class BatchUnreadable extends Error {}

interface Line {
  readonly seq: number;
  readonly deviceId: DeviceId;
  readonly channel: 'device' | 'log';
  readonly topic: string;
  readonly receivedAt: number;
  readonly payload: string;
}

export interface RefusedLine {
  readonly seq: number;
  readonly code: number;
  readonly msg: string;
}

/** Unpacks a body. Throws BatchTooLarge, or BatchUnreadable naming the encoding. */
export async function unpackBatch(body: Buffer, encoding: string): Promise<string[]> {
  const name = encoding.trim().toLowerCase();
  let bytes: Buffer = body;
  if (name === 'zstd' || name === 'gzip') {
    try {
      bytes = await unpackers[name](body, { maxOutputLength: unpackedBytesMax });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new BatchTooLarge();
      throw new BatchUnreadable(`the body is no ${name}`);
    }
  } else if (name !== '' && name !== 'identity')
    throw new BatchUnreadable(`Content-Encoding ${name}: send zstd, gzip or none`);
  if (bytes.length > unpackedBytesMax) throw new BatchTooLarge();
  const lines = bytes
    .toString('utf8')
    .split('\n')
    .filter(line => line.trim() !== '');
  if (lines.length > limits.batchRecordsMax) throw new BatchTooLarge();
  return lines;
}

function parseLine(text: string): Parsed<Line> & { seq: number } {
  let line: Record<string, unknown>;
  try {
    line = JSON.parse(text);
  } catch {
    return { ...refuse('malformed', 'not JSON'), seq: 0 };
  }
  const seq = Number.isSafeInteger(line?.seq) ? (line.seq as number) : 0;
  const bad = (detail: string) => ({ ...refuse('bad_data', detail), seq });
  if (seq <= 0) return bad('seq: must be a whole number from 1');
  const id = parseDeviceId(String(line.device_id ?? ''));
  if (!id.ok) return { ...id, seq };
  if (line.channel !== 'device' && line.channel !== 'log') return bad('channel: must be device or log');
  if (typeof line.payload !== 'string') return bad('payload: must be the original text');
  const receivedAt = line.received_at === undefined ? 0 : (line.received_at as number);
  if (!Number.isSafeInteger(receivedAt) || receivedAt < 0 || receivedAt >= receivedBelow)
    return bad('received_at: must be whole milliseconds since 1970');
  const topic = typeof line.topic === 'string' ? line.topic : '';
  return { ...ok({ seq, deviceId: id.value, channel: line.channel, topic, receivedAt, payload: line.payload }), seq };
}

export interface BatchReceiverOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly actions: ActionTable;
  readonly logBytesMax: number;
  readonly messageBytesMax: number;
  /** The device speaks for itself here: its messages and its key are its own affair, whatever a box below still has of it. */
  readonly isHere: (deviceNo: DeviceNo) => boolean;
  readonly livesBehind: (deviceNo: DeviceNo, boxNo: DeviceNo) => void;
  /** An activation of a device behind the box: the data of the answer, or null when it comes from the cloud above. */
  readonly activate: (device: Device, text: string) => Promise<object | null>;
  readonly deliver: (deviceNo: DeviceNo, payload: Uint8Array) => Promise<void>;
}

/**
 * The receiving end of CONTRACT 5's batches: each line as if the device had sent it here, the whole batch and the box's cursor in one transaction.
 * Rates are not counted again (the box below has enforced them); sizes are.
 */
export class BatchReceiver {
  readonly #options: BatchReceiverOptions;

  constructor(options: BatchReceiverOptions) {
    this.#options = options;
  }

  async receive(
    boxNo: DeviceNo,
    epoch: string,
    lines: readonly string[],
  ): Promise<{ acked_seq: number; refused: RefusedLine[] }> {
    const { store, isHere, livesBehind } = this.#options;
    const refused: RefusedLine[] = [];
    const records: { seq: number; record: IncomingRecord }[] = [];
    const activations: { device: Device; text: string; mid: string; action: number | null; seq: number }[] = [];
    const known = await store.read.batchCursor(boxNo, epoch);
    let ackedSeq = known;
    for (const text of lines) {
      const line = parseLine(text);
      if (line.ok && line.seq <= known) continue;
      ackedSeq = Math.max(ackedSeq, line.seq);
      const record = line.ok ? await this.#record(line.value) : line;
      if (!record.ok) {
        const { code, detail } = record.refusal;
        refused.push({
          seq: line.seq,
          code: code === 'foreign_sender' ? 403 : code === 'unknown_product' ? 404 : 400,
          msg: `${detail}${detail ? ': ' : ''}${refusals[code].says}`,
        });
        continue;
      }
      const { record: kept, activation } = record.value;
      records.push({ seq: line.seq, record: kept });
      if (isHere(kept.deviceNo)) continue;
      livesBehind(kept.deviceNo, boxNo);
      if (activation) activations.push({ ...activation, text, seq: line.seq });
    }
    await store.write.receiveBatch({ boxNo, epoch, records, ackedSeq });
    for (const one of activations) await this.#answerActivation(one);
    return { acked_seq: ackedSeq, refused };
  }

  async #record(
    line: Line,
  ): Promise<
    Parsed<{ record: IncomingRecord; activation: { device: Device; mid: string; action: number | null } | null }>
  > {
    const { store, clock, actions, logBytesMax, messageBytesMax } = this.#options;
    if (!store.directory.product(productOf(line.deviceId))) return refuse('unknown_product', productOf(line.deviceId));
    const device =
      store.directory.device(line.deviceId) ??
      (await store.write.registerDevice({ deviceId: line.deviceId, at: clock.now() }));
    if (device.blocked) return refuse('blocked', line.deviceId);
    const payload = Buffer.from(line.payload);
    const receivedAt = line.receivedAt || clock.now();
    const { deviceNo } = device;
    if (line.channel === 'log') {
      const topic = parseLogTopic(line.topic);
      if (!topic) return refuse('unknown_topic', line.topic.slice(0, 80));
      const { bytes, truncated, repaired } = fitLogRecord(payload, logBytesMax);
      const record: IncomingRecord = {
        deviceNo,
        channel: 'log',
        receivedAt,
        logPath: line.topic.slice(4),
        marks: { truncated, repaired },
        payload: bytes,
      };
      return ok({ record, activation: null });
    }
    if (payload.length > messageBytesMax) return refuse('too_large', `${payload.length} bytes`);
    const envelope = parseEnvelope(payload);
    const base = { deviceNo, channel: 'device', receivedAt, logPath: '', payload } as const;
    if (!envelope.ok) {
      const marks = envelope.refusal.code === 'malformed' ? { quarantined: true } : { invalid: true };
      return ok({ record: { ...base, marks }, activation: null });
    }
    const { from, action, data, mid } = envelope.value;
    if (from !== '' && from.toUpperCase() !== line.deviceId) return refuse('foreign_sender', from.slice(0, 80));
    const name = actions.nameOf(action);
    const misfit = misfitOf(name, data) !== null;
    const activation = name === 'activate' ? { device, mid, action } : null;
    return ok({ record: { ...base, marks: misfit ? { invalid: true } : {} }, activation });
  }

  /** The one answer that a box below passes on: it has answered everything else itself. */
  async #answerActivation({
    device,
    text,
    mid,
    action,
  }: {
    device: Device;
    text: string;
    mid: string;
    action: number | null;
  }): Promise<void> {
    const { clock, activate, deliver } = this.#options;
    const data = await activate(device, (JSON.parse(text) as { payload: string }).payload);
    if (!data) return;
    const time = Math.floor(clock.now() / 1000);
    await deliver(device.deviceNo, encodeEnvelope({ mid, from: 'system', to: device.deviceId, time, action, data }));
  }
}
