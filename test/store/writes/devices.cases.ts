import { expect } from 'vitest';
import type { ProductId } from '../../../src/platform/device-id.ts';
import type { DeviceWrites } from '../../../src/store/index.ts';
import { append, applied, deviceId } from '../../support/store.ts';
import { at, bytes, type Cases, seconds } from './case.ts';

const other = 'FACE-T1_A0002';
const below = deviceId('GATEHOUSE_000002');

export const deviceCases: Cases<DeviceWrites> = {
  registerDevice: async ({ store, deviceNo }) => {
    const known = await store.write.registerDevice({ deviceId: deviceId('FACE-T1_A0001'), at: at + 1 });
    expect(known).toMatchObject({ deviceNo, firstSeenAt: at });
    const made = await store.write.registerDevice({ deviceId: deviceId(other), at: at + 1 });
    expect(store.directory.device(made.deviceId)).toMatchObject({ firstSeenAt: at + 1, listed: false });
  },
  bringDevices: async ({ store }) => {
    const deviceIds = [deviceId(other), deviceId('FACE-T1_A0003')];
    const brought = await store.write.bringDevices({ deviceIds, to: below, at });
    expect(brought.map(one => [one.deviceId, one.belongsTo])).toEqual(deviceIds.map(id => [id, below]));
    await store.write.bringDevices({ deviceIds, to: 'here', at });
    expect(store.directory.device(deviceIds[0]!)).toMatchObject({ belongsTo: below });
  },
  moveDevice: async ({ store, deviceNo }) => {
    await store.write.moveDevice({ deviceNo, to: below });
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ belongsTo: below });
  },
  removeBoxBelow: async ({ store }) => {
    await applied(store, { boxes: [{ box_id: below }] });
    expect(store.directory.boxBelow(below)).toMatchObject({ boxId: below });
    expect(await store.write.removeBoxBelow({ boxId: below })).toBe(true);
    expect(store.directory.boxBelow(below)).toBeUndefined();
    expect(await store.write.removeBoxBelow({ boxId: below })).toBe(false);
  },
  setDeviceKey: async ({ store, deviceNo }) => {
    await store.write.setDeviceKey({ deviceNo, accessKey: 'k1', at, mid: 'm1' });
    await store.write.setDeviceKey({ deviceNo, accessKey: 'k2', at, mid: 'm2' });
    const { accessKey, nextKeys } = store.directory.deviceByNo(deviceNo)!;
    expect({ accessKey, nextKeys }).toEqual({ accessKey: 'k1', nextKeys: [{ key: 'k2', mid: 'm2' }] });
  },
  confirmDeviceKey: async ({ store, deviceNo }) => {
    for (const accessKey of ['k1', 'k2']) await store.write.setDeviceKey({ deviceNo, accessKey, at, mid: null });
    await store.write.confirmDeviceKey({ deviceNo, accessKey: 'unknown', at });
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ accessKey: 'k1', keyConfirmedAt: null });
    await store.write.confirmDeviceKey({ deviceNo, accessKey: 'k2', at });
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ accessKey: 'k2', nextKeys: [], keyConfirmedAt: at });
  },
  openProductKeyWindow: async ({ store, deviceNo }) => {
    await store.write.openProductKeyWindow({ deviceNo, until: at });
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ productKeyUntil: at });
    await store.write.openProductKeyWindow({ deviceNo, until: null });
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ productKeyUntil: null });
  },
  setPresentedPassword: async ({ store, deviceNo }) => {
    await store.write.setPresentedPassword({ deviceNo, password: 'as it came' });
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ presentedPassword: 'as it came' });
  },
  noteAddresses: async ({ store, deviceNo }) => {
    await store.write.noteAddresses({ addresses: [{ deviceNo, address: '10.0.0.7' }] });
    expect(await store.read.lastAddresses()).toEqual(new Map([[deviceNo, '10.0.0.7']]));
  },
  letNewDevicesIn: async ({ store }) => {
    const { productId } = await store.write.letNewDevicesIn({ productId: 'FACE-T1' as ProductId, until: at });
    expect(store.directory.product(productId)).toMatchObject({ newDevicesUntil: at });
  },
  setBlocked: async ({ store, deviceNo }) => {
    await store.write.setBlocked({ deviceNo, blocked: true });
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ blocked: true });
  },
  setPeopleData: async ({ store, deviceNo }) => {
    const changed = await store.write.setPeopleData({ deviceNos: [deviceNo], word: 'yes' });
    expect(changed.map(one => one.deviceNo)).toEqual([deviceNo]);
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ peopleData: 'yes' });
  },
  noteClockSet: async ({ store, deviceNo }) => {
    const said = (time: number) =>
      append(store, {
        ...{ deviceNo, channel: 'device', receivedAt: at, logPath: '', marks: {} },
        payload: bytes(JSON.stringify({ mid: `m${time}`, from: '', to: 'system', time, action: 9, data: {} })),
      });
    await said(seconds + 90);
    await store.catchUp();
    expect((await store.read.seen(deviceNo))?.clock).toMatchObject({ lowMs: 90_000 });
    await store.write.noteClockSet({});
    // Later than the best known bound, which would hold if the clock had not been set.
    await said(seconds + 40);
    await store.catchUp();
    expect((await store.read.seen(deviceNo))?.clock).toMatchObject({ lowMs: 40_000 });
  },
};
