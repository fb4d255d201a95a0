import { expect, test } from 'vitest';
import type { BoxAdmin, PageParts } from '../../../src/admin/index.ts';
import { recordOperations, recordsOf } from '../../../src/admin/records.ts';
import { exportRows } from '../../../src/admin/rows.ts';
import { serve } from '../../../src/admin/serve.ts';
import { access, accessOperations } from '../../../src/admin/ui/access.ts';
import { dayOperations, days } from '../../../src/admin/ui/attendance-days.ts';
import { monthRecords, reportOperations } from '../../../src/admin/ui/attendance-reports.ts';
import { dayPictureOperations, dayPictures } from '../../../src/admin/ui/day-picture.ts';
import { today } from '../../../src/admin/ui/today.ts';
import type { Device, SiteData } from '../../../src/store/index.ts';
import { anAdminApi, anIdentity } from '../../support/admin.ts';
import { anAttendanceBox, aSite } from '../../support/attendance.ts';
import { HandClock } from '../../support/clock.ts';
import { aProduct, type TemporaryStore } from '../../support/store.ts';

/** Half past one in the afternoon in Shanghai. */
const now = Date.parse('2026-11-20T05:30:00Z');
const secondsOf = (time: string): number => Date.parse(`2026-11-20T${time}:00+08:00`) / 1000;
const hall2 = 'GATEHOUSE_000002';

const person = (no: number) => ({
  ...{ ext_id: `e${no}`, name: `Person ${no}`, mobile: '', employee_num: `100${no}` },
  department: { ext_id: 'd1' },
});
const site: SiteData = {
  ...aSite,
  employees: [person(1), person(2), person(3)],
  boxes: [{ box_id: hall2, name: 'Hall 2' }, { box_id: 'GATEHOUSE_000003' }],
};

/**
 * Person 1 came at the box's own terminal, person 2 at one of Hall 2, person 3 at both; a stranger
 * at each. The terminals were moved to where they belong after that.
 */
async function aBox(opened: TemporaryStore) {
  const clock = new HandClock(now);
  const products = [aProduct(), aProduct({ product_id: 'GATEHOUSE' })];
  const box = await anAttendanceBox({ site, gateway: { opened, clock, products } });
  const { store } = box.gateway;
  await box.caller.run('checkin_query_init');
  const own = { deviceId: 'FACE-T1_A0001' };
  const there = { deviceId: 'FACE-T1_A0002' };
  const came = (ext_id: string, time: string) => ({
    records: [{ ext_id, check_type: 'fa', check_time: secondsOf(time) }],
  });
  await box.report(came('e1', '08:01'), own);
  await box.report(came('e2', '08:02'), there);
  await box.report(came('e3', '08:03'), own);
  await box.report(came('e3', '09:04'), there);
  await box.report(came('nobody', '09:05'), own);
  await box.report(came('nobody', '09:06'), there);
  for (const [door_id, at] of [
    ['North', own],
    ['South', there],
  ] as const)
    await box.report(
      { records: [{ door_id, ext_id: 'e1', check_type: 'fa', check_time: secondsOf('08:30'), check_result: 0 }] },
      { ...at, action: 2002 },
    );
  const numberOf = (id: string) => [...store.directory.devices()].find(one => one.deviceId === id)!.deviceNo;
  await store.write.moveDevice({ deviceNo: numberOf('FACE-T1_A0001'), to: 'here' });
  await store.write.moveDevice({ deviceNo: numberOf('FACE-T1_A0002'), to: hall2 as never });
  const admin = {
    rows: (what, filter) => exportRows(store, what, filter, 'Asia/Shanghai'),
  } as Partial<BoxAdmin> as BoxAdmin;
  const parts = {
    ...{ admin, store, clock, attendance: box.attendance, reports: box.reports() },
    services: {
      days: async (asked: readonly string[]) => asked.map(day => ({ day, type: 'WORK', name: '', source: 'site' })),
    },
    config: { site: { name: 'My site', timezone: 'Asia/Shanghai', locale: 'en' } },
    devices: {
      stateOf: ({ belongsTo }: Device) => (belongsTo === hall2 ? 'elsewhere' : 'silent'),
      newDevices: () => [],
    },
  } as unknown as PageParts;
  const app = anAdminApi(admin, anIdentity('admin'), routes => {
    serve(routes, dayOperations, days(parts));
    serve(routes, reportOperations, monthRecords(parts));
    serve(routes, accessOperations, access(parts));
    serve(routes, dayPictureOperations, dayPictures(parts));
    serve(routes, recordOperations, recordsOf(admin));
  });
  const text = async (path: string) => {
    const answer = await app.request(path);
    expect(answer.status, path).toBe(200);
    return answer.text();
  };
  const get = async (path: string) => JSON.parse(await text(path));
  return Object.assign(box, { text, get, parts });
}
type Box = Awaited<ReturnType<typeof aBox>>;

const idsOf = ({ rows }: { rows: { ext_id: string }[] }): string[] => rows.map(row => row.ext_id);
const linesOf = (text: string) =>
  text
    .split('\n')
    .filter(line => line !== '')
    .map(line => JSON.parse(line) as { ext_id: string; device_id: string });

const withBox = async (open: () => Promise<TemporaryStore>, act: (box: Box) => Promise<void>) => {
  await using opened = await open();
  await using box = await aBox(opened);
  await act(box);
};

/** One site among several, over the admin API and the attendance API. `open`: a new store. */
export function ofBoxCases(name: string, open: () => Promise<TemporaryStore>): void {
  test(`${name}: a day and a month show who came to one site, and nobody is missed there`, () =>
    withBox(open, async ({ get }) => {
      expect(await get('/attendance/day')).toMatchObject({ people: 3, here: 3, unknown: 2, absence: 'missing' });
      expect(await get(`/attendance/day?box=${hall2.toLowerCase()}`)).toMatchObject({
        ...{ here: 2, unknown: 1, absence: 'none' },
      });
      expect(await get('/attendance/day?box=here')).toMatchObject({ here: 2, unknown: 1 });
      expect(await get('/attendance/day?box=GATEHOUSE_000003')).toMatchObject({ here: 0, unknown: 0 });
      const there = await get(`/attendance/day/people?which=here&box=${hall2}`);
      expect(there.rows).toMatchObject([
        { ext_id: 'e2', first: { at: secondsOf('08:02'), device_id: 'FACE-T1_A0002' }, count: 1 },
        { ext_id: 'e3', first: { at: secondsOf('09:04') }, last: { at: secondsOf('09:04') }, count: 1 },
      ]);
      expect(idsOf(await get('/attendance/day/people?which=here&box=here'))).toEqual(['e1', 'e3']);
      const month = await get(`/attendance/month/people?month=2026-11&box=${hall2}`);
      expect(idsOf(month)).toEqual(['e2', 'e3']);
      expect(month.rows.map((row: { days: number[] }) => row.days[19])).toEqual([1, 1]);
      const first = await get(`/attendance/month/people?month=2026-11&limit=1&box=${hall2}`);
      expect(idsOf(first)).toEqual(['e2']);
      expect(idsOf(await get(`/attendance/month/people?month=2026-11&box=${hall2}&cursor=${first.cursor}`))).toEqual([
        'e3',
      ]);
      expect(idsOf(await get('/attendance/month/people?month=2026-11'))).toEqual(['e1', 'e2', 'e3']);
    }));

  test(`${name}: Today and its picture count the check-ins of one site`, () =>
    withBox(open, async ({ get, parts }) => {
      const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
      const shown = async (more: string) => {
        const { checkins, people, devices } = await get(`/day${more}`);
        const ids = devices.map((one: { device_id: string }) => one.device_id);
        return [sum(checkins), people, ids.filter((id: string) => id.startsWith('FACE'))];
      };
      expect(await shown('')).toEqual([6, 3, ['FACE-T1_A0001', 'FACE-T1_A0002']]);
      expect(await shown('?box=here')).toEqual([3, 2, ['FACE-T1_A0001']]);
      // How a box below and its devices are is known there.
      expect(await shown(`?box=${hall2}`)).toEqual([3, 2, []]);
      const { report } = today({
        ...parts,
        admin: {
          status: { report: async () => ({}) },
          backups: { report: async () => ({ last_at: null }) },
        } as unknown as BoxAdmin,
        attendance: { status: () => ({ refusedCalls: [] }) } as never,
        services: { refusedCalls: () => [] } as never,
      });
      const todayOf = async (box?: string) => {
        const { checkins, people, latest, silent, devices_of_box } = await report(box ? { box: box as never } : {});
        const ids = silent.map(one => one.device_id).filter(id => id.startsWith('FACE'));
        return { all: sum(checkins), people, latest: latest.map(row => row.at), ids, devices_of_box };
      };
      expect(await todayOf(hall2)).toEqual({
        ...{ all: 3, people: 2, ids: [], devices_of_box: 1 },
        latest: ['09:06', '09:04', '08:02'].map(secondsOf),
      });
      expect(await todayOf('here')).toMatchObject({ all: 3, people: 2, ids: ['FACE-T1_A0001'] });
      expect(await todayOf()).toMatchObject({ all: 6, people: 3, devices_of_box: null });
    }));

  test(`${name}: the page Access and everything that is exported are of one site`, () =>
    withBox(open, async ({ get, text }) => {
      const doors = async (more: string) =>
        (await get(`/access${more}`)).rows.map((row: { door: string }) => row.door).sort();
      expect(await doors('')).toEqual(['North', 'South']);
      expect(await doors(`?box=${hall2}`)).toEqual(['South']);
      expect(await doors(`?box=${hall2}&result=refused`)).toEqual([]);
      expect(await doors('?box=here')).toEqual(['North']);
      for (const what of ['checkins', 'access', 'logs', 'checkin-report', 'access-report'])
        for (const row of linesOf(await text(`/export/${what}?box=${hall2}`)))
          expect(row.device_id ?? (row as unknown as { deviceId: string }).deviceId, what).toBe('FACE-T1_A0002');
      expect(idsOf({ rows: linesOf(await text(`/export/checkins?box=${hall2}`)) })).toEqual(['e2', 'e3', 'nobody']);
      expect(linesOf(await text('/export/access?box=here')).length).toBe(1);
      expect(linesOf(await text('/export/checkins?box=GATEHOUSE_000003'))).toEqual([]);
      const csv = await text(`/reports/checkins.csv?month=2026-11&box=${hall2}`);
      expect(csv).toContain('Person 2');
      expect(csv).not.toContain('Person 1');
      expect(await text('/reports/checkins.csv?month=2026-11')).toContain('Person 1');
    }));

  test(`${name}: the attendance API hands out one site by box_id, and without it all as before`, () =>
    withBox(open, async ({ caller }) => {
      const walk = async (command: string, more: object) => {
        const found: { ext_id: string; door_id: string }[] = [];
        for (let next_id = 0; ; ) {
          const { code, msg, data } = await caller.run(command, { next_id, page_size: 1, pass_only: false, ...more });
          expect([code, msg]).toEqual([0, 'ok']);
          next_id = data.next_id;
          if (data.data.length === 0) return { found, next_id };
          found.push(...data.data);
        }
      };
      const extIds = async (more: object) => (await walk('checkin_query', more)).found.map(one => one.ext_id);
      expect(await extIds({})).toEqual(['e1', 'e2', 'e3', 'e3']);
      expect(await extIds({ box_id: null })).toEqual(['e1', 'e2', 'e3', 'e3']);
      expect(await extIds({ box_id: 'gatehouse_000002' })).toEqual(['e2', 'e3']);
      expect(await extIds({ box_id: 'here' })).toEqual(['e1', 'e3']);
      const doors = async (more: object) => (await walk('checkin_acs_query', more)).found.map(one => one.door_id);
      expect(await doors({})).toEqual(['North', 'South']);
      expect(await doors({ box_id: hall2 })).toEqual(['South']);
      // The end of all records, so that what was looked at is not looked at again.
      const { next_id } = await walk('checkin_query', {});
      expect(await walk('checkin_query', { box_id: 'GATEHOUSE_000003' })).toEqual({ found: [], next_id });
      expect(await caller.run('checkin_query', { next_id: 0, box_id: 'GATEHOUSE_000009' })).toMatchObject({
        code: 203,
        msg: 'unknown id: box_id: no box below has this id',
      });
      expect(await caller.run('checkin_query', { next_id: 2 ** 31 + 1, box_id: 'here' })).toMatchObject({ code: 106 });
      expect(await caller.run('checkin_query', { next_id: 0, box_id: '' })).toMatchObject({ code: 106 });
    }));
}
