import { expect, test } from 'vitest';
import { receiptsResource } from '../../src/admin/receipts.ts';
import { exportRows } from '../../src/admin/rows.ts';
import { columnsOf } from '../../src/attendance/reports/columns.ts';
import type { ReportRow } from '../../src/store/index.ts';
import { aPair } from '../support/mirror-pair.ts';

const at = 1_763_600_000;

type Pair = Awaited<ReturnType<typeof aPair>>;
type What = Parameters<typeof exportRows>[1];

async function exported({ box }: Pair, what: What) {
  const rows: Record<string, unknown>[] = [];
  for await (const row of exportRows(box.gateway.store, what, {}, 'Asia/Shanghai')) rows.push(row);
  return rows;
}

test('records that only the cloud has are exported with the place that they name, else as the cloud’s', async () => {
  await using pair = await aPair();
  const { cloud } = pair;
  await pair.start();
  await cloud.report({
    records: [
      { ext_id: 'e1', check_type: 'wifi', check_time: at, check_data: { terminal_id: 'phone-1', name: 'Head office' } },
      { ext_id: 'e1', check_type: 'reissue', check_time: at + 60 },
    ],
  });
  const passage = { door_id: 'D9', check_type: 'fa', check_time: at, check_result: 2 };
  await cloud.report({ records: [{ ext_id: '', ...passage }] }, { action: 2002 });
  await pair.sync();

  expect(await exported(pair, 'checkins')).toMatchObject([
    { device_id: '', terminal_id: 'phone-1', check_data: { name: 'Head office' } },
    { device_id: '', terminal_id: 'apply' },
  ]);
  expect(await exported(pair, 'access')).toMatchObject([{ device_id: '', door_id: 'D9' }]);

  const rows = (await exported(pair, 'checkin-report')) as unknown as ReportRow[];
  const devices = (language: 'zh-CN' | 'en') => {
    const column = columnsOf('checkins', language).find(({ header }) => header === 'Device' || header === '设备名称')!;
    return rows.map(row => column.cell(row));
  };
  expect(devices('en')).toEqual(['Head office', 'Cloud']);
  expect(devices('zh-CN')).toEqual(['Head office', '云平台']);
});

test('a passage of the cloud that names no door has none in the attendance API either', async () => {
  await using pair = await aPair();
  await pair.start();
  const { write, read } = pair.box.gateway.store;
  const { nextId: from } = await read.mirrorCursor('access');
  const passage = { userId: '', extId: 'e1', doorId: '', checkType: 'fa', checkTime: at, checkData: {} };
  const record = { ...passage, id: 7, checkResult: 0, captureImg: null };
  await write.mirrorAccess({ from, next: from + 7, records: [record], at: 1 });
  const { data } = await pair.box.caller.run('checkin_acs_query', { next_id: 0 });
  expect(data.data).toMatchObject([{ ext_id: 'e1', door_id: '' }]);
});

test('a check-in has the id in an export by which callers of the attendance API know it', async () => {
  await using pair = await aPair();
  const { box } = pair;
  const { seen } = await movedCheckIn(pair);
  const { records } = await box.caller.walk();
  expect(records.map(one => [one.ext_id, Number(one.id)])).toEqual([
    ['e1', seen[1]],
    ['e7', seen[0]],
  ]);
  for (const what of ['checkins', 'checkin-report'] as const)
    expect((await exported(pair, what)).map(row => row.id).sort()).toEqual([...seen].sort());
});

test('a check-in that moved has its receipt under the id that pages show', async () => {
  await using pair = await aPair();
  const { store } = pair.box.gateway;
  const { seen, whileRefused } = await movedCheckIn(pair);
  const { receipt } = receiptsResource.running({ store });
  const times = () => Promise.all(seen.map(async checkin => (await receipt({ checkin })).at_device?.time));
  expect(whileRefused.at_device?.time).toBe(at);
  expect(await times()).toEqual([at, at + 60]);
});

/** Two check-ins, of which the first moves: its person is known, refused by the cloud, and known again. */
async function movedCheckIn(pair: Pair) {
  const { box } = pair;
  const { read, write } = box.gateway.store;
  await pair.start();
  const person = { employee_ext_id: 'e7', name: 'Seven', mobile: '1', employee_num: '7' };
  await box.caller.call('/v2.0/employee', { ...person, department_infos: [{ ext_id: 'd1' }] });
  await box.punch('e7', at);
  await box.punch('e1', at + 60);
  const seen = (await box.caller.walk()).records.map(one => Number(one.id));
  pair.line.refuse = body => (body.includes('"Seven"') ? { code: 106, msg: 'request body format wrong' } : null);
  await pair.sync();
  await pair.sync();
  const whileRefused = await receiptsResource.running({ store: box.gateway.store }).receipt({ checkin: seen[0] });
  pair.line.refuse = () => null;
  const refused = (await read.organizationWrites({ refused: true, limit: 1 })).rows[0]!;
  await write.dismissOrganizationWrite({ id: refused.id, again: true, at: 1 });
  await pair.sync();
  return { seen, whileRefused };
}
