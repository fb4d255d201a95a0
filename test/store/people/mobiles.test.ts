import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { maskedMobile } from '../../../src/platform/masked-mobile.ts';
import { applied, aStore } from '../../support/store.ts';

const mobile = '13800001234';
const site = {
  departments: [{ ext_id: 'd1', name: 'Assembly' }],
  employees: [{ ext_id: 'e1', name: 'Li Mei', mobile, employee_num: '1', department: { ext_id: 'd1' } }],
};

const holders = (dataDir: string, text: string): string[] =>
  readdirSync(dataDir).filter(name => /^gatehouse/.test(name) && readFileSync(join(dataDir, name)).includes(text));

const fromCloud = (change: object = {}) => ({
  id: '70',
  extId: 'e7',
  name: 'Wang',
  mobile: '13911112222',
  employeeNum: '7',
  departmentId: '1',
  ...change,
});

test('mobile numbers stand sealed in the store, and are read as they were written', async () => {
  await using opened = await aStore();
  const { store } = opened;
  await applied(store, site);
  const mirror = (mobileThere: string) =>
    store.write.mirrorOrganization({
      departments: [],
      employees: [fromCloud({ mobile: mobileThere })],
      at: 1,
    });
  await mirror('13911112222');
  // Changed on both sides: the conflict has both numbers.
  const queue = { at: 1, caller: 'a', path: '/v2.0/employee', command: '', subject: 'employee e7', body: '{}' };
  await store.write.putEmployee({ extId: 'e7', mobile: '13922223333', at: 1, queue });
  await mirror('13933334444');
  const { rows } = await store.read.employees({ limit: 9, offset: 0 });
  expect(rows.map(row => row.mobile)).toEqual([mobile, '13922223333']);
  expect((await store.read.person('e1'))?.mobile).toBe(mobile);
  expect((await store.read.conflicts(9)).rows).toMatchObject([
    { cloudSide: { mobile: '13933334444' }, boxSide: { mobile: '13922223333' } },
  ]);
  expect((await store.read.site({ withSecrets: false })).employees?.[0]).toMatchObject({ mobile });
  expect(await applied(store, site)).toEqual([]);
  for (const text of [mobile, '13911112222', '13922223333', '13933334444'])
    expect(holders(opened.dataDir, text)).toEqual([]);
});

test.each([
  ['13800001234', '138****1234'],
  ['12345678', '****78'],
  ['1234', '****'],
  ['', ''],
])('%s is shown to a viewer as %s', (whole, shown) => {
  expect(maskedMobile(whole)).toBe(shown);
});
