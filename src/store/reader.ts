import { parseEnvelope, unixSeconds } from '../platform/envelope.ts';
import type { Connection } from './database.ts';
import type { JournalReader } from './journal/read.ts';
import { eachDevice, unpack } from './journal/segment.ts';
import type {
  AccessRow,
  CheckInRow,
  Confirmation,
  DeviceEvent,
  DeviceNo,
  Directory,
  InboxMessage,
  JournalRecord,
  LedgerRow,
  LogQuery,
  LogRow,
  ParkedRecord,
  RefusalNote,
  Seq,
  StoreReader,
} from './port.ts';
import { places } from './rows.ts';
import { readSite } from './site-sections.ts';

/** Reads on the read-only connection. Every statement is short: lists are paged by key. */
export function storeReader(connection: Connection, journal: JournalReader, directory: Directory): StoreReader {
  const { sql, seal } = connection;
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
        const payload = seal.open(row.sealed_message, places.inbox);
        bytes += payload.length;
        if (messages.length > 0 && bytes > bytesMax) break;
        messages.push({ id: row.id, deviceNo, putAt: row.put_at, payload });
      }
      return messages;
    },

    async parked({ deviceNo, sendAgain, limit = 1000 } = {}) {
      const rows = sql(
        'SELECT * FROM parked WHERE (?1 IS NULL OR device_no = ?1) AND (?2 IS NULL OR send_again = ?2) ORDER BY seq LIMIT ?3',
      ).all(deviceNo ?? null, sendAgain === undefined ? null : Number(sendAgain), limit) as {
        seq: number;
        device_no: number;
        parked_at: number;
        code: number;
        reason: string;
        send_again: number;
      }[];
      return rows.map(
        (row): ParkedRecord => ({
          seq: row.seq as Seq,
          deviceNo: row.device_no as DeviceNo,
          parkedAt: row.parked_at,
          code: row.code,
          reason: row.reason,
          sendAgain: row.send_again === 1,
        }),
      );
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

    async confirmedLogs(deviceNo, since) {
      const before = sql('SELECT max(up_to_seq) AS seq FROM confirmation WHERE device_no = ? AND confirmed_at < ?').get(
        deviceNo,
        since,
      ) as {
        seq: number | null;
      };
      const now = directory.deviceByNo(deviceNo)?.forwardedSeq ?? 0;
      const { count } = sql(
        'SELECT count(*) AS count FROM device_log WHERE device_no = ? AND seq > ? AND seq <= ?',
      ).get(deviceNo, before.seq ?? 0, now) as { count: number };
      return before.seq === null && !confirmedSince(connection, deviceNo, since) ? 0 : count;
    },

    async record(seq) {
      return journal.record(seq);
    },

    async ledger(deviceNo, { limit, before }) {
      const records = lastRecords(deviceNo, limit, before, connection, journal);
      const device = directory.deviceByNo(deviceNo);
      return records.map(record => ledgerRow(record, device?.forwardedSeq ?? 0, connection));
    },

    async refusals({ clientId, limit = 200 } = {}) {
      const rows = sql(
        'SELECT * FROM refusal WHERE (?1 IS NULL OR client_id = ?1 COLLATE NOCASE) ORDER BY last_at DESC LIMIT ?2',
      ).all(clientId ?? null, limit) as Record<string, string | number>[];
      return rows.map(row => ({
        at: row.last_at as number,
        door: row.door as RefusalNote['door'],
        clientId: row.client_id as string,
        address: row.address as string,
        code: row.code as RefusalNote['code'],
        detail: row.detail as string,
        count: row.count as number,
        firstAt: row.first_at as number,
      }));
    },

    async events(deviceNo, limit) {
      return (
        sql('SELECT at, kind, detail FROM event WHERE device_no = ? ORDER BY id DESC LIMIT ?').all(deviceNo, limit) as {
          at: number;
          kind: string;
          detail: string;
        }[]
      ).map((row): DeviceEvent => ({ ...row, deviceNo }));
    },

    async logs(query) {
      return readLogs(connection, query, deviceIdOf);
    },

    async logCounts(day) {
      const rows = sql('SELECT device_no, stored FROM log_day_count WHERE day = ?').all(day) as {
        device_no: number;
        stored: number;
      }[];
      return new Map(rows.map(row => [row.device_no as DeviceNo, row.stored]));
    },

    async checkins({ after = 0, from, to, limit }) {
      const rows = sql(
        'SELECT * FROM checkin WHERE id > ?1 AND (?2 IS NULL OR check_time_seconds >= ?2) AND (?3 IS NULL OR check_time_seconds < ?3) ORDER BY id LIMIT ?4',
      ).all(after, from ?? null, to ?? null, limit) as Record<string, string | number>[];
      return rows.map((row): CheckInRow => {
        const deviceId = deviceIdOf(row.device_no as number);
        return {
          id: row.id as number,
          seq: row.seq as Seq,
          device_id: deviceId,
          received_at: row.received_at as number,
          user_id: '',
          ext_id: row.ext_id as string,
          employee_num: row.employee_num as string,
          terminal_id: serialOf(deviceId),
          check_type: row.check_type as string,
          check_time: row.check_time_seconds as number,
          check_data: JSON.parse(row.check_data as string),
        };
      });
    },

    async accessRecords({ after = 0, from, to, limit }) {
      const rows = sql(
        'SELECT * FROM access_record WHERE id > ?1 AND (?2 IS NULL OR check_time_seconds >= ?2) AND (?3 IS NULL OR check_time_seconds < ?3) ORDER BY id LIMIT ?4',
      ).all(after, from ?? null, to ?? null, limit) as Record<string, string | number | Uint8Array | null>[];
      return rows.map((row): AccessRow => {
        const deviceId = deviceIdOf(row.device_no as number);
        const sealed = row.sealed_capture_img as Uint8Array | null;
        return {
          id: row.id as number,
          seq: row.seq as Seq,
          device_id: deviceId,
          received_at: row.received_at as number,
          door_id: (row.door_id as string) || serialOf(deviceId),
          user_id: '',
          ext_id: row.ext_id as string,
          check_type: row.check_type as string,
          check_time: row.check_time_seconds as number,
          check_data: JSON.parse(row.check_data as string),
          check_result: row.check_result as number,
          capture_img: sealed === null ? null : seal.openText(sealed, places.captureImg(row.seq as number)),
        };
      });
    },

    async lastSeen() {
      const rows = sql('SELECT device_no, received_at FROM last_seen').all() as {
        device_no: number;
        received_at: number;
      }[];
      return new Map(rows.map(row => [row.device_no as DeviceNo, row.received_at]));
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

const confirmedSince = ({ sql }: Connection, deviceNo: DeviceNo, since: number): boolean =>
  sql('SELECT 1 FROM confirmation WHERE device_no = ? AND confirmed_at >= ? LIMIT 1').get(deviceNo, since) !==
  undefined;

const serialOf = (deviceId: string): string => deviceId.slice(deviceId.indexOf('_') + 1);

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
  const straddling = new Set<DeviceNo>();
  let total = 0;
  eachDevice(head.devices, (deviceNo, count) => {
    const cursor = directory.deviceByNo(deviceNo)?.forwardedSeq ?? Number.POSITIVE_INFINITY;
    if (count === 0 || cursor >= last) return;
    if (cursor >= head.first_seq) straddling.add(deviceNo);
    else {
      take(deviceNo, count);
      total += count;
    }
  });
  if (straddling.size === 0) return total;
  const packed = journal.open(head.first_seq);
  if (packed)
    unpack(packed, head.first_seq, record => {
      if (!straddling.has(record.deviceNo) || !isWaiting(record, directory)) return;
      take(record.deviceNo, 1);
      total++;
    });
  return total;
}

const isWaiting = (record: JournalRecord, directory: Directory): boolean =>
  !record.marks.quarantined &&
  !record.marks.local &&
  record.seq > (directory.deviceByNo(record.deviceNo)?.forwardedSeq ?? Number.POSITIVE_INFINITY);

function oldestIn(firstSeq: number, journal: JournalReader, directory: Directory): number | null {
  const packed = journal.open(firstSeq);
  let oldest: number | null = null;
  if (packed)
    unpack(packed, firstSeq, record => {
      if (oldest === null && isWaiting(record, directory)) oldest = record.receivedAt;
    });
  return oldest;
}

function lastRecords(
  deviceNo: DeviceNo,
  limit: number,
  before: Seq | undefined,
  { sql }: Connection,
  journal: JournalReader,
): JournalRecord[] {
  const records: JournalRecord[] = [];
  let below = (before as number | undefined) ?? Number.MAX_SAFE_INTEGER;
  for (let looked = 0; looked < 100_000 && records.length < limit; ) {
    const heads = sql(
      'SELECT first_seq, count, devices FROM segment WHERE first_seq < ? ORDER BY first_seq DESC LIMIT 256',
    ).all(below) as unknown as Head[];
    if (heads.length === 0) break;
    for (const head of heads) {
      below = head.first_seq;
      looked++;
      let holds = false;
      eachDevice(head.devices, device => {
        if (device === deviceNo) holds = true;
      });
      const packed = holds ? journal.open(head.first_seq) : null;
      if (!packed) continue;
      const mine: JournalRecord[] = [];
      unpack(packed, head.first_seq, record => {
        if (record.deviceNo === deviceNo && (before === undefined || record.seq < before)) mine.push(record);
      });
      records.push(...mine.reverse());
      if (records.length >= limit) break;
    }
  }
  return records.slice(0, limit);
}

function ledgerRow(record: JournalRecord, forwardedSeq: number, { sql }: Connection): LedgerRow {
  const envelope = record.channel === 'device' ? parseEnvelope(record.payload) : null;
  const parked = sql('SELECT reason FROM parked WHERE seq = ?').get(record.seq) as { reason: string } | undefined;
  const confirmed =
    record.seq <= forwardedSeq
      ? (sql(
          'SELECT confirmed_at, via FROM confirmation WHERE device_no = ? AND up_to_seq >= ? ORDER BY up_to_seq LIMIT 1',
        ).get(record.deviceNo, record.seq) as { confirmed_at: number; via: Confirmation['via'] } | undefined)
      : undefined;
  const keptHere = record.marks.quarantined || record.marks.local;
  return {
    seq: record.seq,
    channel: record.channel,
    mid: envelope?.ok ? envelope.value.mid : '',
    action: envelope?.ok ? envelope.value.action : null,
    deviceTime: envelope?.ok ? unixSeconds(envelope.value.time) : null,
    receivedAt: record.receivedAt,
    state: parked ? 'parked' : keptHere ? 'kept here' : record.seq <= forwardedSeq ? 'confirmed' : 'waiting',
    confirmedAt: confirmed?.confirmed_at ?? null,
    via: confirmed?.via ?? null,
    reason:
      parked?.reason ??
      (record.marks.quarantined ? 'no JSON message' : record.marks.local ? 'answered here, the line was down' : null),
  };
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
    };
  });
}
