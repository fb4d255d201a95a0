import { expect, test } from 'vitest';
import { type Loss, type Stage, StormDevice } from '../../bench/storm-devices.ts';
import { residentMb } from '../support/memory-group.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite, productKey } from '../support/site.ts';
import { until } from '../support/until.ts';

/**
 * The power of a site goes and returns: all terminals are at the box in the same moment, with what
 * they could not send. Nothing here asks how long it takes; `npm run bench -- --only storm` does.
 */

const count = 300;
const beforeTheCut = 10;
const records = beforeTheCut + 20;
/** The program with its pages takes about 110 MiB under tests, a device less than 0.1. */
const residentMaxMb = 260;

const losses: readonly Loss[] = ['closed', 'reset', 'silent'];
const stages: readonly Stage[] = ['connected', 'secure', 'greeted'];

/** So few that 160 may log in at the same time and the others wait, as 4,000 of 5,000 do. */
const openFiles = 1536;

async function aBox(): Promise<BoxProcess> {
  const limits = { log_per_second: 1000, log_per_day: 1_000_000 };
  const box = await BoxProcess.make({ limits }, aSite());
  box.openFiles = openFiles;
  await box.start();
  return box;
}

test(`${count} devices that lose power together come back with every record, none refused, each in order`, async () => {
  await using box = await aBox();
  const site = { port: box.port('mqtts'), product: 'FACE-T1', productKey, model: 'FT1', logEvery: 4, window: 8 };
  const devices = Array.from({ length: count }, (_, number) => new StormDevice(site, number));
  const acknowledged = () => devices.reduce((sum, device) => sum + device.acknowledged, 0);
  let most = 0;
  const watching = setInterval(() => {
    most = Math.max(most, residentMb(box.pid) ?? 0);
  });

  for (const device of devices) device.due = beforeTheCut;
  const begun = devices.map(device => device.powerOn());
  await until('half of the first records are acknowledged', () => acknowledged() > (count * beforeTheCut) / 2);
  for (const [number, device] of devices.entries()) device.powerOff(losses[number % losses.length]!);
  await Promise.all(begun);

  for (const device of devices) device.due = records;
  await Promise.all(
    devices.map(async (device, number) => {
      // One in five loses it once more in the middle of its login.
      if (number % 5 === 0) await device.powerOnUntil(stages[(number / 5) % stages.length]!);
      await device.powerOn();
    }),
  );
  clearInterval(watching);

  expect(devices.flatMap(({ deviceId, complaints }) => complaints.map(said => `${deviceId}: ${said}`))).toEqual([]);
  expect(acknowledged()).toBe(count * records);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(residentMaxMb);

  const status = JSON.parse(await box.ask('status', '--json'));
  expect(status.devices).toMatchObject({ known: count, online: count, refused: 0, held_back: 0 });

  // The connections that the box could not know to be dead ended when their devices came again.
  const silent = devices.flatMap(device => device.silent);
  expect(silent.length).toBeGreaterThan(0);
  await until('those are closed', () => silent.every(socket => socket.resume().closed));

  const checkins = await box.export<{ device_id: string; ext_id: string }>('checkins');
  const logs = await box.export<{ device_id: string; text: string }>('logs');
  const stored = {
    checkins: Map.groupBy(checkins, row => row.device_id),
    logs: Map.groupBy(logs, row => row.device_id),
  };
  for (const device of devices) {
    const numbers = Array.from({ length: records }, (_, index) => index + 1);
    const sent = (isLog: boolean) => numbers.filter(one => device.isLog(one) === isLog).map(one => device.nameOf(one));
    // Once, although it may have come again: the mid of a report tells. A log has none.
    expect(stored.checkins.get(device.deviceId)?.map(row => row.ext_id)).toEqual(sent(false));
    const logged = stored.logs.get(device.deviceId)?.map(row => JSON.parse(row.text).log);
    expect([...new Set(logged)]).toEqual(sent(true));
  }
});
