import { expect, test } from 'vitest';
import type { Store } from '../../../src/store/index.ts';
import { aProduct, applied, aStore, deviceId, registered } from '../../support/store.ts';

const products = [aProduct()];
const hall = (change: object = {}) => ({ box_id: 'GATEHOUSE_000002', name: 'Hall 2', ...change });
const belongs = (store: Store, id = 'FACE-T1_A0001') => store.directory.device(deviceId(id))?.belongsTo;
const boxesOf = async (store: Store) => (await store.read.site({ withSecrets: false })).boxes;

test('boxes of a site file are applied, written back, and change nothing when they are applied again', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const boxes = [
    hall({ box_id: 'gatehouse_000002', devices: ['face-t1_b2', 'FACE-T1_A0001', 'FACE-T1_B2'] }),
    hall({ box_id: 'G_3', name: '' }),
  ];
  expect(await applied(store, { products, boxes })).toMatchObject([
    { section: 'products' },
    { action: 'add', section: 'boxes', key: 'GATEHOUSE_000002' },
    { action: 'add', section: 'boxes', key: 'G_3' },
  ]);
  const written = [hall({ devices: ['FACE-T1_A0001', 'FACE-T1_B2'] }), { box_id: 'G_3' }];
  expect(await boxesOf(store)).toEqual(written);
  for (const again of [boxes, written]) expect(await applied(store, { boxes: again })).toEqual([]);
  expect([...store.directory.boxesBelow()]).toEqual([
    { boxId: 'GATEHOUSE_000002', name: 'Hall 2' },
    { boxId: 'G_3', name: '' },
  ]);
  expect((await store.read.site({ withSecrets: false })).devices).toBeUndefined();
});

test('a box that is pruned is no longer listed, and its devices belong to whoever brings them next', async () => {
  await using opened = await aStore();
  const { store } = opened;
  await applied(store, { products, boxes: [hall({ devices: ['FACE-T1_A0001'] }), hall({ box_id: 'G_3' })] });
  await store.write.bringDevices({ deviceIds: [deviceId('FACE-T1_B2')], to: deviceId('GATEHOUSE_000002'), at: 1 });
  expect(await applied(store, { boxes: [hall({ box_id: 'G_3' })] }, { prune: true, dryRun: true })).toHaveLength(1);
  expect(await applied(store, { boxes: [hall({ box_id: 'G_3' })] }, { prune: true })).toEqual([
    { action: 'remove', section: 'boxes', key: 'GATEHOUSE_000002', fields: [] },
  ]);
  expect(store.directory.boxBelow(deviceId('GATEHOUSE_000002'))).toBeUndefined();
  for (const id of ['FACE-T1_A0001', 'FACE-T1_B2']) expect(belongs(store, id)).toBeNull();
});

test('devices that a box only brought are not written back, those that staff moved are; a list without one frees it', async () => {
  await using opened = await aStore();
  const { store } = opened;
  await applied(store, { products, boxes: [hall(), hall({ box_id: 'G_3', name: '' })] });
  const at = 1;
  const [brought] = await store.write.bringDevices({
    deviceIds: [deviceId('FACE-T1_A0001')],
    to: deviceId('GATEHOUSE_000002'),
    at,
  });
  expect(brought).toMatchObject({ belongsTo: 'GATEHOUSE_000002', belongsBy: 'first' });
  await store.write.bringDevices({ deviceIds: [deviceId('FACE-T1_A0001')], to: deviceId('G_3'), at });
  expect(belongs(store)).toBe('GATEHOUSE_000002');
  expect(await boxesOf(store)).toEqual([hall(), { box_id: 'G_3' }]);
  await store.write.moveDevice({ deviceNo: brought!.deviceNo, to: deviceId('G_3') });
  expect(await boxesOf(store)).toEqual([hall(), { box_id: 'G_3', devices: ['FACE-T1_A0001'] }]);
  expect(await applied(store, { boxes: [{ box_id: 'G_3', name: 'Hall 3' }] })).toMatchObject([{ fields: ['name'] }]);
  expect(belongs(store)).toBe('G_3');
  expect(await applied(store, { boxes: [hall({ devices: ['FACE-T1_A0001'] })] })).toMatchObject([
    { fields: ['devices'] },
  ]);
  expect(belongs(store)).toBe('GATEHOUSE_000002');
  await applied(store, { boxes: [hall({ devices: [] })] });
  expect(belongs(store)).toBeNull();
  await store.write.moveDevice({ deviceNo: brought!.deviceNo, to: 'here' });
  const reopened = await opened.reopen();
  expect(reopened.directory.device(deviceId('FACE-T1_A0001'))).toMatchObject({ belongsTo: 'here', belongsBy: 'staff' });
});

test('a device that was known before boxes were listed belongs to whoever brings it first', async () => {
  await using opened = await aStore();
  await registered(opened.store);
  expect(belongs(opened.store)).toBeNull();
});

test('an employee with an empty title is no change when the file is applied again', async () => {
  await using opened = await aStore();
  const site = {
    departments: [{ ext_id: '0', name: 'Plant' }],
    employees: [
      { ext_id: 'e1', name: 'Li', mobile: '', employee_num: '', department: { ext_id: '0', title: '' } },
      { ext_id: 'e2', name: 'Wu', department: { ext_id: '0' } },
    ],
  };
  expect(await applied(opened.store, site)).toHaveLength(3);
  expect(await applied(opened.store, site)).toEqual([]);
  const said = { ...site, employees: site.employees.map(one => ({ ...one, department: { ext_id: '0' } })) };
  expect(await applied(opened.store, said)).toEqual([]);
});

test('what a registration configures is kept, written back where it differs from the rule, and changes nothing the second time', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const said = {
    discovery: 'both',
    network_configuration: 'hotspot',
    network_configuration_flow: 'Hold the key for 5 s.\nThe light blinks blue.',
    app_supported: false,
    attributes: { colour: 'grey', 'IP class': 'IP65' },
  } as const;
  await applied(store, { products: [aProduct(said), aProduct({ product_id: 'GATE-X1' })] });
  expect(await applied(store, { products: [aProduct(said), aProduct({ product_id: 'GATE-X1' })] })).toEqual([]);
  const reopened = await opened.reopen();
  const registrations = () => [...reopened.directory.products()].map(({ registration }) => registration);
  const plain = {
    discovery: null,
    network_configuration: null,
    network_configuration_flow: '',
    app_supported: true,
    attributes: {},
  };
  expect(registrations()).toEqual([said, plain]);
  const [first, second] = (await reopened.read.site({ withSecrets: true })).products!;
  expect(first).toMatchObject(said);
  for (const name of Object.keys(plain)) expect(second).not.toHaveProperty(name);
  expect(await applied(reopened, { products: [first!, second!] })).toEqual([]);
  const cleared = { attributes: {}, network_configuration_flow: '', app_supported: true };
  expect(await applied(reopened, { products: [aProduct(cleared)] })).toMatchObject([
    { action: 'change', fields: expect.arrayContaining(Object.keys(cleared)) },
  ]);
  expect(registrations()[0]).toEqual({ ...plain, discovery: 'both', network_configuration: 'hotspot' });
});
