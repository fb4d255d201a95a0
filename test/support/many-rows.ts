import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { inboxPlace } from '../../src/store/domains/gateway/inbox.ts';
import { SegmentPacker, summarize } from '../../src/store/journal/segment.ts';
import { packDevices, sealSegment } from '../../src/store/journal/segment-row.ts';
import { LogBlockWriter } from '../../src/store/log-blocks/block-writer.ts';
import type { DeviceNo, Seq } from '../../src/store/port/journal.ts';
import { type Connection, openForWriting } from '../../src/store/schema/database.ts';
import type { Seal } from '../../src/store/schema/sealing.ts';

/** When the first row was received, in seconds: one record a second from then on. */
export const rowsFrom = 1_763_000_000;
export const people = 2000;
const recordsOfSegment = 10;

/**
 * Fills every table that grows with the years, in a store that nobody has open: `rows` logs and as
 * many check-ins, a tenth of that in each of the other tables, and a journal of `rows / 10` records
 * in commits of ten, as a quiet site writes them. Not through the gateway: 10 M rows would take an
 * hour. The store must have device 1.
 */
export function fillRows(dataDir: string, rows: number): void {
  const connection = openForWriting(dataDir, readFileSync(join(dataDir, 'keys', 'seal.key')));
  const { database, seal } = connection;
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; BEGIN');
  const fewer = Math.ceil(rows / 10);
  const numbers = (count: number) =>
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
  const at = `${rowsFrom} + n.i`;
  const sealed = `x'${Buffer.from(seal.sealText('{}', inboxPlace)).toString('hex')}'`;
  const fill = (table: string, columns: string, count: number, values: string): void =>
    database.exec(`INSERT INTO ${table} (${columns}) ${numbers(count)} SELECT ${values} FROM n`);
  fill(
    'employee',
    'id, ext_id, name, employee_num, department_id, title, search_keys',
    people,
    `n.i, 'e' || n.i, 'Person ' || n.i, printf('%06d', n.i), 1, '', ''`,
  );
  fillLogs(connection, rows);
  const checkin = 'id, seq, device_no, received_at, record_id, check_type, check_time_seconds, check_data';
  const punch = `n.i, n.i, 1, (${at}) * 1000, '', 'fa', ${at}, '{"cmd":"in"}'`;
  fill('checkin', `${checkin}, employee_id`, rows, `${punch}, 1 + n.i % ${people}`);
  fill(
    'checkin_unresolved',
    `${checkin}, ext_id, employee_num`,
    fewer,
    `${rows} + ${punch}, 'stranger' || n.i % 1000, ''`,
  );
  fill(
    'access_record',
    `${checkin}, door_id, ext_id, employee_id, check_result`,
    fewer,
    `${punch}, 'd1', 'e' || (1 + n.i % ${people}), 1 + n.i % ${people}, 0`,
  );
  fill('event', 'at, device_no, kind, detail', fewer, `(${at}) * 1000, 1, 'disconnected', ''`);
  fill('parked', 'seq, device_no, parked_at, code, reason, send_again', fewer, `n.i, 1, (${at}) * 1000, 400, 'no', 0`);
  fill('confirmation', 'device_no, up_to_seq, confirmed_at, via, channels', fewer, `1, n.i, (${at}) * 1000, 'mqtt', 3`);
  fill(
    'refusal',
    'client_id, code, door, address, detail, count, first_at, last_at',
    Math.min(fewer, 20_000),
    `'c' || n.i, 'unknown_product', 'mqtt', '10.0.0.1', '', 1, (${at}) * 1000, (${at}) * 1000`,
  );
  // As many as `limits.inbox_messages` allows for a device.
  fill('inbox', 'device_no, put_at, sealed_message', 1000, `1, (${at}) * 1000, ${sealed}`);
  fill(
    'audit_entry',
    'at, count, actor, role, address, action, subject, outcome, chain, hash',
    fewer,
    `(${at}) * 1000, 1, 'mei', 'staff', '', 'device.block', 'subject ' || n.i, 'done', 'main', 'h' || n.i`,
  );
  fill('biometric_record', 'seq, ext_id', fewer, `n.i, 'gone'`);
  fill('erasure', 'ext_id, at, through_seq', 1, `'gone', ${rowsFrom} * 1000, ${fewer}`);
  fill(
    'file',
    'file_id, app_id, client, name, content_type, bytes, sha256, is_public, over_https, stored_at, waits',
    fewer,
    `'f' || n.i, 'app', '', 'n', 'image/png', 10, '', 0, 1, (${at}) * 1000, 1`,
  );
  fill(
    'message',
    'msg_id, kind, app_id, accepted_at, title, sealed_content, android_send, ios_send, result, relay, cloud_android_send, cloud_ios_send, reason',
    fewer,
    `'m' || n.i, 'app', 'app', (${at}) * 1000, '', ${sealed}, 0, 0, 0, 'done', 0, 0, ''`,
  );
  database.exec('COMMIT; BEGIN');
  fillJournal(seal, database, Math.ceil(rows / 10));
  database.exec(`UPDATE counter SET value = ${rows * 2} WHERE name = 'checkin'`);
  database
    .prepare("INSERT OR REPLACE INTO meta VALUES ('checkins_since', ?)")
    .run(JSON.stringify({ id: 0, at: rowsFrom * 1000 }));
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

/** Logs of 200 B of devices 1 and 2 in turn, in blocks as the box writes them. */
function fillLogs(connection: Connection, rows: number): void {
  const blocks = new LogBlockWriter(connection);
  const payload = Buffer.from(
    `line 0000000000 ${'match: score 0.97 in 84 ms; door: lock released; '.repeat(4)}`.slice(0, 200),
  );
  const log = { channel: 'log' as const, logPath: 'FT1/A0001', marks: {}, payload };
  for (let number = 1; number <= rows; number++) {
    payload.write(String(number).padStart(10, '0'), 5);
    const receivedAt = (rowsFrom + number) * 1000;
    blocks.add({ ...log, seq: number as Seq, deviceNo: (1 + (number % 2)) as DeviceNo, receivedAt });
  }
  blocks.finish();
}

/** Logs of device 2 and messages of device 1 in turn; the tables hold them already. */
function fillJournal(seal: Seal, database: DatabaseSync, records: number): void {
  const insert = database.prepare('INSERT INTO segment VALUES (?, ?, ?, ?, ?, ?, ?)');
  const envelope = Buffer.from(JSON.stringify({ mid: 'm1', from: 'x', to: 'system', time: 0, action: 9, data: {} }));
  let last = 0;
  for (let firstSeq = 1; firstSeq <= records; firstSeq += recordsOfSegment) {
    const packer = new SegmentPacker();
    const receivedAt = (rowsFrom + firstSeq) * 1000;
    for (let index = 0; index < recordsOfSegment; index++) {
      const isLog = index % 2 === 1;
      packer.add({
        deviceNo: (isLog ? 2 : 1) as DeviceNo,
        channel: isLog ? 'log' : 'device',
        receivedAt,
        logPath: isLog ? 'FT1/A0001' : '',
        marks: {},
        payload: envelope,
      });
    }
    const { memory, length, count } = packer.take();
    const packed = Buffer.from(memory, 0, length);
    const { channels, forwardable, receivedFrom, receivedTo } = summarize(packed);
    const sealed = sealSegment(seal, packed, firstSeq);
    insert.run(firstSeq, count, receivedFrom, receivedTo, channels, packDevices(forwardable), sealed);
    last = firstSeq + count - 1;
  }
  database.prepare('UPDATE projection_cursor SET seq = ?').run(last);
}
