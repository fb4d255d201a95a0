import { readFile } from 'node:fs/promises';
import type { SystemBus } from '../bus/index.ts';
import { connectSystemBus } from '../bus/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { UpdateReport } from './port.ts';
import { compatibleOf, isInstalling, type Slot, slotsOf } from './rauc.ts';
import type { Programs } from './records.ts';

interface Machine {
  readonly compatible: string;
  readonly slots: readonly Slot[];
}

export const machineOf = async (bus: SystemBus): Promise<Machine> => ({
  compatible: await compatibleOf(bus),
  slots: await slotsOf(bus),
});

/**
 * The program first: it is the smaller step, and newer than the system that it was installed on.
 */
export function otherOf(programs: Programs, machine: Machine | null): UpdateReport['other'] {
  if (programs.inForce === 'updated' && programs.previous !== null)
    return { kind: 'program', version: programs.previous };
  const slot = machine?.slots.find(({ booted }) => !booted);
  if (slot?.works) return { kind: 'image', version: slot.version };
  if (programs.previous !== null) return { kind: 'program', version: programs.previous };
  return null;
}

/** The version of the slot that was booted; empty where it is not known. */
export async function systemVersion(slots: readonly Slot[]): Promise<string> {
  const booted = slots.find(slot => slot.booted);
  return booted ? booted.version || (await flashedVersion()) : '';
}

/** The version that a system reports which no bundle installed. */
async function flashedVersion(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^IMAGE_VERSION="?([^"\n]*)"?$/m.exec(text)?.[1] ?? '';
}
/** RAUC continues if only the box was restarted. */
export async function stillInstalling(clock: Clock): Promise<boolean> {
  try {
    using bus = await connectSystemBus(clock);
    return await isInstalling(bus);
  } catch {
    return false;
  }
}
