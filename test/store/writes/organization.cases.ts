import { expect } from 'vitest';
import type { CloudDepartment, CloudEmployee, MirrorWrites, OrganizationWrites } from '../../../src/store/index.ts';
import { recordsIn } from '../../support/check-in-page.ts';
import { at, type Cases, dayMs, message, type PortStore, type Site, seconds } from './case.ts';

const page = { limit: 10, offset: 0 };
const face = { featureType: 'fa', featureAlg: 'a1' } as const;
/** The box is the authority: nothing is queued for a cloud. */
const here = { at, queue: null } as const;
/** The cloud is: what was done here waits for it. */
const forCloud = (subject: string) => ({
  at,
  queue: { at, caller: 'hr', path: '/api/x', command: 'x', subject, body: `{"about":"${subject}"}` },
});

const assembly = { extId: 'd1', name: 'Assembly', parentExtId: null, ...here };
const mei = { extId: 'e1', name: 'Li Mei', mobile: '13800000000', employeeNum: '1001', department: { extId: 'd1' } };

/** One department and one person in it. */
async function staffed({ write }: PortStore): Promise<void> {
  await write.putDepartment(assembly);
  await write.putEmployee({ ...mei, ...here });
}

const cloudRoot: CloudDepartment = { id: '500', pid: '', name: 'Plant 4', extId: '0' };
const cloudAssembly: CloudDepartment = { id: '501', pid: '500', name: 'Assembly', extId: 'd1' };
const cloudMei: CloudEmployee = {
  ...{ id: '901', extId: 'e1', name: 'Li Mei', mobile: '1', employeeNum: '1001', departmentId: '501' },
};
const mirror = (store: PortStore, employees: readonly CloudEmployee[]) =>
  store.write.mirrorOrganization({
    ...{ departments: [cloudRoot, cloudAssembly], employees, at },
  });

/** What the cloud says of somebody whom the box has changed, and not yet told it of. */
async function aConflict({ store }: Site): Promise<number> {
  await mirror(store, [cloudMei]);
  await store.write.putEmployee({ extId: 'e1', name: 'Mei Li', ...forCloud('employee e1') });
  expect(await mirror(store, [{ ...cloudMei, name: 'Li M.' }])).toMatchObject({ conflicts: 1 });
  return (await store.read.conflicts(10)).rows[0]!.id;
}

/** The cloud refuses for good what was queued for it; returns the number of the write. */
async function aRefusedWrite({ store }: Site): Promise<number> {
  await store.write.putDepartment({ ...assembly, ...forCloud('department d1') });
  const { id } = (await store.read.nextOrganizationWrite())!;
  await store.write.settleOrganizationWrite({ id, outcome: { code: 106, reason: 'no' }, at });
  return id;
}

/** Writes of the mirror that change the organization. */
export type MirroredOrganization =
  | 'mirrorOrganization'
  | 'deleteMissingAtCloud'
  | 'showMissingAtCloud'
  | 'mirrorFeatures';

export const organizationCases: Cases<OrganizationWrites & Pick<MirrorWrites, MirroredOrganization>> = {
  initDepartment: async ({ store }) => {
    expect(await store.write.initDepartment({ extId: 'root', ...here })).toMatchObject({
      ok: true,
      value: { extId: 'root' },
    });
    expect((await store.read.departments(page)).rows).toMatchObject([{ extId: 'root', parentId: '' }]);
    await store.write.putDepartment(assembly);
    expect(await store.write.initDepartment({ extId: 'd1', ...here })).toMatchObject({
      ok: false,
      refusal: { code: 'ext_id_in_use' },
    });
  },
  putDepartment: async ({ store }) => {
    await store.write.putDepartment(assembly);
    await store.write.putDepartment({ extId: 'd2', name: 'Line 1', parentExtId: 'd1', ...here });
    await store.write.putDepartment({ ...assembly, name: 'Assembly hall' });
    const { total, rows } = await store.read.departments(page);
    const [root, hall, line] = rows;
    expect(total).toBe(3);
    expect(hall).toMatchObject({ extId: 'd1', name: 'Assembly hall', parentId: root!.id });
    expect(line).toMatchObject({ extId: 'd2', parentId: hall!.id });
    const under = (parentExtId: string) => store.write.putDepartment({ ...assembly, parentExtId });
    expect(await under('nowhere')).toMatchObject({ ok: false, refusal: { code: 'unknown_id', field: 'p_ext_id' } });
    expect(await under('d2')).toMatchObject({ ok: false, refusal: { code: 'bad_body', field: 'p_ext_id' } });
  },
  setDepartmentExt: async ({ store }) => {
    await store.write.putDepartment(assembly);
    const { id } = (await store.read.departments(page)).rows[1]!;
    expect(await store.write.setDepartmentExt({ id, extId: 'd9', ...here })).toMatchObject({ ok: true });
    expect((await store.read.departments(page)).rows[1]).toMatchObject({ id, extId: 'd9' });
    expect(await store.write.setDepartmentExt({ id: '77', extId: 'd9', ...here })).toMatchObject({
      ok: false,
      refusal: { code: 'unknown_id' },
    });
  },
  deleteDepartment: async ({ store }) => {
    await staffed(store);
    expect(await store.write.deleteDepartment({ extId: 'd1', ...here })).toMatchObject({
      ok: false,
      refusal: { code: 'department_has_employees' },
    });
    await store.write.deleteEmployee({ extId: 'e1', ...here });
    await store.write.putDepartment({ extId: 'd2', name: 'Line 1', parentExtId: 'd1', ...here });
    expect(await store.write.deleteDepartment({ extId: 'd1', ...here })).toMatchObject({ ok: true });
    expect((await store.read.departments(page)).total).toBe(1);
    expect(await store.write.deleteDepartment({ extId: 'd1', ...here })).toMatchObject({ ok: true });
  },
  putEmployee: async ({ store }) => {
    await staffed(store);
    await store.write.putEmployee({ extId: 'e1', name: 'Mei Li', ...here });
    const { rows } = await store.read.employees(page);
    expect(rows).toMatchObject([{ extId: 'e1', name: 'Mei Li', mobile: '13800000000', employeeNum: '1001' }]);
    expect(await store.write.putEmployee({ extId: 'e2', name: 'Wang', ...here })).toMatchObject({
      ok: false,
      refusal: { code: 'bad_body', field: 'mobile' },
    });
    expect((await store.read.employees(page)).total).toBe(1);
    // A move keeps where the person stood, and a department that is gone its name.
    await store.write.putDepartment({ ...assembly, extId: 'd2', name: 'Nights' });
    const ids = [(await store.read.person('e1'))!.place.id];
    const of = { since: '2025-11-01' } as const;
    const [d1, d2] = (await store.read.departmentTree(9)).slice(1).map(({ id }) => id);
    await store.write.putEmployee({ extId: 'e1', department: { extId: 'd2', since: '2025-11-13' }, ...here });
    expect(await store.read.formerDepartments({ ids, ...of })).toEqual(
      new Map([[ids[0], [{ until: '2025-11-12', departmentId: d1 }]]]),
    );
    expect(await store.read.formerDepartments({ ids, since: '2025-11-13' })).toEqual(new Map());
    const people = (departmentId: number | undefined, day: string) =>
      store.read.people({ stoodIn: { departmentIds: [departmentId!], from: day, to: day }, limit: 9 });
    expect(await people(d1, '2025-11-12')).toMatchObject([{ extId: 'e1', departmentExtId: 'd2' }]);
    expect(await people(d2, '2025-11-12')).toEqual([]);
    expect([await people(d1, '2025-11-13'), (await people(d2, '2025-11-13')).length]).toEqual([[], 1]);
    await store.write.deleteDepartment({ extId: 'd1', ...here });
    const { nodes } = await store.read.departmentsByDate(of.since);
    expect(nodes.map(({ id, extId }) => `${id === d1} ${extId}`)).toContain('true d1');
    await store.write.deleteEmployee({ extId: 'e1', ...here });
    expect(await store.read.formerDepartments({ ids, ...of })).toEqual(new Map());
  },
  setEmployeeExt: async ({ store }) => {
    await staffed(store);
    await store.write.putFeatures({ users: [{ extId: 'e1', ...face, values: ['f1'] }], ...here });
    const { id } = (await store.read.employees(page)).rows[0]!;
    await store.write.putEmployee({ ...mei, extId: 'e2', ...here });
    expect(await store.write.setEmployeeExt({ id, extId: 'e2', ...here })).toMatchObject({
      ok: false,
      refusal: { code: 'ext_id_in_use' },
    });
    expect(await store.write.setEmployeeExt({ id, extId: 'e9', ...here })).toMatchObject({ ok: true });
    expect(await store.read.features({ extId: 'e9', ...face })).toEqual([{ value: 'f1', isAbnormal: false }]);
    expect(await store.read.features({ extId: 'e1', ...face })).toBeNull();
  },
  deleteEmployee: async ({ store, report }) => {
    await staffed(store);
    await store.write.initCheckIns({ at });
    await report(message(2001, { records: [{ ext_id: 'e1', check_type: 'fa', check_time: seconds }] }));
    await store.catchUp();
    expect((await store.read.checkInPage({ after: 0, limit: 10 })).count).toBe(1);
    await store.write.deleteEmployee({ extId: 'e1', ...here });
    expect((await store.read.employees(page)).total).toBe(0);
    expect((await store.read.checkInPage({ after: 0, limit: 10 })).count).toBe(0);
    expect(await store.write.deleteEmployee({ extId: 'e1', ...here })).toMatchObject({ ok: true });
  },
  joinPerson: async ({ store, report }) => {
    await staffed(store);
    const stranger = { saidExtId: 'x1', saidNumber: '' };
    await report(message(2001, { records: [{ ext_id: 'x1', check_type: 'fa', check_time: seconds }] }));
    await store.catchUp();
    const join = (said: typeof stranger, extId = 'e1') => store.write.joinPerson({ ...said, extId, at, by: 'mei' });
    expect(await join(stranger, 'nobody')).toMatchObject({ ok: false, refusal: { code: 'unknown_id' } });
    expect(await join({ saidExtId: '', saidNumber: '' })).toMatchObject({ ok: false, refusal: { code: 'bad_body' } });
    expect(await join({ saidExtId: 'e1', saidNumber: '' })).toMatchObject({
      ok: false,
      refusal: { code: 'ext_id_in_use' },
    });
    const joined = await join(stranger);
    expect(joined).toMatchObject({ ok: true, value: { checkIns: 1 } });
    expect(await join(stranger)).toEqual(joined);
    expect((await store.read.checkins({ limit: 10 })).map(one => one.extId)).toEqual(['e1']);
    expect(await store.read.aliases(10)).toMatchObject([{ ...stranger, extId: 'e1', name: 'Li Mei', checkIns: 1 }]);
  },
  separatePerson: async ({ store, report }) => {
    await staffed(store);
    const punch = (extra: object) => report(message(2001, { records: [{ check_type: 'fa', ...extra }] }));
    await punch({ employee_num: '77', check_time: seconds });
    await store.catchUp();
    const said = { saidExtId: '', saidNumber: '77' };
    const joined = await store.write.joinPerson({ ...said, extId: 'e1', at, by: 'mei' });
    await punch({ employee_num: '77', check_time: seconds + 600 });
    await punch({ ext_id: 'e1', check_time: seconds + 1200 });
    await store.catchUp();
    expect((await store.read.unresolvedPeople(10)).records).toBe(0);
    const { id } = (joined as { value: { id: number } }).value;
    expect(await store.write.separatePerson({ id })).toMatchObject({ ...said, extId: 'e1', checkIns: 2 });
    expect(await store.write.separatePerson({ id })).toBeNull();
    expect((await store.read.unresolvedPeople(10)).people).toMatchObject([{ employeeNum: '77', records: 2 }]);
    expect(await store.read.aliases(10)).toEqual([]);
  },
  putFeatures: async ({ store }) => {
    await staffed(store);
    const put = (extId: string, values: string[]) =>
      store.write.putFeatures({ users: [{ extId, ...face, values }], ...here });
    expect(await put('e1', ['f1', 'f2'])).toEqual([]);
    expect(await put('nobody', ['f1'])).toEqual(['nobody']);
    expect(await store.read.features({ extId: 'e1', ...face })).toEqual(
      ['f1', 'f2'].map(value => ({ value, isAbnormal: false })),
    );
    expect(await store.read.featureKinds()).toEqual([face]);
    await put('e1', []);
    expect(await store.read.features({ extId: 'e1', ...face })).toEqual([]);
  },
  initCheckIns: async ({ store, report }) => {
    await staffed(store);
    const punch = async (check_time: number) => {
      await report(message(2001, { records: [{ ext_id: 'e1', check_type: 'fa', check_time }] }));
      await store.catchUp();
    };
    await punch(seconds);
    expect(await store.read.checkInsSince()).toBeNull();
    await store.write.initCheckIns({ at });
    await store.write.initCheckIns({ at: at + 1 });
    await punch(seconds + 60);
    expect(await store.read.checkInsSince()).toMatchObject({ at });
    const page = await store.read.checkInPage({ after: 0, limit: 10 });
    expect(page.count).toBe(1);
    expect(recordsIn(page)).toMatchObject([{ ext_id: 'e1', check_time: seconds + 60 }]);
  },
  personsSent: async ({ store, deviceNo }) => {
    await staffed(store);
    await store.write.setPeopleData({ deviceNos: [deviceNo], word: 'yes' });
    const toNo = await store.read.personChangeNo();
    const sent = (delivery: false | 'handed over') =>
      store.write.personsSent({ deviceNo, fromNo: 0, toNo, delivery, at });
    await sent(false);
    expect(await store.read.personSyncOf(deviceNo)).toBe(0);
    await sent('handed over');
    expect(await store.read.personSyncOf(deviceNo)).toBe(toNo);
  },
  mirrorOrganization: async ({ store }) => {
    expect(await mirror(store, [cloudMei])).toMatchObject({ removed: 0, conflicts: 0, held: 0 });
    expect((await store.read.departments(page)).rows).toMatchObject([
      { id: '500', name: 'Plant 4', parentId: '' },
      { id: '501', extId: 'd1', parentId: '500' },
    ]);
    expect((await store.read.employees(page)).rows).toMatchObject([{ id: '901', extId: 'e1', departmentId: '501' }]);
    expect(await mirror(store, [cloudMei])).toEqual({ changed: 0, removed: 0, conflicts: 0, hidden: 0, held: 0 });
    expect(await mirror(store, [])).toMatchObject({ removed: 0, hidden: 1 });
    expect((await store.read.employees(page)).total).toBe(0);
    expect(await store.read.missingAtCloud(10)).toEqual({
      ...{ hidden: 1, held: 0 },
      rows: [{ kind: 'employee', extId: 'e1', name: 'Li Mei', since: at, deletedFrom: at + dayMs }],
    });
    expect(await mirror(store, [cloudMei])).toMatchObject({ changed: 0, hidden: 0 });
    expect((await store.read.employees(page)).total).toBe(1);
  },
  deleteMissingAtCloud: async ({ store }) => {
    await mirror(store, [cloudMei]);
    await mirror(store, []);
    expect(await store.write.deleteMissingAtCloud({ total: 2, at })).toBeNull();
    expect(await store.read.missingAtCloud(10)).toMatchObject({ hidden: 1 });
    expect(await store.write.deleteMissingAtCloud({ total: 1, at })).toBe(1);
    expect(await store.read.missingAtCloud(10)).toEqual({ hidden: 0, held: 0, rows: [] });
  },
  showMissingAtCloud: async ({ store }) => {
    await mirror(store, [cloudMei]);
    await mirror(store, []);
    await store.write.showMissingAtCloud({});
    expect(await store.read.missingAtCloud(10)).toEqual({ hidden: 0, held: 0, rows: [] });
    expect((await store.read.employees(page)).total).toBe(1);
  },
  mirrorFeatures: async ({ store }) => {
    await mirror(store, [cloudMei]);
    const feature = { extId: 'e1', ...face, values: ['f1'], abnormal: [true], at };
    expect(await store.write.mirrorFeatures(feature)).toBe(true);
    expect(await store.write.mirrorFeatures(feature)).toBe(false);
    expect(await store.read.features({ extId: 'e1', ...face })).toEqual([{ value: 'f1', isAbnormal: true }]);
    await store.write.putFeatures({
      users: [{ extId: 'e1', ...face, values: ['f2'] }],
      ...forCloud('features of e1'),
    });
    expect(await store.write.mirrorFeatures(feature)).toBe(false);
    expect(await store.read.features({ extId: 'e1', ...face })).toMatchObject([{ value: 'f2' }]);
  },
  settleOrganizationWrite: async ({ store }) => {
    await store.write.putDepartment({ ...assembly, ...forCloud('department d1') });
    const waiting = (await store.read.nextOrganizationWrite())!;
    expect(waiting).toMatchObject({ subject: 'department d1', body: '{"about":"department d1"}', refusedAt: null });
    await store.write.settleOrganizationWrite({ id: waiting.id, outcome: 'taken', at });
    expect(await store.read.nextOrganizationWrite()).toBeNull();
    expect((await store.read.departments(page)).total).toBe(2);
    // What the cloud never had does not stay in force here.
    await store.write.putDepartment({ extId: 'd2', name: 'Paint', parentExtId: null, ...forCloud('department d2') });
    const { id } = (await store.read.nextOrganizationWrite())!;
    await store.write.settleOrganizationWrite({ id, outcome: { code: 106, reason: 'no' }, at });
    expect((await store.read.organizationWrites({ refused: true, limit: 10 })).rows).toMatchObject([
      { id, refusedAt: at, code: 106, reason: 'no' },
    ]);
    expect((await store.read.departments(page)).rows.map(row => row.extId)).toEqual(['0', 'd1']);
  },
  dismissOrganizationWrite: async it => {
    const { store } = it;
    const id = await aRefusedWrite(it);
    expect(await store.write.dismissOrganizationWrite({ id, again: true, at: at + 1 })).toBe(true);
    const again = (await store.read.nextOrganizationWrite())!;
    expect(again).toMatchObject({ at: at + 1, subject: 'department d1', body: '{"about":"department d1"}' });
    expect(again.id).toBeGreaterThan(id);
    expect(await store.write.dismissOrganizationWrite({ id: again.id, again: false, at })).toBe(false);
    await store.write.settleOrganizationWrite({ id: again.id, outcome: { code: 106, reason: 'no' }, at });
    expect(await store.write.dismissOrganizationWrite({ id: again.id, again: false, at })).toBe(true);
    expect((await store.read.organizationWrites({ refused: true, limit: 10 })).total).toBe(0);
  },
  dismissConflict: async it => {
    const { store } = it;
    const id = await aConflict(it);
    expect((await store.read.conflicts(10)).rows).toMatchObject([
      { subject: 'employee e1', cloudSide: { name: 'Li M.' }, boxSide: { name: 'Mei Li' } },
    ]);
    expect(await store.write.dismissConflict({ id })).toBe(true);
    expect(await store.write.dismissConflict({ id })).toBe(false);
    expect((await store.read.conflicts(10)).total).toBe(0);
  },
  eraseStep: async ({ store, deviceNo, report }) => {
    await staffed(store);
    const seq = await report(
      message(2003, { ext_id: 'e1', feature_type: 'fa', feature_alg: 'a1', values: ['dGVtcGxhdGU'] }),
    );
    await store.catchUp();
    await store.write.deleteEmployee({ extId: 'e1', ...here });
    const now = at + dayMs;
    const eraseAll = async () => {
      while ((await store.write.eraseStep({ now })).more);
    };
    await eraseAll();
    // The cloud has yet to have it.
    expect(await store.read.erasures(10)).toMatchObject([{ extId: 'e1', doneAt: null, waitsForCloud: true }]);
    const payload = async () => Buffer.from((await store.read.record(seq))!.payload).toString();
    expect(await payload()).toContain('dGVtcGxhdGU');
    const confirmation = { deviceNo, channel: 'device', upToSeq: seq, floorSeq: seq, at, via: 'mqtt' } as const;
    await store.write.confirm({ confirmations: [confirmation] });
    await eraseAll();
    expect(await payload()).not.toContain('dGVtcGxhdGU');
    expect(await store.read.erasures(10)).toMatchObject([{ extId: 'e1', doneAt: now, held: 0 }]);
  },
};
