import { expect, test } from 'vitest';
import type { Arrival } from '../../tools/sim/index.ts';
import { seededRandom } from '../support/clock.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { until } from '../support/until.ts';
import { aCloudFor, anUplink, configFor } from '../support/uplink.ts';

const seeds = [1, 2, 3, 4];
const ids = ['FACE-T1_A0001', 'FACE-T1_A0002', 'FACE-T1_A0003'];
const punchesEach = 60;

/** In the order in which each first came; a repeat must be the very same bytes. */
function firstMids(arrivals: readonly Arrival[]): string[] {
  const seen = new Map<string, string>();
  for (const { mid, payload } of arrivals) {
    expect(seen.get(mid) ?? payload).toBe(payload);
    seen.set(mid, payload);
  }
  return [...seen.keys()];
}

test.each(
  seeds.flatMap(seed =>
    (
      [
        ['per-device', {}],
        ['per-device over HTTP', { mode: 'per-device', deviceMqtt: undefined }],
        ['gateway', {}],
        ['batch', {}],
      ] as const
    ).map(([mode, change]) => [seed, mode, change] as const),
  ),
)(
  'under any weather every record arrives or is parked, in order per device (seed %i, %s)',
  async (seed, name, change) => {
    const clock = hurriedClock(100);
    const random = seededRandom(seed);
    await using cloud = await aCloudFor({
      clock,
      random: seededRandom(seed + 1000),
      faults: { refuse: 1 / 8, hang: 1 / 100, drop: 1 / 16, code: 1 / 16 },
    });
    const mode = name === 'per-device over HTTP' ? 'per-device' : name;
    await using uplink = await anUplink(configFor(cloud, mode, change), { clock, random: seededRandom(seed + 2000) });
    const devices = await Promise.all(ids.map(id => uplink.device(id)));
    for (let from = 1; from <= punchesEach; from += 10) {
      await Promise.all(devices.map(device => uplink.punches(device, from, from + 9)));
      const chance = random();
      if (chance < 0.2) await uplink.restart();
      else if (chance < 0.4) cloud.hangUp();
      else if (chance < 0.5) {
        await cloud.cut();
        await cloud.restore();
      }
    }
    await until('nothing waits', async () => (await uplink.upstream.status()).outbox.waiting === 0);
    const parked = await uplink.store.read.parked();
    for (const device of devices) {
      const parkedMids: string[] = [];
      for (const { seq, deviceNo } of parked)
        if (deviceNo === device.deviceNo)
          parkedMids.push(JSON.parse(Buffer.from((await uplink.store.read.record(seq))!.payload).toString()).mid);
      const all = Array.from({ length: punchesEach }, (_, index) => `${device.deviceId}-${index + 1}`);
      const arrived = firstMids(cloud.arrivals.of(device.deviceId));
      expect(arrived.filter(mid => !parkedMids.includes(mid))).toEqual(all.filter(mid => !parkedMids.includes(mid)));
    }
    expect(parked.length).toBeLessThan(5);
  },
);
