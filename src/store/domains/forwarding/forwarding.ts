import type { PartOf, Reading, ReadsOf, WritesOf } from '../../domain.ts';
import type { DeviceNo, JournalRecord, Seq } from '../../port/journal.ts';
import { type LedgerRow, readLedger } from './ledger.ts';
import { parkedReads } from './parked.ts';
import { waitingReads } from './waiting.ts';
import { writes } from './writes.ts';

export type { LedgerRow } from './ledger.ts';
export type { Via } from './tables.ts';
export type { Confirmation } from './writes.ts';

/** For the uplink: what waits, and the cloud's answers. */
export const forwarding = {
  reads(reading: Reading) {
    const { connection, journal, devices } = reading;
    return {
      ...parkedReads(reading),
      ...waitingReads(journal, devices),

      record: async (seq: Seq): Promise<JournalRecord | null> => journal.record(seq),

      /** The records of a device, newest first, with the state of each. */
      ledger: async (deviceNo: DeviceNo, options: { limit: number; before?: Seq | undefined }): Promise<LedgerRow[]> =>
        readLedger(connection, journal, deviceNo, devices.deviceByNo(deviceNo)?.forwarded, options),
    };
  },

  writes,
};

export type ForwardingReads = ReadsOf<typeof forwarding>;
export type ForwardingWrites = WritesOf<typeof forwarding>;
export type ForwardingStore = PartOf<typeof forwarding>;
