import { expect } from 'vitest';
import type { DeviceSetup, ProvisioningWrites } from '../../../src/store/index.ts';
import { joinOutcomes } from '../../../src/words/own-network.ts';
import { at, type Cases } from './case.ts';

const attempt = { status: -2, error: -3, why: joinOutcomes.say('join_no_address'), ssid: 'Plant', at };
const setup: DeviceSetup = {
  ...{ deviceId: 'FACE-T1_A0001', model: 'FT1', status: 0, error: null, message: '', mac: '02:00:00:00:01:00' },
  ...{ address: '10.0.0.7', mask: '255.255.255.0', gateway: '10.0.0.1', via: 'udp', at },
};
const peer = { model: 'FT1', service: 'fff0', write: 'fff1', notify: 'fff2', passwordForm: 'fold' } as const;

export const provisioningCases: Cases<ProvisioningWrites> = {
  noteNetworkSetup: async ({ store }) => {
    expect(await store.read.networkSetup()).toBeNull();
    await store.write.noteNetworkSetup({ state: 'new', changedAt: at, ssid: '' });
    await store.write.noteSetupAttempt(attempt);
    await store.write.noteNetworkSetup({ state: 'done', changedAt: at + 1, ssid: 'Plant' });
    expect(await store.read.networkSetup()).toEqual({ state: 'done', changedAt: at + 1, ssid: 'Plant', last: attempt });
  },
  noteSetupAttempt: async ({ store }) => {
    await store.write.noteSetupAttempt(attempt);
    expect(await store.read.networkSetup()).toMatchObject({ state: 'new', last: attempt });
    const done = { ...attempt, status: 0, error: null, why: joinOutcomes.say('set_up_joined'), at: at + 1 };
    await store.write.noteSetupAttempt(done);
    expect(await store.read.networkSetup()).toMatchObject({ state: 'new', last: done });
  },
  keepHotspotKey: async ({ store }) => {
    expect(await store.read.hotspotKey()).toBeNull();
    await store.write.keepHotspotKey({ key: 'k1', at });
    await store.write.keepHotspotKey({ key: 'k2', at });
    expect(await store.read.hotspotKey()).toBe('k2');
  },
  noteDeviceSetup: async ({ store }) => {
    const other = { ...setup, deviceId: 'FACE-T1_A0002', at: at + 1 };
    await store.write.noteDeviceSetup(setup);
    await store.write.noteDeviceSetup(other);
    expect(await store.read.deviceSetups(10)).toEqual([other, setup]);
    const later = { ...setup, status: -1, error: -2, via: 'bluetooth', at: at + 2 } as const;
    await store.write.noteDeviceSetup(later);
    expect(await store.read.deviceSetup(setup.deviceId)).toEqual(later);
    expect(await store.read.deviceSetups(1)).toEqual([later]);
  },
  rememberDevicePeer: async ({ store }) => {
    await store.write.rememberDevicePeer(peer);
    await store.write.rememberDevicePeer({ ...peer, passwordForm: 'repeat' });
    expect(await store.read.devicePeer('FT1')).toEqual({ ...peer, passwordForm: 'repeat' });
    expect(await store.read.devicePeer('FT2')).toBeNull();
  },
};
