import { expect, test } from 'vitest';
import type { Lease } from '../../src/store/index.ts';
import { productKey } from '../support/site.ts';
import { credentials } from '../support/terminal.ts';
import { until } from '../support/until.ts';
import { aCloudFor, anUplink, configFor } from '../support/uplink.ts';

/** A lease that the test gives and takes. */
class GivenLease implements Lease {
  isMine = false;
  isUpElsewhere = false;
  readonly told: boolean[] = [];
  #listeners: ((isMine: boolean) => void)[] = [];

  tellUp(isUp: boolean): void {
    if (this.told.at(-1) !== isUp) this.told.push(isUp);
  }

  onChange(listener: (isMine: boolean) => void): void {
    this.#listeners.push(listener);
  }

  give(isMine: boolean): void {
    this.isMine = isMine;
    for (const listener of this.#listeners) listener(isMine);
  }
}

test('while it stands by nothing is sent; with the lease all that waits is, and without it nothing more', async () => {
  await using cloud = await aCloudFor();
  const lease = new GivenLease();
  await using uplink = await anUplink(configFor(cloud), { lease });
  const device = await uplink.device('FACE-T1_A0001');
  await uplink.punches(device, 1, 3);
  const { uplink: line, outbox } = await uplink.upstream.status();
  expect(line).toMatchObject({ state: 'standby', why: 'another process of this region forwards' });
  expect(outbox.waiting).toBe(3);
  expect(cloud.arrivals.received).toBe(0);
  lease.give(true);
  await until('all are confirmed', () => cloud.arrivals.received === 3);
  await until('it says that its line is up', () => lease.told.at(-1) === true);
  lease.give(false);
  await uplink.punches(device, 4, 6);
  await until('it stands by', async () => (await uplink.upstream.status()).uplink.state === 'standby');
  expect(cloud.arrivals.received).toBe(3);
  lease.give(true);
  await until('the others follow', () => cloud.arrivals.received === 6);
  expect(cloud.arrivals.of(device.deviceId).map(({ mid }) => mid)).toEqual(
    [1, 2, 3, 4, 5, 6].map(index => `${device.deviceId}-${index}`),
  );
});

test('while it stands by the cloud can be reached as far as the line of whoever forwards is up', async () => {
  await using cloud = await aCloudFor();
  const lease = new GivenLease();
  await using uplink = await anUplink(configFor(cloud), { lease });
  const { deviceNo } = await uplink.device('FACE-T1_A0001');
  const { signal } = new AbortController();
  expect(uplink.upstream.isUp(deviceNo)).toBe(false);
  expect(await uplink.upstream.whenUp(deviceNo, signal)).toBe(false);
  lease.isUpElsewhere = true;
  expect(uplink.upstream.isUp(deviceNo)).toBe(true);
  expect(await uplink.upstream.whenUp(deviceNo, signal)).toBe(true);
});

test('while it stands by it asks the cloud itself about a password that it does not know', async () => {
  await using cloud = await aCloudFor();
  await using uplink = await anUplink(configFor(cloud), { lease: new GivenLease() });
  const login = (password: string) =>
    uplink.upstream.tryLogin({ clientId: 'FACE-T1_A0001', userName: 'FACE-T1', password });
  expect(await login('wrong')).toBe('refused');
  expect(await login(credentials({ deviceId: 'FACE-T1_A0001', key: productKey }).password)).toBe('accepted');
});
