import { parseEnvelope } from '../../src/platform/envelope.ts';
import type { Channel, DeviceNo, Seq } from '../../src/store/index.ts';
import { openStoreForReading } from '../../src/store/index.ts';
import { unpack } from '../../src/store/journal/segment.ts';
import { SegmentReader } from '../../src/store/journal/segment-reader.ts';
import { openReadOnly } from '../../src/store/schema/database.ts';
import { readSealKey } from '../../src/store/schema/sealing.ts';

export interface StoredRecord {
  readonly seq: number;
  readonly deviceNo: DeviceNo;
  readonly channel: Channel;
  readonly text: string;
  /** Of a message; null for a log, and for what is no message. */
  readonly action: number | null;
}

/** What a store holds, read with its own code. */
export interface Stored {
  readonly quickCheck: string;
  readonly journal: readonly StoredRecord[];
  /** First seqs of segments that cannot be opened, or are not what they say. */
  readonly damagedSegments: readonly number[];
  /** The last seq of the last segment; 0: none. */
  readonly lastSeq: number;
  /** Up to which seq the tables are filled. */
  readonly cursor: number;
  readonly logs: readonly { readonly seq: number; readonly deviceNo: DeviceNo; readonly text: string }[];
  readonly checkinSeqs: readonly number[];
  readonly deviceNos: ReadonlyMap<string, DeviceNo>;
  readonly productIds: readonly string[];
  /** The keys with which a device may log in. */
  readonly keys: ReadonlyMap<string, readonly string[]>;
  readonly dropped: number;
  /** How many lines of boxes below were taken, as their cursors here say; nothing was refused. */
  readonly batchCursor: number;
  /** Up to which seq the cloud has confirmed the records of a device. */
  readonly forwarded: ReadonlyMap<DeviceNo, Readonly<Record<Channel, number>>>;
  /** Null: it holds. */
  readonly auditBroken: string | null;
}

/** Reads a store that nobody has open. Throws what the store throws when it cannot be opened. */
export async function readStored(dataDir: string): Promise<Stored> {
  const journal = readJournal(dataDir);
  await using store = await openStoreForReading({ dataDir });
  const { read, directory } = store;
  const deviceNos = new Map([...directory.devices()].map(device => [device.deviceId.toUpperCase(), device.deviceNo]));
  const logs = await pages(
    after => read.logs({ after: after as Seq, limit: 5000 }),
    row => row.seq,
  );
  const checkins = await pages(
    after => read.checkins({ after, limit: 5000 }),
    row => row.place,
  );
  const audit = await read.verifyAudit();
  return {
    ...journal,
    logs,
    checkinSeqs: checkins.map(row => row.seq),
    deviceNos,
    productIds: [...directory.products()].map(product => product.productId),
    keys: new Map(
      [...directory.devices()].map(({ deviceId, accessKey, nextKeys }) => [
        deviceId,
        [...(accessKey === null ? [] : [accessKey]), ...nextKeys.map(({ key }) => key)],
      ]),
    ),
    dropped: Object.values(store.health().dropped).reduce((sum, count) => sum + count, 0),
    auditBroken: audit.broken === null ? null : `entry ${audit.broken.id}: ${audit.broken.why}`,
  };
}

function readJournal(dataDir: string) {
  const connection = openReadOnly(dataDir, readSealKey(dataDir, false));
  try {
    const { quick_check } = connection.sql('PRAGMA quick_check(1)').get() as { quick_check: string };
    const reader = new SegmentReader(connection, 0);
    const journal: StoredRecord[] = [];
    const damagedSegments: number[] = [];
    let lastSeq = 0;
    for (;;) {
      const heads = reader.heads(lastSeq);
      if (heads.length === 0) break;
      for (const { first_seq, count } of heads) {
        lastSeq = first_seq + count - 1;
        const packed = reader.open(first_seq);
        let unpacked = 0;
        if (packed)
          unpack(packed, first_seq, ({ seq, deviceNo, channel, payload }) => {
            unpacked++;
            const text = Buffer.from(payload).toString();
            const envelope = channel === 'device' ? parseEnvelope(payload) : null;
            journal.push({ seq, deviceNo, channel, text, action: envelope?.ok ? envelope.value.action : null });
          });
        if (unpacked !== count) damagedSegments.push(first_seq);
      }
    }
    const { seq: cursor } = connection.sql('SELECT seq FROM projection_cursor').get() as { seq: number };
    const taken = connection.sql('SELECT coalesce(sum(seq), 0) AS seq FROM batch_cursor').get() as { seq: number };
    const cursors = connection.sql(
      'SELECT device_no, max(forwarded_seq, forwarded_message_seq) AS device, max(forwarded_seq, forwarded_log_seq) AS log FROM device',
    );
    const forwarded = new Map<DeviceNo, Record<Channel, number>>();
    for (const row of cursors.all() as { device_no: DeviceNo; device: number; log: number }[])
      forwarded.set(row.device_no, { device: row.device, log: row.log });
    return { quickCheck: quick_check, journal, damagedSegments, lastSeq, cursor, batchCursor: taken.seq, forwarded };
  } finally {
    connection.database.close();
  }
}

/** All rows of a list that is read page by page, from `after` on. */
async function pages<Row>(page: (after: number) => Promise<Row[]>, place: (row: Row) => number): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after = 0; ; ) {
    const found = await page(after);
    rows.push(...found);
    if (found.length === 0) return rows;
    after = place(found.at(-1)!);
  }
}
