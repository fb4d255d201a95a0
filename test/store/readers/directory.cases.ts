import { expect, test } from 'vitest';
import type { Device } from '../../../src/store/index.ts';
import { aProduct, applied, deviceId, registered } from '../../support/store.ts';
import type { PortStore } from '../writes/case.ts';

const at = 1_763_600_000_000;

/** What the directory does whichever engine it stands on; `open` returns an empty store. */
export function directoryCases(
  name: string,
  open: () => Promise<{ readonly store: PortStore } & AsyncDisposable>,
): void {
  test(`${name}: products and devices are found as soon as they were written`, async () => {
    await using opened = await open();
    const { directory } = opened.store;
    expect([...directory.products(), ...directory.devices()]).toEqual([]);
    await applied(opened.store, { products: [aProduct()] });
    const { deviceNo } = await registered(opened.store);
    const device = directory.device(deviceId('FACE-T1_A0001'))!;
    expect(directory.product(device.productId)).toMatchObject({ model: 'FT1', productKey: 's3cret-of-the-product' });
    expect(directory.deviceByNo(deviceNo)).toBe(device);
    expect([...directory.devices()]).toEqual([device]);
    expect(directory.device(deviceId('FACE-T1_B0001'))).toBeUndefined();
  });

  test(`${name}: listeners hear which device has changed`, async () => {
    await using opened = await open();
    const { store } = opened;
    await applied(store, { products: [aProduct()] });
    const { deviceNo } = await registered(store);
    const heard: (Device | null)[] = [];
    store.directory.onChange(changed => void heard.push(changed));
    await store.write.setBlocked({ deviceNo, blocked: true });
    // What was written before may be told again: in a region, the process that wrote it hears it too.
    expect(heard.findLast(changed => changed?.deviceNo === deviceNo)).toMatchObject({ blocked: true });
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ blocked: true });
  });

  test(`${name}: what the cloud has confirmed moves with each confirmation, by channel`, async () => {
    await using opened = await open();
    const { store } = opened;
    await applied(store, { products: [aProduct()] });
    const { deviceNo } = await registered(store);
    const confirmation = { deviceNo, channel: 'log', upToSeq: 7, floorSeq: 3, at, via: 'mqtt' } as const;
    await store.write.confirm({ confirmations: [confirmation] } as never);
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ forwardedSeq: 3, forwarded: { device: 3, log: 7 } });
  });

  test(`${name}: boxes below stand in the order of the site file`, async () => {
    await using opened = await open();
    const { store } = opened;
    const boxes = ['BOX-1_B', 'BOX-1_A'].map(box_id => ({ box_id, name: box_id }));
    await applied(store, { boxes });
    expect([...store.directory.boxesBelow()].map(({ boxId }) => boxId)).toEqual(['BOX-1_B', 'BOX-1_A']);
    await store.write.removeBoxBelow({ boxId: deviceId('BOX-1_B') });
    expect(store.directory.boxBelow(deviceId('BOX-1_B'))).toBeUndefined();
  });
}
