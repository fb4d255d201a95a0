import { expect, test } from 'vitest';
import { hurriedClock } from '../support/hurried-clock.ts';
import { until } from '../support/until.ts';
import { aCloudFor, anUplink, configFor } from '../support/uplink.ts';

test.each([
  ['per-device', {}],
  ['gateway', { deviceMqtt: undefined }],
  ['batch', {}],
] as const)(
  'a line that is cut on purpose says so, keeps what comes, and sends it when it is let go (%s)',
  async (mode, change) => {
    const clock = hurriedClock(20);
    await using cloud = await aCloudFor({ clock });
    await using uplink = await anUplink(configFor(cloud, mode, change), { clock });
    const device = await uplink.device('FACE-T1_A0001');
    await uplink.punches(device, 1, 5);
    await until('they are confirmed', async () => (await uplink.upstream.status()).outbox.waiting === 0);
    uplink.upstream.cutLine({ reason: 'a drill' });
    await uplink.punches(device, 6, 10);
    await until('it says so', async () => (await uplink.upstream.status()).uplink.why === 'a drill');
    expect((await uplink.upstream.status()).outbox.waiting).toBe(5);
    expect(cloud.arrivals.of(device.deviceId)).toHaveLength(5);
    uplink.upstream.cutLine(null);
    await until('all are confirmed', async () => (await uplink.upstream.status()).outbox.waiting === 0);
    expect(cloud.arrivals.of(device.deviceId).map(({ mid }) => mid)).toEqual(
      Array.from({ length: 10 }, (_, index) => `FACE-T1_A0001-${index + 1}`),
    );
  },
);
