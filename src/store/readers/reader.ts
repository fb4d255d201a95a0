import { and, asc, desc, eq, sql as expression, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { readLedger } from '../journal/ledger.ts';
import type { JournalReader } from '../journal/read.ts';
import { eachDevice, unpack } from '../journal/segment.ts';
import type { Directory } from '../port/directory.ts';
import type { DeviceNo, JournalRecord, LogQuery, LogRow, Seq } from '../port/journal.ts';
import type { DeviceEvent, InboxMessage, ParkedRecord, RefusalNote, StoreReader } from '../port/store.ts';
import type { Connection } from '../schema/database.ts';
import { event, lastSeen, logDayCount, parked, refusal } from '../schema/index.ts';
import { BrokenSeal } from '../schema/sealing.ts';
import { readSite } from '../site/sections.ts';
import { accessReads } from './access.ts';
import { accountReads } from './accounts.ts';
import { attendanceReads } from './attendance.ts';
import { dayReads } from './day.ts';
import { deviceReads } from './devices.ts';
import { erasureReads } from './erasures.ts';
import { organizationReads } from './organization.ts';
import { peopleReads } from './people.ts';
import { provisioningReads } from './provisioning.ts';
import { places } from './rows.ts';
import { serviceReads } from './services.ts';
import { staffReads } from './staff.ts';
import { supportReads } from './support.ts';

const upper = (column: SQLiteColumn): SQL => expression`upper(${column})`;

/** Reads on the read-only connection. Every statement is short: lists are paged by key. */
export function storeReader(
  connection: Connection,
  journal: JournalReader,
  directory: Directory,
  hasCloud: boolean,
): StoreReader {
  const { sql, seal, orm } = connection;
  const deviceIdOf = (no: number): string => directory.deviceByNo(no as DeviceNo)?.deviceId ?? `#${no}`;

  return {
    async inbox(deviceNo, { limit, bytesMax }) {
      const messages: InboxMessage[] = [];
      let bytes = 0;
      const rows = sql('SELECT id, put_at, sealed_message FROM inbox WHERE device_no = ? ORDER BY id LIMIT ?').all(
        deviceNo,
        limit,
      ) as {
        id: number;
        put_at: number;
        sealed_message: Uint8Array;
      }[];
      for (const row of rows) {
        const payload = opened(() => seal.open(row.sealed_message, places.inbox));
        // One that is damaged reaches nobody, and must not keep the others back; it goes with its
        // day.
        if (payload === null) continue;
        bytes += payload.length;
        if (messages.length > 0 && bytes > bytesMax) break;
        messages.push({ id: row.id, deviceNo, putAt: row.put_at, payload });
      }
      return messages;
    },

    async parkedCount() {
      return (sql('SELECT count(*) AS count FROM parked').get() as { count: number }).count;
    },

    async parked({ deviceNo, sendAgain, limit = 1000 } = {}) {
      const rows = orm
        .select()
        .from(parked)
        .where(
          and(
            deviceNo === undefined ? undefined : eq(parked.deviceNo, deviceNo),
            sendAgain === undefined ? undefined : eq(parked.sendAgain, sendAgain),
          ),
        )
        .orderBy(asc(parked.seq))
        .limit(limit)
        .all();
      return rows.map((row): ParkedRecord => ({ ...row, seq: row.seq as Seq, deviceNo: row.deviceNo as DeviceNo }));
    },

    async waiting(through) {
      const end = through ?? Number.MAX_SAFE_INTEGER;
      const byDevice = new Map<DeviceNo, number>();
      let total = 0;
      let oldestAt: number | null = null;
      let after = lowestCursor(directory);
      for (let heads = journal.heads(after); heads.length > 0; heads = journal.heads(after)) {
        for (const head of heads) {
          after = head.first_seq + head.count - 1;
          if (after > end) return { total, oldestAt, byDevice };
          const count = waitingIn(head, journal, directory, (deviceNo, waiting) => {
            byDevice.set(deviceNo, (byDevice.get(deviceNo) ?? 0) + waiting);
          });
          total += count;
          if (count > 0 && oldestAt === null) oldestAt = oldestIn(head.first_seq, journal, directory);
        }
      }
      return { total, oldestAt, byDevice };
    },

    async oldestWaiting(from) {
      let after = from as number;
      for (let heads = journal.heads(after); heads.length > 0; heads = journal.heads(after))
        for (const head of heads) {
          after = head.first_seq + head.count - 1;
          if (waitingIn(head, journal, directory, () => {}) === 0) continue;
          const oldest = oldestIn(head.first_seq, journal, directory);
          if (oldest !== null) return oldest;
        }
      return null;
    },

    async confirmedLogs(deviceNo, since) {
      const before = sql(
        'SELECT max(up_to_seq) AS seq FROM confirmation WHERE device_no = ? AND confirmed_at < ? AND channels & 2',
      ).get(deviceNo, since) as { seq: number | null };
      const now = directory.deviceByNo(deviceNo)?.forwarded.log ?? 0;
      const { count } = sql(
        'SELECT count(*) AS count FROM device_log WHERE device_no = ? AND seq > ? AND seq <= ?',
      ).get(deviceNo, before.seq ?? 0, now) as { count: number };
      return before.seq === null && !confirmedSince(connection, deviceNo, since) ? 0 : count;
    },

    async record(seq) {
      return journal.record(seq);
    },

    async ledger(deviceNo, options) {
      return readLedger(connection, journal, deviceNo, directory.deviceByNo(deviceNo)?.forwarded, options);
    },

    async refusals({ clientId, limit = 200 } = {}) {
      const rows = orm
        .select()
        .from(refusal)
        .where(clientId === undefined ? undefined : eq(upper(refusal.clientId), clientId.toUpperCase()))
        .orderBy(desc(refusal.lastAt))
        .limit(limit)
        .all();
      return rows.map(({ lastAt, door, code, ...row }) => ({
        ...row,
        at: lastAt,
        door: door as RefusalNote['door'],
        code: code as RefusalNote['code'],
      }));
    },

    async events(deviceNo, limit) {
      const rows = orm
        .select()
        .from(event)
        .where(eq(event.deviceNo, deviceNo))
        .orderBy(desc(event.id))
        .limit(limit)
        .all();
      return rows.map(({ at, kind, detail }): DeviceEvent => ({ at, kind, detail, deviceNo }));
    },

    async logs(query) {
      return readLogs(connection, query, deviceIdOf);
    },

    async logCounts(day) {
      const rows = orm.select().from(logDayCount).where(eq(logDayCount.day, day)).all();
      return new Map(rows.map(row => [row.deviceNo as DeviceNo, row.stored]));
    },

    ...accountReads(connection),
    ...serviceReads(connection),
    ...provisioningReads(connection),
    ...staffReads(connection),
    ...dayReads(connection, directory),
    ...deviceReads(connection, directory),
    ...peopleReads(connection, directory),
    ...erasureReads(connection, journal, directory, hasCloud),
    ...accessReads(connection),
    ...supportReads(connection, directory),
    ...attendanceReads(connection, directory),
    ...organizationReads(connection),

    async lastSeen() {
      const rows = orm.select().from(lastSeen).all();
      return new Map(
        rows.map(row => [row.deviceNo as DeviceNo, { at: row.receivedAt, clockSkewSeconds: row.clockSkewSeconds }]),
      );
    },

    async site({ withSecrets }) {
      return readSite(connection, withSecrets);
    },

    async batchCursor(boxNo, epoch) {
      const row = sql('SELECT seq FROM batch_cursor WHERE box_no = ? AND epoch = ?').get(boxNo, epoch) as
        | { seq: number }
        | undefined;
      return row?.seq ?? 0;
    },
  };
}

/** Null for what is damaged. */
function opened<T>(open: () => T): T | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof BrokenSeal) return null;
    throw error;
  }
}

const confirmedSince = ({ sql }: Connection, deviceNo: DeviceNo, since: number): boolean =>
  sql('SELECT 1 FROM confirmation WHERE device_no = ? AND confirmed_at >= ? AND channels & 2 LIMIT 1').get(
    deviceNo,
    since,
  ) !== undefined;

function lowestCursor(directory: Directory): number {
  let lowest = Number.POSITIVE_INFINITY;
  for (const device of directory.devices()) lowest = Math.min(lowest, device.forwardedSeq);
  return Number.isFinite(lowest) ? lowest : 0;
}

type Head = ReturnType<JournalReader['heads']>[number];

/** By the head alone where no cursor stands inside the segment. */
function waitingIn(
  head: Head,
  journal: JournalReader,
  directory: Directory,
  take: (deviceNo: DeviceNo, count: number) => void,
): number {
  const last = head.first_seq + head.count - 1;
  const straddling = new Set<string>();
  let total = 0;
  eachDevice(head.devices, head.channels, (deviceNo, count, channel) => {
    const { forwarded } = directory.deviceByNo(deviceNo) ?? {};
    if (!forwarded || count === 0) return;
    const [one, other] = channel ? [forwarded[channel], forwarded[channel]] : [forwarded.device, forwarded.log];
    if (Math.min(one, other) >= last) return;
    if (Math.max(one, other) >= head.first_seq) straddling.add(channel ? `${deviceNo} ${channel}` : `${deviceNo}`);
    else {
      take(deviceNo, count);
      total += count;
    }
  });
  if (straddling.size === 0) return total;
  const packed = journal.open(head.first_seq);
  if (packed)
    unpack(packed, head.first_seq, record => {
      const { deviceNo, channel } = record;
      if (!straddling.has(`${deviceNo} ${channel}`) && !straddling.has(`${deviceNo}`)) return;
      if (!isWaiting(record, directory)) return;
      take(deviceNo, 1);
      total++;
    });
  return total;
}

const isWaiting = (record: JournalRecord, directory: Directory): boolean =>
  !record.marks.quarantined &&
  !record.marks.local &&
  record.seq > (directory.deviceByNo(record.deviceNo)?.forwarded[record.channel] ?? Number.POSITIVE_INFINITY);

function oldestIn(firstSeq: number, journal: JournalReader, directory: Directory): number | null {
  const packed = journal.open(firstSeq);
  let oldest: number | null = null;
  if (packed)
    unpack(packed, firstSeq, record => {
      if (oldest === null && isWaiting(record, directory)) oldest = record.receivedAt;
    });
  return oldest;
}

function readLogs({ sql }: Connection, query: LogQuery, deviceIdOf: (no: number) => string): LogRow[] {
  const { after = 0, from, to, deviceNo, model, sn, text, limit } = query;
  const rows = sql(
    `SELECT * FROM device_log WHERE seq > ?1 AND (?2 IS NULL OR device_no = ?2) AND (?3 IS NULL OR received_at >= ?3)
       AND (?4 IS NULL OR received_at < ?4) AND (?5 IS NULL OR path LIKE ?5 || '/%') AND (?6 IS NULL OR path LIKE '%/' || ?6)
       AND (?7 IS NULL OR instr(lower(text), lower(?7)) > 0) ORDER BY seq LIMIT ?8`,
  ).all(after, deviceNo ?? null, from ?? null, to ?? null, model ?? null, sn ?? null, text ?? null, limit) as {
    seq: number;
    device_no: number;
    received_at: number;
    path: string;
    marks: number;
    text: string;
  }[];
  return rows.map(row => {
    const slash = row.path.indexOf('/');
    return {
      seq: row.seq as Seq,
      deviceNo: row.device_no as DeviceNo,
      device_id: deviceIdOf(row.device_no),
      model: row.path.slice(0, slash),
      sn: row.path.slice(slash + 1),
      received_at: row.received_at,
      text: row.text,
      truncated: (row.marks & 1) !== 0,
      repaired: (row.marks & 2) !== 0,
      clamped: (row.marks & 4) !== 0,
    };
  });
}
