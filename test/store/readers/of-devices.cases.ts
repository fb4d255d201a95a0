import { expect, test } from 'vitest';
import {
  type CheckInPage,
  type DeviceNo,
  emptyPunchTable,
  punchesIn,
  type StoreReader,
} from '../../../src/store/index.ts';
import { looksAt } from '../../../src/store/readers/slices.ts';
import { recordsIn } from '../../support/check-in-page.ts';
import { aProduct, applied, registered } from '../../support/store.ts';
import { until } from '../../support/until.ts';
import type { PortStore } from '../writes/case.ts';

/** More than two statements of such a read look at. */
const rows = 2 * looksAt + 500;
const from = 1_763_600_000;
const to = from + rows + 1;
const limit = 500;

/**
 * Two busy devices, and one that reported three check-ins, far apart. Every tenth check-in is of
 * somebody unknown. Check times fall and rise
 * beside the order of report, and four have the same.
 */
const device = `CASE WHEN i IN (7, 6003, 10407) THEN 3 ELSE 1 + i % 2 END`;
const time = `${from} + ((i * 7919) % ${rows}) / 4`;
const common = 'id, seq, device_no, received_at, record_id, check_type, check_time_seconds, check_data';
const values = `i, 0, ${device}, (${time}) * 1000, '', 'fa', ${time}, '{}'`;
const numbers = (count: number) =>
  `WITH RECURSIVE n(i) AS (SELECT CAST(1 AS bigint) UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
export const manyRecords = [
  `INSERT INTO employee (id, ext_id, name, employee_num, department_id, title, search_keys)
     ${numbers(40)} SELECT i, 'e' || i, 'Person ' || i, '', 1, '', '' FROM n`,
  `INSERT INTO checkin (${common}, employee_id) ${numbers(rows)} SELECT ${values}, 1 + i % 40 FROM n WHERE i % 10 <> 0`,
  `INSERT INTO checkin_unresolved (${common}, ext_id, employee_num)
     ${numbers(rows)} SELECT ${values}, 'stranger', '' FROM n WHERE i % 10 = 0`,
  `INSERT INTO access_record (${common}, door_id, ext_id, employee_id, check_result)
     ${numbers(rows)} SELECT ${values}, 'd1', 'e' || (1 + i % 40), 1 + i % 40, i % 3 FROM n`,
] as const;

/** Devices, and from where on check-ins are handed out: before `manyRecords` are put in. */
export async function prepareForMany(store: PortStore): Promise<void> {
  await applied(store, { products: [aProduct()] });
  for (const id of ['FACE-T1_A0001', 'FACE-T1_A0002', 'FACE-T1_A0003']) await registered(store, id);
  await store.write.initCheckIns({ at: 1 });
}

const quiet = new Set([3 as DeviceNo]);
const one = new Set([1 as DeviceNo]);
const none = new Set<DeviceNo>();
const serial = (deviceNos: ReadonlySet<DeviceNo>) => [...deviceNos].map(no => `A000${no}`);

/** `make`: what reads a store that was prepared and has `manyRecords`. */
export function ofDevicesCases(name: string, make: () => Promise<{ readonly read: StoreReader } & AsyncDisposable>) {
  test(`${name}: the check-ins of everybody, read in one pass, are those of each person`, async () => {
    await using it = await make();
    const { read } = it;
    await until('the records are there', async () => (await read.newestRecords()).access === rows);
    const ids = Array.from({ length: 41 }, (_, index) => index + 1);
    const span = { from: from + 10, to: to - 100 };
    const [each, all] = [await read.punchFacts({ ids, ...span, limit: rows }), await read.punchFactsOfAll(span)];
    expect(ids.map(id => punchesIn(all!, id))).toEqual(ids.map(id => punchesIn(each, id)));
    expect(punchesIn(all!, 7).length).toBeGreaterThan(100);
    expect(punchesIn(all!, 41)).toEqual([]);
    expect(punchesIn(await read.punchFacts({ ids, ...span, limit: 5 }), 7)).toEqual(punchesIn(all!, 7).slice(0, 5));
    const brief = await read.punchFactsOfAll({ ...span, brief: true });
    const ofHours = ids.map(id => punchesIn(all!, id).map(one => ({ ...one, receivedAt: Number.NaN, clock: null })));
    expect(ids.map(id => punchesIn(brief!, id))).toEqual(ofHours);
    const noOne = { from: 0, to: 1 };
    expect(ids.flatMap(id => punchesIn(emptyPunchTable(), id))).toEqual([]);
    expect((await read.punchFactsOfAll(noOne))!.size).toBe(0);
    expect((await read.punchFacts({ ids, ...noOne, limit: rows })).size).toBe(0);
  });

  test(`${name}: what some devices reported is what a read of all finds of them, page by page`, async () => {
    await using it = await make();
    const { read } = it;
    await until('the records are there', async () => (await read.newestRecords()).access === rows);
    const places = { from, to };
    const all = {
      page: await walked(next => read.checkInPage({ after: next, limit })),
      checkInReport: await reported(after => read.checkInReport({ ...places, after, limit })),
      accessReport: await reported(after => read.accessReport({ ...places, after, limit })),
      exported: await walkedBy(after => read.checkins({ after, limit })),
      passages: await passagesOf(read, {}),
    };
    for (const deviceNos of [one, quiet, none]) {
      const isOf = (text: string) => serial(deviceNos).some(sn => text.endsWith(sn));
      const asked = deviceNos === none ? [] : serial(deviceNos);

      // The attendance API: an empty page is the end, and the next look begins behind it.
      const some = await walked(next => read.checkInPage({ after: next, limit, deviceNos }));
      expect(some.rows).toEqual(all.page.rows.filter(row => isOf((row as { terminal_id: string }).terminal_id)));
      expect(some.next).toBeGreaterThanOrEqual(all.page.next);
      expect(await read.checkInPage({ after: some.next, limit, deviceNos })).toMatchObject({ count: 0 });

      // The reports of people: by check time, those of nobody known among them.
      for (const kind of ['checkInReport', 'accessReport'] as const) {
        const ofSome = await reported(after => read[kind]({ ...places, after, limit, deviceNos }));
        expect(ofSome).toEqual(all[kind].filter(row => isOf(row.deviceId)));
        expect(new Set(ofSome.map(row => row.terminalId))).toEqual(new Set(asked));
      }

      // The export, by id, and the page Access, from the newest back.
      expect(await walkedBy(after => read.checkins({ after, limit, deviceNos }))).toEqual(
        all.exported.filter(row => isOf(row.deviceId)),
      );
      const passages = all.passages.filter(row => deviceNos.has(row.deviceNo));
      expect(await passagesOf(read, { deviceNos })).toEqual(passages);
      const refused = passages.filter(row => row.result !== 0);
      expect(await passagesOf(read, { deviceNos, result: 'refused' })).toEqual(refused);

      // A day.
      const partSeconds = 600;
      const known = report(await reported(after => read.checkInReport({ from, to, after, limit, deviceNos })));
      const counts = await read.checkinCounts({ from, to, partSeconds, deviceNos });
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(known.all);
      expect(await read.checkinPeople({ from, to, deviceNos })).toBe(known.people.size);
      expect(await read.dayCounts({ from, to, deviceNos })).toEqual({
        people: 40,
        here: known.people.size,
        unknown: known.unknown,
      });
      const here = await read.dayPeople({ from, to, here: true, limit, deviceNos });
      expect(new Set(here.map(row => row.extId))).toEqual(known.people);
      expect(here.reduce((sum, row) => sum + row.count, 0)).toBe(known.all - known.unknown);
      expect(here.every(row => deviceNos.has(row.first!.deviceNo) && deviceNos.has(row.last!.deviceNo))).toBe(true);
      const times = await read.checkTimes({ from, to, ids: [1, 8], limit: rows, deviceNos });
      expect([...times.values()].flat().length).toBe(
        here.filter(row => row.extId === 'e1' || row.extId === 'e8').reduce((sum, row) => sum + row.count, 0),
      );
    }
    const latest = await read.latestCheckins({ limit: 10, deviceNos: quiet });
    expect(latest.map(row => row.id)).toEqual([10407, 6003, 7]);
    const access = await read.accessPage({ after: 0, limit: 50, passedOnly: false, bytesMax: 1000, deviceNos: quiet });
    expect(access.rows.map(row => row.id)).toEqual([7, 6003, 10407]);
    expect(access.next).toBe(rows);
    const passed = await read.accessPage({ after: 0, limit: 2, passedOnly: true, bytesMax: 1000, deviceNos: quiet });
    expect(passed).toMatchObject({ rows: [{ id: 6003 }, { id: 10407 }], next: 10407 });
  });
}

const report = (found: readonly { readonly extId: string }[]) => ({
  all: found.length,
  people: new Set(found.map(row => row.extId).filter(extId => extId !== 'stranger')),
  unknown: found.filter(row => row.extId === 'stranger').length,
});

/** As SPEC 4.8 has a caller do it: until the data set is empty. */
async function walked(page: (next: number) => Promise<CheckInPage>) {
  const found: unknown[] = [];
  for (let next = 0; ; ) {
    const read = await page(next);
    const parsed = recordsIn(read);
    expect(parsed.length).toBe(read.count);
    next = read.next;
    if (read.count === 0) return { rows: found, next };
    found.push(...parsed);
  }
}

async function reported<Row extends { readonly checkTime: number; readonly place: number }>(
  page: (after: { time: number; place: number } | undefined) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (;;) {
    const last = found.at(-1);
    const more = await page(last && { time: last.checkTime, place: last.place });
    found.push(...more);
    if (more.length < limit) return found;
  }
}

async function walkedBy<Row extends { readonly place: number }>(page: (after: number) => Promise<Row[]>) {
  const found: Row[] = [];
  for (;;) {
    const more = await page(found.at(-1)?.place ?? 0);
    found.push(...more);
    if (more.length < limit) return found;
  }
}

type Asked = Partial<Parameters<StoreReader['accessEvents']>[0]>;
async function passagesOf(read: StoreReader, asked: Asked) {
  const found: Awaited<ReturnType<StoreReader['accessEvents']>>['rows'] = [];
  for (let after: Asked['after']; ; ) {
    const { rows: more, next } = await read.accessEvents({ ...asked, after, limit, lookMax: 3000 });
    found.push(...more);
    if (next === null) return found;
    after = next;
  }
}
