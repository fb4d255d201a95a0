import { expect, test } from 'vitest';
import { seededRandom } from '../support/clock.ts';
import { arrivalsInto, History, recordOf, TerminalHistory, upwardFaults } from '../support/history.ts';
import { hurriedClock } from '../support/hurried-clock.ts';
import { punch, type Said } from '../support/terminal.ts';
import { until } from '../support/until.ts';
import { aCloudFor, anUplink, configFor } from '../support/uplink.ts';

const seeds = [1, 2, 3, 4];
const ids = ['FACE-T1_A0001', 'FACE-T1_A0002', 'FACE-T1_A0003'];
const punchesEach = 60;

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
    using history = new History();
    const clock = hurriedClock(100);
    const random = seededRandom(seed);
    await using cloud = await aCloudFor({
      clock,
      random: seededRandom(seed + 1000),
      onEvent: arrivalsInto(history, { sameBytes: true }),
      faults: { refuse: 1 / 8, hang: 1 / 100, drop: 1 / 16, code: 1 / 16 },
    });
    const mode = name === 'per-device over HTTP' ? 'per-device' : name;
    await using uplink = await anUplink(configFor(cloud, mode, change), { clock, random: seededRandom(seed + 2000) });
    const devices = await Promise.all(
      ids.map(async id => ({ ...(await uplink.device(id)), heard: new TerminalHistory(history, id) })),
    );
    const punches = (device: (typeof devices)[number], from: number) =>
      Promise.all(
        Array.from({ length: 10 }, async (_, index) => {
          const mid = `${device.deviceId}-${from + index}`;
          const said: Said = { channel: 'device', mid, text: punch(device.deviceId, mid), acknowledged: false };
          device.heard.sent(said);
          await uplink.say(device, said.text);
          device.heard.acknowledged(said);
        }),
      );
    for (let from = 1; from <= punchesEach; from += 10) {
      await Promise.all(devices.map(device => punches(device, from)));
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
    for (const { seq, deviceNo } of parked) {
      const { deviceId } = devices.find(device => device.deviceNo === deviceNo)!;
      const { mid } = JSON.parse(Buffer.from((await uplink.store.read.record(seq))!.payload).toString());
      history.write('staff', { op: 'parked', to: 'cloud', ...recordOf(deviceId, 'device', mid) });
    }
    history.write('staff', { op: 'drained', to: 'cloud' });
    await history.expectSound(upwardFaults);
    expect(parked.length).toBeLessThan(5);
  },
);
