import { expect, test } from 'vitest';
import { type Loss, type Stage, StormDevice, type StormListener } from '../../bench/storm-devices.ts';
import { History, readTables, TerminalHistory, tableFaults } from '../support/history.ts';
import { residentMb } from '../support/memory-group.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite, productKey } from '../support/site.ts';
import type { Said } from '../support/terminal.ts';
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

function listenerOf(history: History, device: StormDevice): StormListener {
  const heard = new TerminalHistory(history, device.deviceId);
  const said = (record: number): Said => ({
    ...{ channel: device.isLog(record) ? 'log' : 'device', mid: device.nameOf(record), text: device.textOf(record) },
    acknowledged: false,
  });
  return {
    loggedIn: () => heard.loggedIn(),
    sent: record => heard.sent(said(record)),
    acknowledged: record => heard.acknowledged(said(record)),
  };
}

test(`${count} devices that lose power together come back with every record, none refused, each in order`, async () => {
  using history = new History();
  await using box = await aBox();
  const site = { port: box.port('mqtts'), product: 'FACE-T1', productKey, model: 'FT1', logEvery: 4, window: 8 };
  const devices = Array.from({ length: count }, (_, number) => new StormDevice(site, number));
  for (const device of devices) device.listener = listenerOf(history, device);
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

  await readTables(history, box);
  await history.expectSound([...tableFaults, 'a late acknowledgement']);
});
