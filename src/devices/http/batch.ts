import { type DeviceId, productOf } from '../../platform/device-id.ts';
import { codeToForward, encodeEnvelope, parseEnvelope, withoutData } from '../../platform/envelope.ts';
import { limits } from '../../platform/limits.ts';
import { fitLogRecord } from '../../platform/log-record.ts';
import { parseLogTopic } from '../../platform/log-topic.ts';
import { isOpenWindow } from '../../platform/open-window.ts';
import { ok, type Parsed, refuse } from '../../platform/parsed.ts';
import type { Refusal } from '../../platform/refusals.ts';
import { isBiometric, misfitOf } from '../../platform/reports.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { KnownTime } from '../../runtime/known-time.ts';
import {
  type Device,
  type DeviceNo,
  type DirectoryStore,
  type GatewayStore,
  type IncomingRecord,
  keptDaysMax,
  type RefusedLine,
} from '../../store/index.ts';
import { recordReasons } from '../../words/records.ts';
import { refusalTexts } from '../../words/refusals.ts';
import { type UnreadRules, unreadStays } from '../unread.ts';
import { type Line, parseLine } from './batch-lines.ts';

/** The oldest time of receipt that is accepted: retention removes older logs at once. */
const retentionMs = keptDaysMax.logs * 24 * 3600 * 1000;

/** A valid line, whichever box its device belongs to. */
interface Good {
  readonly seq: number;
  readonly deviceId: DeviceId;
  readonly record: Omit<IncomingRecord, 'deviceNo'>;
  readonly activation: { readonly mid: string; readonly action: number | null; readonly to: string } | null;
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
    lines: readonly Buffer[],
  ): Promise<{ acked_seq: number; refused: RefusedLine[] }> {
    const { store } = this.#options;
    const refused: RefusedLine[] = [];
    const good: Good[] = [];
    const known = await store.read.batchCursor(box.deviceNo, epoch);
    let ackedSeq = known;
    const repeated = new Set<number>();
    for (const bytes of lines) {
      const line = parseLine(bytes);
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
  msg: `${detail}${detail ? ': ' : ''}${refusalTexts[code].message}`,
});

function belongsElsewhere(
  { deviceId: device, belongsTo }: Device,
  { deviceId: box }: Device,
): Omit<RefusedLine, 'seq'> {
  const { reason, ...said } =
    belongsTo === 'here'
      ? recordReasons.say('belongs_to_box_above', { device, box })
      : recordReasons.say('belongs_to_other_box', { device, owner: String(belongsTo), box });
  return { code: 409, msg: reason, said };
}

const keyStandsMessage =
  'the box above holds a key of this device that is in force: accept the product key on the page of the device there, then activate again';
