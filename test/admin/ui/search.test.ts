import { expect, test } from 'vitest';
import { questionOf } from '../../../src/admin/ui/search-question.ts';
import { aSearch, departments, employee, noon, refusedCall } from '../../support/search.ts';
import { aProduct, append, applied, registered } from '../../support/store.ts';

const today = '2026-11-20';

const question = (about: string, more: object = {}) => ({ about, asksWhy: false, day: null, record: null, ...more });
const why = (about: string) => question(about, { asksWhy: true });

test.each([
  ['Li Mei', question('Li Mei')],
  ['  李梅 ', question('李梅')],
  ['why was D0014 refused', why('D0014')],
  ['Why is FACE-T1_D0014 not let in?', why('FACE-T1_D0014')],
  ['D0014 refused', why('D0014')],
  ['why were calls from payroll rejected?', why('payroll')],
  ['refused', why('')],
  ['D0014为什么被拒绝', why('D0014')],
  ['为什么 D0014 没有接入？', why('D0014')],
  ['设备D0014被拒绝的原因是什么', why('D0014')],
  ['payroll 怎么调用不了', why('payroll')],
  ['Li Mei 2026-11-03', question('Li Mei', { day: '2026-11-03' })],
  ['李梅 11月3日', question('李梅', { day: '2026-11-03' })],
  ['李梅昨天', question('李梅', { day: '2026-11-19' })],
  ['Li Mei yesterday', question('Li Mei', { day: '2026-11-19' })],
  ['e1 today', question('e1', { day: today })],
  ['GATE-1-12', question('GATE-1-12')],
  ['Li Mei 2026-13-40', question('Li Mei 2026-13-40')],
  ['17', question('17', { record: 17 })],
  ['#17', question('#17', { record: 17 })],
  ['record 17', question('record 17', { record: 17 })],
  ['记录17', question('记录17', { record: 17 })],
  ['', question('')],
] as const)('the question %j is understood', (typed, asked) => {
  expect(questionOf(typed, today)).toEqual(asked);
});

test('people, devices and records are found by name and id; equal names come first, and no mobile number comes out', async () => {
  await using box = await aSearch();
  await applied(box.store, {
    products: [aProduct()],
    departments,
    employees: [employee('e10', 'Li Meiling'), employee('e1', 'Li Mei')],
    devices: [
      { device_id: 'FACE-T1_A0012', name: 'Meiling gate' },
      { device_id: 'FACE-T1_A0013', name: 'Li Mei' },
    ],
  });
  const found = await box.find('li mei');
  expect(found.people).toEqual([
    { ext_id: 'e1', name: 'Li Mei', employee_num: 'Ne1', department: 'Assembly' },
    { ext_id: 'e10', name: 'Li Meiling', employee_num: 'Ne10', department: 'Assembly' },
  ]);
  expect(found.devices).toEqual([{ device_id: 'FACE-T1_A0013', name: 'Li Mei', state: 'online' }]);
  expect(JSON.stringify(found)).not.toContain('1380013');
  expect((await box.find('a0012')).devices.map(({ device_id }) => device_id)).toEqual(['FACE-T1_A0012']);
  expect(await box.find('Li Mei 2026-11-03')).toMatchObject({ day: '2026-11-03', people: [{ ext_id: 'e1' }, {}] });

  const { deviceNo } = await registered(box.store, 'FACE-T1_A0012');
  await append(box.store, {
    ...{ deviceNo, channel: 'log', receivedAt: noon, logPath: 'FT1/A0012', marks: {}, payload: Buffer.from('a log') },
  });
  expect((await box.find('#1')).records).toEqual([
    { seq: 1, kind: 'log', device_id: 'FACE-T1_A0012', device: 'Meiling gate', at: noon },
  ]);
  expect((await box.find('#4711')).records).toEqual([]);
});

test('why a device was refused is found by question and by its bare id; of one that came in since, what it was', async () => {
  await using box = await aSearch();
  await applied(box.store, { products: [aProduct()] });
  const { deviceNo } = await registered(box.store, 'FACE-T1_D0015');
  await box.refuse('FACE-T1_D0014', 'wrong_password');
  await box.refuse('GATE-X1_D0099', 'unknown_product');
  await box.refuse('FACE-T1_D0015', 'wrong_password', noon - 5000);
  await box.store.write.noteEvents({ events: [{ at: noon - 2000, deviceNo, kind: 'connected', detail: '' }] });
  for (const typed of ['why was D0014 refused', 'd0014', 'D0014 为什么被拒绝'])
    expect((await box.find(typed)).refused_devices, typed).toMatchObject([
      { client_id: 'FACE-T1_D0014', code: 'wrong_password', let_in_at: null },
    ]);
  expect((await box.find('why refused')).refused_devices).toHaveLength(2);
  expect((await box.find('why was D0015 refused')).refused_devices).toMatchObject([
    { client_id: 'FACE-T1_D0015', code: 'wrong_password', let_in_at: noon - 2000 },
  ]);
  expect((await box.find('D0015')).refused_devices).toEqual([]);
});

test('why the calls of a program were refused is found by its key or its address, and the program by its key', async () => {
  await using box = await aSearch();
  await applied(box.store, {
    attendance_callers: [{ app_key: 'payroll', app_secret: 'secret-of-payroll', name: 'Payroll' }],
  });
  box.refusedCalls.push(refusedCall('payroll', noon), refusedCall('canteen', noon - 1));
  for (const typed of ['why was payroll refused', 'payroll'])
    expect((await box.find(typed)).refused_calls, typed).toMatchObject([
      { caller: 'payroll', mistake: 'other_secret' },
    ]);
  expect((await box.find('10.0.0.7')).refused_calls).toHaveLength(2);
  const found = await box.find('payroll');
  expect(found.callers).toEqual([{ kind: 'attendance', id: 'payroll', name: 'Payroll' }]);
  expect(JSON.stringify(found)).not.toContain('secret-of-payroll');
});
