import { BusRefused, BusUnavailable, type SystemBus } from '../bus/index.ts';
import { radioFaults } from '../words/own-network.ts';
import type { GivenReason } from '../words/sentences.ts';
import { updateEnds, updateRefusals } from '../words/updates.ts';
import { type BundleReport, UpdateRefused } from './port.ts';

const { say } = updateRefusals;

/**
 * RAUC over the system's D-Bus (1.8 to 1.13), which verifies bundles and writes slots. A box
 * without it is not updated this way.
 */
const service = 'de.pengutronix.rauc';
const installer = { service, path: '/', interface: 'de.pengutronix.rauc.Installer' } as const;
/** A bundle is read as a whole up to its signature, from a slow stick perhaps. */
const inspectMs = 60_000;
const unknownMethod = 'org.freedesktop.DBus.Error.UnknownMethod';

export interface Slot {
  readonly name: string;
  readonly bootname: string;
  readonly booted: boolean;
  /** Version of the bundle that was written to it; empty for what was flashed. */
  readonly version: string;
  /** The bootloader may start it. */
  readonly works: boolean;
}

/**
 * The manifest of a bundle. Throws UpdateRefused if it cannot be read, or is not signed by a key
 * that this box trusts.
 */
export async function inspect(
  bus: SystemBus,
  file: string,
): Promise<Pick<BundleReport, 'compatible' | 'version' | 'description'>> {
  try {
    const [info] = await bus.call(
      { ...installer, member: 'InspectBundle', signature: 'sa{sv}', body: [file, {}] },
      inspectMs,
    );
    const { update = {} } = info as { update?: Record<string, unknown> };
    return {
      compatible: String(update.compatible ?? ''),
      version: String(update.version ?? ''),
      description: String(update.description ?? ''),
    };
  } catch (error) {
    if (!(error instanceof BusRefused)) throw error;
    if (error.code !== unknownMethod) throw refusalOf(file, error.message);
    return inspectWithOld(bus, file);
  }
}

/** RAUC before 1.9 reports less. */
async function inspectWithOld(bus: SystemBus, file: string) {
  try {
    const [compatible, version] = await bus.call(
      { ...installer, member: 'Info', signature: 's', body: [file] },
      inspectMs,
    );
    return { compatible: String(compatible), version: String(version), description: '' };
  } catch (error) {
    if (error instanceof BusRefused) throw refusalOf(file, error.message);
    throw error;
  }
}

function refusalOf(file: string, said: string): UpdateRefused {
  if (/already processing/.test(said)) return new UpdateRefused('busy', say('update_busy'));
  // The last is all that RAUC 1.8 reports of any failure.
  const code = /signature|certificate|verif|^rauc info error$/i.test(said) ? 'untrusted' : 'unreadable';
  return new UpdateRefused(code, say(`update_${code}`, { file, said }));
}

export const compatibleOf = async (bus: SystemBus): Promise<string> =>
  String(await bus.property(service, '/', installer.interface, 'Compatible'));

export const isInstalling = async (bus: SystemBus): Promise<boolean> =>
  (await bus.property(service, '/', installer.interface, 'Operation')) === 'installing';

/** The error of the last installation, in RAUC's words; null: it went well. */
export async function lastErrorOf(bus: SystemBus): Promise<GivenReason | null> {
  const error = String(await bus.property(service, '/', installer.interface, 'LastError'));
  return error === '' ? null : { reason: error };
}

/** The slots that hold a system; none on a machine that is updated by its own packages. */
export async function slotsOf(bus: SystemBus): Promise<Slot[]> {
  const [slots] = await bus.call({ ...installer, member: 'GetSlotStatus' });
  return (slots as [string, Record<string, unknown>][])
    .filter(([, status]) => status.class === 'rootfs')
    .map(([name, status]) => ({
      name,
      bootname: String(status.bootname ?? ''),
      booted: status.state === 'booted',
      version: String(status['bundle.version'] ?? ''),
      works: status['boot-status'] === 'good',
    }));
}

export async function activateOther(bus: SystemBus): Promise<void> {
  await bus.call({ ...installer, member: 'Mark', signature: 'ss', body: ['active', 'other'] });
}

/**
 * Installs a bundle; resolves with null when it is in place, else with RAUC's reason.
 * `ignoreCompatible`: a program fits every system of its processor, and a bundle names only one.
 */
export async function install(
  bus: SystemBus,
  file: string,
  { ignoreCompatible, onProgress }: { ignoreCompatible: boolean; onProgress: (percent: number) => void },
): Promise<GivenReason | null> {
  const completed = Promise.withResolvers<number>();
  using done = await bus.signals(service, `interface='${installer.interface}',member='Completed'`, ({ body }) =>
    completed.resolve(Number(body[0])),
  );
  using progress = await bus.signals(
    service,
    "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',path='/'",
    ({ body }) => {
      const [percent] = ((body[1] as { Progress?: [number] }).Progress ?? []) as number[];
      if (percent !== undefined) onProgress(percent);
    },
  );
  // A RAUC that exits during an installation reports nothing more.
  using left = await bus.signals(
    'org.freedesktop.DBus',
    `interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='${service}'`,
    ({ body }) => {
      if (body[0] === service && body[2] === '') completed.reject(new BusUnavailable(radioFaults.say('rauc_ended')));
    },
  );
  void [done, progress, left];
  bus.gone.then(() => completed.reject(new BusUnavailable(radioFaults.say('bus_lost'))));
  completed.promise.catch(() => {});
  const args = ignoreCompatible ? { 'ignore-compatible': bus.variant('b', true) } : {};
  try {
    await bus.call({ ...installer, member: 'InstallBundle', signature: 'sa{sv}', body: [file, args] });
  } catch (error) {
    if (error instanceof BusRefused) return { reason: error.message };
    throw error;
  }
  if ((await completed.promise) === 0) return null;
  return (await lastErrorOf(bus)) ?? updateEnds.say('update_no_reason');
}

/** Throws BusRefused if this user may not, BusUnavailable if no service does it. */
export async function reboot(bus: SystemBus): Promise<void> {
  await bus.call({
    service: 'org.freedesktop.login1',
    path: '/org/freedesktop/login1',
    interface: 'org.freedesktop.login1.Manager',
    member: 'Reboot',
    signature: 'b',
    body: [false],
  });
}
