import { expect, test } from 'vitest';
import type { Store } from '../../../src/store/index.ts';
import { recordsIn } from '../../support/check-in-page.ts';
import { aProduct, append, applied, aStore, registered } from '../../support/store.ts';

const at = 1_763_600_000_000;
const seconds = at / 1000;
const mei = { ext_id: 'e1', name: 'Li Mei', employee_num: '0042', department: { ext_id: 'd1' } };
const departments = [{ ext_id: 'd1', name: 'Assembly' }];

async function aSite() {
  const opened = await aStore();
  const { store } = opened;
  const { deviceNo } = await registered(store);
  await applied(store, { products: [aProduct()], departments, employees: [mei] });
  await store.write.initCheckIns({ at });
  let mid = 0;
  const report = async (action: number, records: readonly object[]) => {
    const payload = Buffer.from(
      JSON.stringify({ mid: `m${++mid}`, from: 'x', to: 'system', time: 0, action, data: { records } }),
    );
    await append(store, { deviceNo, channel: 'device', receivedAt: at, logPath: '', marks: {}, payload });
    await store.catchUp();
  };
  return { ...opened, store, report, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
}
const punch = (ext_id: string, more: object = {}) => ({ ext_id, check_type: 'fa', check_time: seconds, ...more });
const join = async (store: Store, saidExtId: string) => {
  const joined = await store.write.joinPerson({ saidExtId, saidNumber: '', extId: 'e1', at, by: 'mei' });
  return (joined as { value: { id: number; checkIns: number } }).value;
};
const shown = async (store: Store) =>
  recordsIn<{ id: string; check_data: object; check_time: number }>(
    await store.read.checkInPage({ after: 0, limit: 100 }),
  );

test('the phone of a check-in is still named when its person was unknown for a while', async () => {
  await using site = await aSite();
  await site.report(2001, [
    punch('e1', { check_type: 'wifi', check_data: { terminal_id: 'phone-7', name: 'Office' } }),
  ]);
  const before = await shown(site.store);
  expect(before).toMatchObject([{ terminal_id: 'phone-7' }]);
  await site.store.write.applySite({ site: { employees: [] }, prune: true, dryRun: false, at });
  expect(await shown(site.store)).toEqual([]);
  await applied(site.store, { employees: [mei] });
  expect(await shown(site.store)).toMatchObject([{ id: before[0]!.id, terminal_id: 'phone-7' }]);
});

test('a join resolves earlier and later check-ins and passages; its undo takes away these alone, without the name', async () => {
  await using site = await aSite();
  const { store } = site;
  await site.report(2001, [punch('x9'), punch('e1', { check_time: seconds + 60 })]);
  await site.report(2002, [{ ...punch('x9'), door_id: 'd', check_type: 'card', check_result: 0 }]);
  const { id, checkIns } = await join(store, 'x9');
  expect(checkIns).toBe(1);
  await site.report(2001, [punch('x9', { check_time: seconds + 120 })]);
  await site.report(2002, [
    { ...punch('x9'), door_id: 'd', check_type: 'card', check_result: 0, check_time: seconds + 9 },
  ]);
  expect((await shown(store)).map(one => one.check_data)).toEqual(
    Array(3).fill(expect.objectContaining({ member_name: 'Li Mei' })),
  );
  const passages = async () => (await store.read.accessEvents({ limit: 10, lookMax: 10 })).rows.map(one => one.name);
  expect(await passages()).toEqual(['Li Mei', 'Li Mei']);

  await store.write.separatePerson({ id });
  expect((await shown(store)).map(one => one.check_time)).toEqual([seconds + 60]);
  expect((await store.read.unresolvedPeople(10)).people).toMatchObject([{ extId: 'x9', records: 2 }]);
  expect(await passages()).toEqual(['', '']);
  await applied(store, { employees: [{ ...mei, ext_id: 'x9', name: 'Wu' }] });
  expect((await shown(store)).map(one => one.check_data)).toEqual([
    expect.objectContaining({ member_name: 'Li Mei' }),
    expect.objectContaining({ member_name: 'Wu' }),
    expect.objectContaining({ member_name: 'Wu' }),
  ]);
});

test('a deleted person takes the check-ins of joined ids along, and the ids are free again', async () => {
  await using site = await aSite();
  await site.report(2001, [punch('x9')]);
  await join(site.store, 'x9');
  await site.store.write.deleteEmployee({ extId: 'e1', at, queue: null });
  expect(await shown(site.store)).toEqual([]);
  expect(await site.store.read.aliases(10)).toEqual([]);
  expect((await site.store.read.erasures(10)).map(one => one.extId).sort()).toEqual(['e1', 'x9']);
});

test('an unknown id is probably the only person whose id or number differs in case and leading zeros', async () => {
  await using site = await aSite();
  await applied(site.store, {
    departments,
    employees: [
      mei,
      { ...mei, ext_id: 'A7', name: 'Wu', employee_num: '7' },
      { ...mei, ext_id: '07', employee_num: '' },
    ],
  });
  const likely = (saidExtId: string, saidNumber = '') => ({ saidExtId, saidNumber });
  expect(
    await site.store.read.likelyPeople({
      said: [likely('42'), likely('a7'), likely('', '007'), likely('', ''), likely('z')],
    }),
  ).toEqual([{ extId: 'e1', name: 'Li Mei' }, { extId: 'A7', name: 'Wu' }, null, null, null]);
});
