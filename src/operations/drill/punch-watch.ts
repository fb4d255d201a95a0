import type { ActionTable } from '../../platform/actions.ts';
import { parseEnvelope } from '../../platform/envelope.ts';
import { misfitOf, parseAccessReport, parseCheckinReport } from '../../platform/reports.ts';
import type { Clock, UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { DeviceNo, Journal, JournalRecord, Seq } from '../../store/index.ts';

/** A punch that was found in the journal. */
export interface FoundPunch {
  readonly deviceNo: DeviceNo;
  readonly seq: Seq;
  /** By the terminal's own clock; null: its data does not fit, and says none. */
  readonly punchedAt: UnixSeconds | null;
  /** Mismatch in words; empty if the punch fits. */
  readonly misfit: string;
  readonly receivedAt: UnixMs;
  /** Its commit returned then; null: that was before this watch. */
  readonly storedAt: UnixMs | null;
}

interface Sent {
  readonly seq: Seq;
  readonly at: UnixMs;
}

/** For one look; the rest is for the next. */
const readBytesMax = 1024 * 1024;
const readsAtOnce = 4;
/** Looks are some hundred milliseconds apart, commits a few hundred a second. */
const commitsMax = 10_000;
/** Of one terminal between its punch and the look that finds it. */
const sendsMax = 8;

/**
 * Follows the journal for the first punch of each of some devices, and notes what the store does
 * not keep: when its commit returned, and when it was sent to the cloud.
 */
export class PunchWatch {
  readonly #journal: Pick<Journal, 'read' | 'lastSeq' | 'onCommitted'>;
  readonly #actions: ActionTable;
  readonly #clock: Clock;
  /** Last record seen; null while it does not watch. */
  #after: Seq | null = null;
  /** In their order. */
  #commits: { readonly through: Seq; readonly at: UnixMs }[] = [];
  /** Of records up to here it was not noted when they were committed. */
  #unnoted = 0;
  readonly #sends = new Map<DeviceNo, Sent[]>();
  #wanted: ReadonlySet<DeviceNo> = new Set();

  constructor(parts: {
    readonly journal: Pick<Journal, 'read' | 'lastSeq' | 'onCommitted'>;
    readonly actions: ActionTable;
    readonly clock: Clock;
  }) {
    this.#journal = parts.journal;
    this.#actions = parts.actions;
    this.#clock = parts.clock;
    this.#journal.onCommitted(through => {
      if (this.#after === null) return;
      if (this.#commits.length >= commitsMax) this.#unnoted = this.#commits.splice(0, commitsMax / 2).at(-1)!.through;
      this.#commits.push({ through, at: this.#clock.now() });
    });
  }

  /** Records after this one count. */
  begin(after: Seq): void {
    this.#after = after;
    this.#unnoted = this.#journal.lastSeq;
  }

  end(): void {
    this.#after = null;
    this.#commits = [];
    this.#sends.clear();
    this.#wanted = new Set();
  }

  /** A record of channel `device` goes up. Called for each, so it does next to nothing. */
  noteSent(deviceNo: DeviceNo, seq: Seq): void {
    if (this.#after === null || !this.#wanted.has(deviceNo)) return;
    const sent = this.#sends.get(deviceNo) ?? [];
    if (sent.length === 0) this.#sends.set(deviceNo, sent);
    if (sent.length >= sendsMax) sent.shift();
    sent.push({ seq, at: this.#clock.now() });
  }

  /** When a record was sent last; null: it was not, or not while this watched. */
  sentAt(deviceNo: DeviceNo, seq: Seq): UnixMs | null {
    return this.#sends.get(deviceNo)?.findLast(one => one.seq === seq)?.at ?? null;
  }

  /** Nothing more is to be known of the sends of a device. */
  forgetSends(deviceNo: DeviceNo): void {
    this.#sends.delete(deviceNo);
  }

  /**
   * The first punch of each awaited device since the last look. Those are asked for with each
   * reading: devices that come during one punch behind it. Sends are noted of the devices in
   * `followed`. Nothing, when the watch has ended meanwhile.
   */
  async look(awaited: () => ReadonlySet<DeviceNo>, followed: ReadonlySet<DeviceNo>): Promise<FoundPunch[]> {
    this.#wanted = followed;
    if (this.#after === null) return [];
    const found = new Map<DeviceNo, FoundPunch>();
    for (let reads = 0; reads < readsAtOnce && this.#after < this.#journal.lastSeq; reads++) {
      const deviceNos = awaited();
      if (deviceNos.size === 0) {
        this.#after = this.#journal.lastSeq;
        break;
      }
      const from: Seq = this.#after;
      const { records, through } = await this.#journal.read(from, {
        bytesMax: readBytesMax,
        deviceNos,
        wanted: (deviceNo, _, channel) => channel === 'device' && deviceNos.has(deviceNo),
      });
      if (this.#after !== from) return [];
      for (const record of records) {
        const punch = this.#punchOf(record);
        const before = found.get(record.deviceNo);
        // A punch that does not fit counts only until one comes that does.
        if (punch && (!before || (before.misfit !== '' && punch.misfit === ''))) found.set(record.deviceNo, punch);
      }
      this.#after = through;
    }
    const done = this.#after;
    const open = this.#commits.findIndex(({ through }) => through > done);
    this.#commits.splice(0, open === -1 ? this.#commits.length : open);
    return [...found.values()];
  }

  #punchOf({ deviceNo, seq, payload, receivedAt }: JournalRecord): FoundPunch | null {
    const envelope = parseEnvelope(payload);
    if (!envelope.ok) return null;
    const { action, data } = envelope.value;
    const name = this.#actions.nameOf(action);
    if (name !== 'checkin_report' && name !== 'access_report') return null;
    const misfit = misfitOf(name, data) ?? '';
    const read = name === 'checkin_report' ? parseCheckinReport(data) : parseAccessReport(data);
    const last = read.ok ? read.value.records.at(-1) : undefined;
    if (misfit === '' && !last) return null;
    return { deviceNo, seq, misfit, receivedAt, punchedAt: last?.checkTime ?? null, storedAt: this.#storedAt(seq) };
  }

  #storedAt(seq: Seq): UnixMs | null {
    if (seq <= this.#unnoted) return null;
    return this.#commits.find(({ through }) => through >= seq)?.at ?? null;
  }
}
