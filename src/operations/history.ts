import { BackgroundJob } from '../runtime/background-job.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { packWaits, waitBuckets } from '../runtime/wait-times.ts';
import type { DeviceNo, HealthStore, HistoryWrites, JournalStore, Lease, WritePart } from '../store/index.ts';

const lookMs = 10_000;
const minuteMs = 60_000;

interface HistoryParts {
  readonly store: WritePart<HistoryWrites> & JournalStore & HealthStore & { readonly once: Lease };
  readonly clock: Clock;
  readonly log: Log;
  /** State of the uplink; null if the box stands alone. */
  readonly uplink: () => Promise<{ readonly isUp: boolean; readonly waiting: number } | null>;
  readonly onlineDevices: () => Iterable<DeviceNo>;
  /** In tenths of a degree Celsius. */
  readonly temperature: () => Promise<number | null>;
}

/** Figures of the current minute. */
interface Seen {
  readonly minute: number;
  looks: number;
  looksUp: number;
  waiting: number | null;
  online: Uint8Array;
}

/**
 * Looks at the box every 10 seconds and keeps each minute in the store: one small write a minute.
 * While the store takes no writes the minutes are lost, and show as a gap. In a region one process
 * keeps it.
 */
export const keepHistory = (parts: HistoryParts): AsyncDisposable => {
  const history = new History(parts);
  parts.store.once.onChange(isMine => isMine && history.begin());
  return new BackgroundJob({
    clock: parts.clock,
    lease: parts.store.once,
    everyMs: lookMs,
    retryMs: () => minuteMs,
    firstAfterMs: lookMs,
    run: () => history.look(),
    onFailed: error => parts.log.warn({ error: (error as Error).message }, 'history_not_stored'),
  });
};

class History {
  readonly #parts: HistoryParts;
  #seen: Seen | null = null;
  #lastSeq: number;
  /** The counts of `journal.waits` at the end of the last minute. */
  readonly #waits: Float64Array;

  constructor(parts: HistoryParts) {
    this.#parts = parts;
    this.#lastSeq = parts.store.journal.lastSeq;
    this.#waits = parts.store.journal.waits.counts.slice();
  }

  /** Starts here: earlier figures come from another process. */
  begin(): void {
    const { lastSeq, waits } = this.#parts.store.journal;
    this.#seen = null;
    this.#lastSeq = lastSeq;
    this.#waits.set(waits.counts);
  }

  async look(): Promise<void> {
    const { clock, uplink, onlineDevices } = this.#parts;
    const minute = Math.floor(clock.now() / minuteMs);
    const ended = this.#seen;
    if (ended?.minute !== minute) {
      this.#seen = { minute, looks: 0, looksUp: 0, waiting: null, online: new Uint8Array() };
      if (ended !== null) await this.#keep(ended);
    }
    const seen = this.#seen!;
    const line = await uplink();
    seen.looks++;
    if (line?.isUp) seen.looksUp++;
    if (line) seen.waiting = Math.max(seen.waiting ?? 0, line.waiting);
    for (const deviceNo of onlineDevices()) seen.online = withBit(seen.online, deviceNo);
  }

  async #keep({ minute, looks, looksUp, waiting, online }: Seen): Promise<void> {
    const { store, temperature } = this.#parts;
    const { lastSeq, waits } = store.journal;
    const records = lastSeq - this.#lastSeq;
    const during = new Float64Array(waitBuckets);
    for (let bucket = 0; bucket < waitBuckets; bucket++) during[bucket] = waits.counts[bucket]! - this.#waits[bucket]!;
    this.#lastSeq = lastSeq;
    this.#waits.set(waits.counts);
    const { state, freeBytes } = store.health();
    if (state !== 'ok') return;
    await store.write.noteMinute({
      minute,
      waiting,
      records,
      waits: packWaits(during),
      freeBytes,
      temperatureTenths: await temperature(),
      lineSeconds: waiting === null ? null : Math.round((looksUp / looks) * 60),
      onlineDevices: online,
    });
  }
}

function withBit(bits: Uint8Array, place: number): Uint8Array {
  const byte = place >> 3;
  const grown = byte < bits.length ? bits : Buffer.concat([bits], byte + 1);
  grown[byte]! |= 1 << (place & 7);
  return grown;
}
