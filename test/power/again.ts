import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Random } from '../../src/runtime/clock.ts';
import { Cutter } from './cutter.ts';
import { drawMoments } from './moments.ts';
import { record } from './recorder.ts';
import { acknowledgedPositions, type DeviceNotes, type Recording } from './recording.ts';
import type { Scenario } from './scenario.ts';
import { readWriteLog } from './write-log.ts';

/**
 * Cuts a recording at a moment and records what happens next on that disk: its repair, the mount,
 * and the scenario. Each later cut must keep what the first one had to leave.
 */
export async function recordAgain(
  first: Recording,
  scenario: Scenario,
  { random, folder }: { readonly random: Random; readonly folder: string },
): Promise<Recording> {
  const { notes } = first;
  const entries = readWriteLog(first.log, notes.to);
  const acknowledged = acknowledgedPositions(notes);
  const [moment] = drawMoments({ from: notes.from, entries, acknowledged }, 1, random);
  const cut = join(folder, 'first-cut.img');
  await mkdir(folder, { recursive: true });
  new Cutter(await readFile(first.base), entries).cut(moment!, cut);
  const second = await record(scenario, { folder, onto: cut });
  const kept = notes.devices.map(
    (device): DeviceNotes => ({
      deviceId: device.deviceId,
      sent: device.sent.map(one => ({
        ...one,
        position: one.position !== null && one.position <= moment!.entries ? 0 : null,
      })),
    }),
  );
  return { ...second, notes: { ...second.notes, devices: joined(kept, second.notes.devices) } };
}

/** What a device sent before the cut comes before what it sent after it. */
function joined(before: readonly DeviceNotes[], after: readonly DeviceNotes[]): DeviceNotes[] {
  const ids = new Set([...before, ...after].map(device => device.deviceId));
  return [...ids].map(deviceId => ({
    deviceId,
    sent: [...before, ...after].filter(device => device.deviceId === deviceId).flatMap(device => device.sent),
  }));
}
