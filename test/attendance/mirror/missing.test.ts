import { expect, test } from 'vitest';
import { type AttendanceBox, anAttendanceBox, aPullingTerminal } from '../../support/attendance.ts';
import { aPair } from '../../support/mirror-pair.ts';
import { aProduct, applied } from '../../support/store.ts';
import { storeDigest } from '../../support/store-digest.ts';
import { until } from '../../support/until.ts';

type Pair = Awaited<ReturnType<typeof aPair>>;
type Row = { id: string; ext_id: string };

const hourMs = 3600_000;
const [employees, departments] = ['/v2.0/employee/query', '/v2.0/department/query'];

/** The cloud's list without some rows, whole as it is. */
function without({ line }: Pair, path: string, isGone: (row: Row, place: number) => boolean): void {
  line.lie = (asked, answer) => {
    if (!asked.startsWith(path)) return answer;
    const rows = (answer.data as { rows: Row[] }).rows.filter((row, place) => !isGone(row, place));
    return { ...answer, data: { total: rows.length, rows } };
  };
}
const all = (pair: Pair): void => {
  pair.line.lie = (_asked, answer) => answer;
};

/** The wall clock goes on, which is what counts; the rounds that lie between would only take time. */
const later = ({ clock }: Pair, hours: number): void => clock.set(clock.now() + hours * hourMs);

/** Rounds every six hours, as long as is said. */
async function rounds(pair: Pair, hours: number) {
  let status = await pair.sync();
  for (let passed = 0; passed < hours; passed += 6) {
    later(pair, 6);
    status = await pair.sync();
  }
  return status;
}

const listed = async ({ caller }: AttendanceBox): Promise<string[]> =>
  ((await caller.call(employees)).data.rows as Row[]).map(row => row.ext_id);
const missing = ({ gateway }: AttendanceBox) => gateway.store.read.missingAtCloud(50);

/** People whom the box knows, one of them with a check-in; the terminal's session is over. */
async function aSite(people: number): Promise<Pair> {
  const pair = await aPair({ people, featuresStay: true });
  await pair.start();
  await pair.box.punch('e1');
  await pair.clock.advance(hourMs);
  await pair.sync();
  return pair;
}

test('who is missing in a whole list is hidden from callers, and comes back with everything after 23 hours', async () => {
  await using pair = await aSite(6);
  const { box } = pair;
  const before = storeDigest(box.gateway.opened.dataDir);
  without(pair, employees, row => row.ext_id === 'e1');
  expect(await pair.sync()).toMatchObject({ state: 'up', hidden: 1, held: 0 });
  expect(await listed(box)).toEqual(['e2', 'e3', 'e4', 'e5', 'e6']);
  const since = pair.clock.now();
  const [row] = (await missing(box)).rows;
  expect(row).toMatchObject({ kind: 'employee', extId: 'e1', name: 'Li Mei' });
  expect(since - row!.since!).toBeLessThan(60_000);
  expect(row!.deletedFrom! - row!.since!).toBe(24 * hourMs);
  await rounds(pair, 18);
  later(pair, 5);
  all(pair);
  expect(await pair.sync()).toMatchObject({ hidden: 0 });
  expect(storeDigest(box.gateway.opened.dataDir)).toEqual(before);
});

test('the punch of somebody who is hidden is given to callers, and the terminal keeps the person until the deletion', async () => {
  await using pair = await aSite(6);
  const { box } = pair;
  await applied(box.gateway.store, { devices: [{ device_id: 'FACE-T1_A0002' }] });
  const terminal = await aPullingTerminal(box, 'FACE-T1_A0002');
  expect((await terminal.pulled()).flatMap(({ upsert }) => upsert)).toHaveLength(6);
  without(pair, employees, () => true);
  expect(await pair.sync()).toMatchObject({ hidden: 6 });
  const punch = { ext_id: 'e2', check_type: 'fa', check_time: Math.floor(pair.clock.now() / 1000) };
  await box.report({ records: [punch] }, { deviceId: 'FACE-T1_A0003' });
  expect((await box.caller.walk()).records.map(one => one.ext_id)).toEqual(['e1', 'e2']);
  expect(await terminal.pulled()).toEqual([]);
  await rounds(pair, 24);
  expect((await terminal.pulled()).flatMap(({ remove }) => remove)).toHaveLength(6);
});

test('who is missing in whole lists for 24 hours is deleted, and only then', async () => {
  await using pair = await aSite(6);
  const { box } = pair;
  without(pair, employees, row => row.ext_id === 'e1');
  expect(await rounds(pair, 18)).toMatchObject({ hidden: 1 });
  expect((await box.caller.walk()).records).toHaveLength(1);
  expect(await rounds(pair, 6)).toMatchObject({ hidden: 0 });
  expect((await box.caller.walk()).records).toEqual([]);
  all(pair);
  await pair.sync();
  expect(await listed(box)).toEqual(['e2', 'e3', 'e4', 'e5', 'e6', 'e1']);
});

test('days without a whole list do not count, nor does a leap of the clock', async () => {
  await using pair = await aSite(6);
  const { box, clock, line } = pair;
  without(pair, employees, row => row.ext_id === 'e1');
  await pair.sync();
  line.isUp = false;
  later(pair, 100);
  await pair.sync();
  line.isUp = true;
  expect(await pair.sync()).toMatchObject({ hidden: 1 });
  later(pair, 50 * 365 * 24);
  expect(await pair.sync()).toMatchObject({ hidden: 1 });
  later(pair, -60 * 365 * 24);
  expect(await pair.sync()).toMatchObject({ hidden: 1 });
  const [row] = (await missing(box)).rows;
  expect(clock.now() - row!.since!).toBeLessThan(13 * hourMs);
  expect(await rounds(pair, 12)).toMatchObject({ hidden: 0 });
});

test('half of the site is held back until staff deletes it, and a list that is half repaired deletes nobody', async () => {
  await using pair = await aSite(30);
  const { box } = pair;
  without(pair, employees, row => Number(row.ext_id.slice(1)) > 10);
  expect(await rounds(pair, 72)).toMatchObject({ hidden: 0, held: 20 });
  expect((await missing(box)).rows[0]).toMatchObject({ since: null, deletedFrom: null });
  without(pair, employees, row => Number(row.ext_id.slice(1)) > 25);
  expect(await pair.sync()).toMatchObject({ hidden: 5, held: 0 });
  without(pair, employees, row => Number(row.ext_id.slice(1)) > 10);
  expect(await pair.sync()).toMatchObject({ held: 20 });
  expect(await box.attendance.deleteMissing(19)).toBeNull();
  expect(await box.attendance.deleteMissing(20)).toBe(20);
  expect(box.attendance.status().mirror).toMatchObject({ hidden: 0, held: 0 });
  all(pair);
  await pair.sync();
  expect(await listed(box)).toHaveLength(30);
});

test('an empty organization is a whole list too: everybody is hidden, and nothing is lost when it was a mistake', async () => {
  await using pair = await aSite(6);
  const { dataDir } = pair.box.gateway.opened;
  const before = storeDigest(dataDir);
  for (const path of [employees, departments]) {
    without(pair, path, () => true);
    await rounds(pair, 12);
    all(pair);
    await pair.sync();
    expect(storeDigest(dataDir)).toEqual(before);
  }
});

test('a department that is missing is hidden unless listed people are in it, and is deleted behind its people', async () => {
  await using pair = await aSite(6);
  const { box, line } = pair;
  const shown = async () => ((await box.caller.call(departments)).data.rows as { name: string }[]).map(row => row.name);
  without(pair, departments, row => 'name' in row && row.name === 'Assembly');
  expect(await pair.sync()).toMatchObject({ hidden: 0 });
  expect(await shown()).toEqual(['Plant 4', 'Assembly']);
  line.lie = (asked, answer) => {
    const isDepartments = asked.startsWith(departments);
    if (!isDepartments && !asked.startsWith(employees)) return answer;
    const rows = isDepartments ? (answer.data as { rows: Row[] }).rows.slice(0, 1) : [];
    return { ...answer, data: { total: rows.length, rows } };
  };
  expect(await pair.sync()).toMatchObject({ hidden: 7 });
  expect(await shown()).toEqual(['Plant 4']);
  expect(await rounds(pair, 24)).toMatchObject({ hidden: 0 });
  expect(await missing(box)).toEqual({ hidden: 0, held: 0, rows: [] });
  all(pair);
  await pair.sync();
  expect(await listed(box)).toHaveLength(6);
});

test('what a row does not say stays as it is here', async () => {
  await using pair = await aSite(6);
  const { dataDir } = pair.box.gateway.opened;
  const before = storeDigest(dataDir);
  const fields = ['ext_id', 'name', 'mobile', 'employee_num', 'department_infos', 'pid', 'department_ext_id'];
  for (const field of fields)
    for (const said of [undefined, null]) {
      pair.line.lie = (asked, answer) => {
        if (!asked.startsWith(departments) && !asked.startsWith(employees)) return answer;
        const { total, rows } = answer.data as { total: number; rows: object[] };
        return { ...answer, data: { total, rows: rows.map(row => (field in row ? { ...row, [field]: said } : row)) } };
      };
      expect(await pair.sync()).toMatchObject({ state: 'up', hidden: 0 });
      expect(storeDigest(dataDir), `${field}: ${said}`).toEqual(before);
    }
});

test('a change that waits for somebody who is missing goes to the cloud, and both sides are noted', async () => {
  await using pair = await aSite(6);
  const { box, line } = pair;
  without(pair, employees, row => row.ext_id === 'e1');
  line.refuse = asked => (asked.includes('Mei Li') ? { code: 110, msg: 'later' } : null);
  const change = { employee_ext_id: 'e1', name: 'Mei Li', mobile: '1', employee_num: '1001' };
  await box.caller.call('/v2.0/employee', { ...change, department_infos: [{ ext_id: 'd1' }] });
  await pair.sync();
  expect((await box.gateway.store.read.conflicts(9)).rows).toMatchObject([{ subject: 'employee e1', cloudSide: null }]);
  expect(await missing(box)).toMatchObject({ hidden: 0 });
  line.refuse = () => null;
  all(pair);
  await pair.sync();
  expect((await pair.cloud.gateway.store.read.employees({ limit: 9, offset: 0 })).rows[0]).toMatchObject({
    name: 'Mei Li',
  });
  expect(await listed(box)).toHaveLength(6);
  expect((await box.caller.walk()).records).toHaveLength(1);
});

test('a box above takes the list of a box whose devices share a serial number', async () => {
  await using pair = await aSite(1);
  const { cloud } = pair;
  await applied(cloud.gateway.store, {
    products: [aProduct(), aProduct({ product_id: 'DOOR-1' })],
    devices: [{ device_id: 'DOOR-1_A0001' }, { device_id: 'DOOR-1_A0002' }],
  });
  expect(await pair.sync()).toMatchObject({ state: 'up', incomplete: '' });
});

test('a box that follows the cloud no more hides nobody', async () => {
  await using pair = await aSite(6);
  const { box } = pair;
  without(pair, employees, row => row.ext_id === 'e1');
  await pair.sync();
  await using alone = await anAttendanceBox({ gateway: { opened: box.gateway.opened } as never, site: {} });
  await until('everybody is listed', async () => (await listed(alone)).includes('e1'));
});
