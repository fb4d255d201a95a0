import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type DeviceId, parseDeviceId, productOf } from '../../platform/device-id.ts';
import { codeToForward, encodeEnvelope, parseEnvelope, withoutData } from '../../platform/envelope.ts';
import { limits } from '../../platform/limits.ts';
import { fitLogRecord } from '../../platform/log-record.ts';
import { parseLogTopic } from '../../platform/log-topic.ts';
import { isOpenWindow } from '../../platform/open-window.ts';
import { ok, type Parsed, refuse } from '../../platform/parsed.ts';
import { type Refusal, refusals } from '../../platform/refusals.ts';
import { isBiometric, misfitOf } from '../../platform/reports.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { KnownTime } from '../../runtime/known-time.ts';
import { zstdUnpacked } from '../../runtime/zstd.ts';
import {
  type Device,
  type DeviceNo,
  type DirectoryStore,
  type GatewayStore,
  type IncomingRecord,
  keptDaysMax,
  type RefusedLine,
} from '../../store/index.ts';
import { type UnreadRules, unreadStays } from '../unread.ts';

const unzipped = promisify(gunzip);
/** The bound before compression. Unpacking stops there, so a compression bomb does no harm. */
const unpackedBytesMax = limits.batchBytesMax + 64 * 1024;

/** The oldest time of receipt that is accepted: retention removes older logs at once. */
const retentionMs = keptDaysMax.logs * 24 * 3600 * 1000;

/**
 * The journal stores the time in six bytes. A line with a larger value would fail its whole batch
 * at every attempt.
 */
const receivedBelow = 2 ** 48;

export class BatchTooLarge extends Error {}
export class BatchUnreadable extends Error {}

interface Line {
  readonly seq: number;
  readonly deviceId: DeviceId;
  readonly channel: 'device' | 'log';
  readonly topic: string;
  /** Undefined: the box below did not send it. */
  readonly receivedAt: number | undefined;
  readonly payload: Buffer;
}

/** A valid line, whichever box its device belongs to. */
interface Good {
  readonly seq: number;
  readonly deviceId: DeviceId;
  readonly record: Omit<IncomingRecord, 'deviceNo'>;
  readonly activation: { readonly mid: string; readonly action: number | null; readonly to: string } | null;
}

/** Unpacks a body. Throws BatchTooLarge, or BatchUnreadable naming the encoding. */
export async function unpackBatch(body: Buffer, encoding: string): Promise<string[]> {
  const name = encoding.trim().toLowerCase();
  let bytes: Buffer = body;
  if (name === 'zstd' || name === 'gzip') {
    try {
      bytes =
        name === 'zstd'
          ? await zstdUnpacked(body, unpackedBytesMax)
          : await unzipped(body, { maxOutputLength: unpackedBytesMax });
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
  const payload = payloadOf(line);
  if (payload === null) return bad('payload: must be the original text');
  const receivedAt = line.received_at as number | undefined;
  if (receivedAt !== undefined && (!Number.isSafeInteger(receivedAt) || receivedAt < 0 || receivedAt >= receivedBelow))
    return bad('received_at: must be whole milliseconds since 1970');
  const topic = typeof line.topic === 'string' ? line.topic : '';
  return { ...ok({ seq, deviceId: id.value, channel: line.channel, topic, receivedAt, payload }), seq };
}

/** The text; or the bytes in base64, of what is no UTF-8 and so no text. */
function payloadOf({ payload, payload_base64: coded }: Record<string, unknown>): Buffer | null {
  if (typeof payload === 'string') return Buffer.from(payload);
  return typeof coded === 'string' ? Buffer.from(coded, 'base64') : null;
}

interface BatchReceiverOptions extends UnreadRules {
  readonly store: GatewayStore & DirectoryStore;
  readonly clock: Clock;
  readonly time: KnownTime;
  readonly logBytesMax: number;
  readonly messageBytesMax: number;
  /**
   * The device is connected here, so messages and keys for it go to it directly, not to the box
   * below.
   */
  readonly isHere: (deviceNo: DeviceNo) => boolean;
  /**
   * Handles an activation of a device behind the box below. Resolves with the answer's data; null:
   * the cloud answers.
   */
  readonly activate: (device: Device, text: string) => Promise<object | null>;
  readonly deliver: (deviceNo: DeviceNo, payload: Uint8Array) => Promise<void>;
}

/**
 * The receiving end of batches (CONTRACT 5). Treats each line as if the device had sent it here,
 * and commits the batch together with the box's cursor. Sizes are checked; rates are not, since the
 * box below has done so. A line for a device that belongs to another box, or to this one, is
 * refused.
 */
export class BatchReceiver {
  readonly #options: BatchReceiverOptions;

  constructor(options: BatchReceiverOptions) {
    this.#options = options;
  }

  async receive(
    box: Device,
    epoch: string,
    lines: readonly string[],
  ): Promise<{ acked_seq: number; refused: RefusedLine[] }> {
    const { store } = this.#options;
    const refused: RefusedLine[] = [];
    const good: Good[] = [];
    const known = await store.read.batchCursor(box.deviceNo, epoch);
    let ackedSeq = known;
    const repeated = new Set<number>();
    for (const text of lines) {
      const line = parseLine(text);
      if (line.ok && line.seq <= known) {
        repeated.add(line.seq);
        continue;
      }
      ackedSeq = Math.max(ackedSeq, line.seq);
      const read = line.ok ? this.#read(line.value) : line;
      if (read.ok) good.push(read.value);
      else refused.push({ seq: line.seq, ...inWords(read.refusal) });
    }
    await this.#bring(box, good);
    const records: { seq: number; record: IncomingRecord }[] = [];
    const activations: { device: Device; line: Good }[] = [];
    for (const line of good) {
      const device = store.directory.device(line.deviceId)!;
      if (device.blocked) refused.push({ seq: line.seq, ...inWords({ code: 'blocked', detail: line.deviceId }) });
      else if (device.belongsTo !== box.deviceId) refused.push({ seq: line.seq, ...belongsElsewhere(device, box) });
      else {
        const marks = line.activation ? this.#activationMarks(device) : {};
        records.push({
          seq: line.seq,
          record: { ...line.record, deviceNo: device.deviceNo, marks: { ...line.record.marks, ...marks } },
        });
        if (line.activation && !this.#options.isHere(device.deviceNo)) activations.push({ device, line });
      }
    }
    await store.write.receiveBatch({ boxNo: box.deviceNo, epoch, records, refused, ackedSeq });
    for (const { device, line } of activations) await this.#answerActivation(device, line);
    return { acked_seq: ackedSeq, refused: [...(await this.#refusedBefore(box, epoch, repeated)), ...refused] };
  }

  /** The box below sends a line again because it did not hear the answer. */
  async #refusedBefore({ deviceNo }: Device, epoch: string, seqs: ReadonlySet<number>): Promise<RefusedLine[]> {
    if (seqs.size === 0) return [];
    const [from, to] = [Math.min(...seqs), Math.max(...seqs)];
    const refused = await this.#options.store.read.batchRefusals(deviceNo, epoch, from, to);
    return refused.filter(({ seq }) => seqs.has(seq));
  }

  /** Devices that no box has brought before belong to this box below from now on. */
  async #bring(box: Device, lines: readonly Good[]): Promise<void> {
    const { store, clock } = this.#options;
    const deviceIds = [...new Set(lines.map(line => line.deviceId))].filter(
      id => (store.directory.device(id)?.belongsTo ?? null) === null,
    );
    if (deviceIds.length > 0) await store.write.bringDevices({ deviceIds, to: box.deviceId, at: clock.now() });
  }

  #read(line: Line): Parsed<Good> {
    const { store, actions, logBytesMax, messageBytesMax } = this.#options;
    if (!store.directory.product(productOf(line.deviceId))) return refuse('unknown_product', productOf(line.deviceId));
    const { payload } = line;
    const { receivedAt, clamped } = this.#receivedAt(line);
    const { seq, deviceId } = line;
    if (line.channel === 'log') {
      const topic = parseLogTopic(line.topic);
      if (!topic) return refuse('unknown_topic', line.topic.slice(0, 80));
      const { bytes, truncated, repaired } = fitLogRecord(payload, logBytesMax);
      const marks = { truncated, repaired, clamped };
      const record = { channel: 'log', receivedAt, logPath: line.topic.slice(4), marks, payload: bytes } as const;
      return ok({ seq, deviceId, record, activation: null });
    }
    if (payload.length > messageBytesMax) return refuse('too_large', `${payload.length} bytes`);
    const envelope = parseEnvelope(payload);
    const base = { channel: 'device', receivedAt, logPath: '', payload } as const;
    if (!envelope.ok) {
      const isMalformed = envelope.refusal.code === 'malformed';
      const local = isMalformed && unreadStays(this.#options, deviceId, withoutData(payload, envelope.refusal));
      const marks = isMalformed ? { malformed: true, local, clamped } : { invalid: true, clamped };
      return ok({ seq, deviceId, record: { ...base, marks }, activation: null });
    }
    const { from, action, data, mid } = envelope.value;
    if (from !== '' && from.toUpperCase() !== deviceId) return refuse('foreign_sender', from.slice(0, 80));
    const name = actions.nameOf(action);
    const invalid = misfitOf(name, data) !== null;
    const activation = name === 'activate' ? { mid, action, to: from || deviceId } : null;
    const local = this.#options.featuresStay && name === 'feature_report' && isBiometric(data.feature_type);
    const code = codeToForward(envelope.value);
    return ok({ seq, deviceId, record: { ...base, marks: { invalid, clamped, local }, code }, activation });
  }

  /**
   * The clock of a box below may be wrong. A time in the future, or older than retention, is
   * clamped to the nearest valid one (CONTRACT 7).
   */
  #receivedAt({ receivedAt }: Line): { receivedAt: number; clamped: boolean } {
    const { at: now, isKnown } = this.#options.time.received();
    if (receivedAt === undefined) return { receivedAt: now, clamped: !isKnown };
    // The box below may know it.
    if (!isKnown) return { receivedAt, clamped: false };
    const near = Math.min(now, Math.max(now - retentionMs, receivedAt));
    return { receivedAt: near, clamped: near !== receivedAt };
  }

  /**
   * An activation that would void a key in use, or that speaks for a device connected here, is not
   * forwarded: the cloud would make a new key for it.
   */
  #activationMarks(device: Device): { local?: boolean } {
    return this.#keyStands(device) || this.#options.isHere(device.deviceNo) ? { local: true } : {};
  }

  /**
   * Its key is in use here or comes from the site file, and staff do not accept the product key
   * again.
   */
  #keyStands({ keyConfirmedAt, productKeyUntil }: Device): boolean {
    const now = this.#options.clock.now();
    return keyConfirmedAt !== null && !isOpenWindow(productKeyUntil, limits.productKeyWindowMs, now);
  }

  /** The only answer that a box below passes on; it has answered everything else itself. */
  async #answerActivation(device: Device, { record, activation }: Good): Promise<void> {
    const { activate, deliver } = this.#options;
    const { mid, action, to } = activation!;
    const data = this.#keyStands(device)
      ? { code: 409, msg: keyStandsMessage }
      : await activate(device, Buffer.from(record.payload).toString('utf8'));
    if (!data) return;
    const time = this.#options.time.stamp;
    await deliver(device.deviceNo, encodeEnvelope({ mid, from: 'system', to, time, action, data }));
  }
}

const inWords = ({ code, detail }: Refusal): { code: number; msg: string } => ({
  code: code === 'foreign_sender' ? 403 : code === 'unknown_product' ? 404 : 400,
  msg: `${detail}${detail ? ': ' : ''}${refusals[code].message}`,
});

const belongsElsewhere = ({ deviceId, belongsTo }: Device, box: Device): { code: number; msg: string } => ({
  code: 409,
  msg: `${deviceId} belongs to ${belongsTo === 'here' ? 'the box above itself' : `the box ${belongsTo}`}: move it to ${box.deviceId} on its page there, or list it under that box in boxes of the site file`,
});

const keyStandsMessage =
  'the box above holds a key of this device that is in force: accept the product key on the page of the device there, then activate again';
