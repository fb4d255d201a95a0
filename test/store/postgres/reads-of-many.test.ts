import { expect, test } from 'vitest';
import { type JobParts, jobs } from '../../../src/attendance/reports-thread/jobs.ts';
import { KeptLists } from '../../../src/attendance/reports-thread/kept-lists.ts';
import type { StoreReader } from '../../../src/store/index.ts';
import { SegmentReader } from '../../../src/store/journal/segment-reader.ts';
import { connectToPostgres } from '../../../src/store/postgres/database.ts';
import { storeReader } from '../../../src/store/readers/reader.ts';
import { StoredDevices } from '../../../src/store/readers/stored-devices.ts';
import { answerCounts } from '../../../src/store/writer/messages.ts';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { openedPostgresStore, postgresUrl } from '../../support/postgres-store.ts';
import { aProduct, applied } from '../../support/store.ts';

const month = { from: Date.parse('2026-11-01T00:00+08:00') / 1000, to: Date.parse('2026-12-01T00:00+08:00') / 1000 };
const day = { from: Date.parse('2026-11-16T00:00+08:00') / 1000, to: Date.parse('2026-11-17T00:00+08:00') / 1000 };

/** In and out on each day of the month, everybody at a device of their own; one came 300 times. */
const checkIns = `
  INSERT INTO checkin (id, seq, device_no, received_at, record_id, employee_id, check_type, check_time_seconds, check_data)
    SELECT row_number() OVER (), 1, 1 + e.id % (SELECT count(*) FROM device), 1, '', e.id, 'fa', ${month.from} + d * 86400 + h * 3600, '{}'
    FROM employee e, generate_series(0, 29) d, unnest(array[9, 18]) h;
  INSERT INTO checkin (id, seq, device_no, received_at, record_id, employee_id, check_type, check_time_seconds, check_data)
    SELECT 1000000 + n, 1, 1, 1, '', (SELECT min(id) FROM employee), 'fa', ${day.from} + n, '{}' FROM generate_series(1, 300) n;
  INSERT INTO confirmation (device_no, up_to_seq, confirmed_at, via, channels) VALUES (1, 5, 1, 'mqtt', 3);
  UPDATE device SET forwarded_seq = 5, forwarded_message_seq = 5;
  ANALYZE`;

/** Each asks for everybody, or for as many as a page takes. */
const deeds: Readonly<Record<string, (parts: JobParts) => Promise<unknown>>> = {
  'the day by the schedules': parts =>
    jobs.day(parts, { day: '2026-11-16', list: null, asked: { from: 0, limit: 500 } }).next(),
  'the day of a department': parts =>
    jobs.day(parts, { day: '2026-11-16', departmentExtId: 'all', list: null, asked: { from: 0, limit: 500 } }).next(),
  'the figures of the month': parts => jobs.figures(parts, { month: '2026-11' }).next(),
  'the figures of a department': parts => jobs.figures(parts, { month: '2026-11', departmentExtId: 'all' }).next(),
  'a page of the month': parts => ended(jobs.people(parts, { ...november, detail: 'marks', limit: 500 })),
  'people of the month who match a filter': parts =>
    ended(jobs.people(parts, { ...november, detail: 'marks', limit: 500, show: ['absent'] })),
  'who has checked in on a day': ({ reader: { read } }) => read.dayPeople({ ...day, here: true, limit: 500 }),
  'the check times of a page': async ({ reader: { read } }) => {
    const people = await read.people({ limit: 500 });
    return read.checkTimes({ ...month, ids: people.map(({ place }) => place.id), limit: 2000 });
  },
  'a page of check-ins with the names of people and devices': ({ reader: { read } }) =>
    read.checkInReport({ ...month, limit: 500 }),
  'the check-ins of a person': ({ reader: { read } }) => read.punches({ ...day, extId: 'e0', limit: 500 }),
};

const november = { from: '2026-11-01', to: '2026-11-30' };

async function ended(pieces: AsyncGenerator<unknown, void>): Promise<void> {
  for await (const _ of pieces);
}

suiteWithPostgres('reads of check-ins for many people', () => {
  const postgres = postgresOfFile();

  /** Statements that each deed sends in a region of so many people and devices. */
  async function statementsOf(people: number): Promise<ReadonlyMap<string, number>> {
    const server = await postgres();
    const database = server.create();
    const url = postgresUrl(server, database);
    const sealKey = Buffer.alloc(32, 1);
    await using store = await openedPostgresStore(url, { key: sealKey });
    await applied(store, {
      products: [aProduct()],
      devices: Array.from({ length: people }, (_, index) => ({ device_id: `FACE-T1_D${index}`, name: `D ${index}` })),
      departments: [{ ext_id: 'all', name: 'All' }],
      employees: Array.from({ length: people }, (_, index) => ({
        ...{ ext_id: `e${index}`, name: `Person ${index}`, mobile: '', employee_num: '' },
        department: { ext_id: 'all', title: '' },
      })),
      shifts: [{ code: 'day', name: 'Day', times: ['09:00-18:00'] }],
      schedules: [{ who: 'site', shift: 'day', from: '2026-01-01' }],
    } as never);
    server.run(database, checkIns);
    const answers = answerCounts();
    const connection = connectToPostgres({ url, sealKey, answers });
    const devices = new StoredDevices(connection);
    const read: StoreReader = storeReader(connection, new SegmentReader(connection, 0), devices, true, () => {});
    const parts = {
      reader: { read, devices },
      facts: {
        ...{ now: month.to * 1000, site: { name: '', timezone: 'Asia/Shanghai' }, calendar: new Map() },
        ...{ rules: { clock: 'as_said', nightOvertime: 'work_date' }, online: new Set() },
      },
      ...{ now: () => month.to * 1000, signal: new AbortController().signal, lists: new KeptLists() },
    } as unknown as JobParts;
    const counts = new Map<string, number>();
    try {
      for (const [name, act] of Object.entries(deeds)) {
        devices.forget();
        Atomics.store(answers, 0, 0);
        await act(parts);
        counts.set(name, Atomics.load(answers, 0));
      }
    } finally {
      connection.database.close();
    }
    return counts;
  }

  test('send statements for many people at once, not one for each', async () => {
    const [few, many] = [await statementsOf(20), await statementsOf(400)];
    const growing = [...many].filter(([name, count]) => count - few.get(name)! > 400 / 5 || few.get(name)! > 100);
    expect(growing.map(([name, count]) => `${name}: ${few.get(name)} for 20, ${count} for 400`)).toEqual([]);
  });
});
