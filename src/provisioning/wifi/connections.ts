import { BusRefused, BusUnavailable, type SystemBus } from '../../bus/index.ts';
import { radioFaults } from '../../words/own-network.ts';
import {
  deviceInterface,
  manager,
  managerPath,
  profileInterface,
  settingsInterface,
  settingsPath,
  state,
  type WifiDevice,
} from './networkmanager-names.ts';
import type { Profile } from './profiles.ts';

/** Outcome of activating a profile. */
type Activated =
  | { readonly reached: 'activated'; readonly profile: string }
  /** `reason`: NMDeviceStateReason. */
  | { readonly reached: 'failed'; readonly reason: number }
  | { readonly reached: 'aborted' };

/** Makes the profile, only in memory, and waits until it is active or NetworkManager gives up. */
export async function activateProfile(
  bus: SystemBus,
  device: WifiDevice,
  profile: Profile,
  signal: AbortSignal,
): Promise<Activated> {
  const whenReady = Promise.withResolvers<{ reached: 'activated' } | { reached: 'failed'; reason: number }>();
  let begun = false;
  const rule = `interface='${deviceInterface}',member='StateChanged',path='${device.path}'`;
  using _ = await bus.signals(manager, rule, ({ body }) => {
    const [now, , reason] = body as number[];
    begun ||= now! >= state.prepare && now! <= state.activated;
    if (!begun) return;
    if (now === state.activated) whenReady.resolve({ reached: 'activated' });
    if (now === state.failed || now === state.disconnected)
      whenReady.resolve({ reached: 'failed', reason: reason ?? 0 });
  });
  const [path] = await bus.call({
    service: manager,
    path: settingsPath,
    interface: settingsInterface,
    member: 'AddConnectionUnsaved',
    signature: 'a{sa{sv}}',
    body: [profile],
  });
  await bus.call({
    service: manager,
    path: managerPath,
    interface: manager,
    member: 'ActivateConnection',
    signature: 'ooo',
    body: [path, device.path, '/'],
  });
  const over = new Promise<{ reached: 'aborted' }>(resolve => {
    if (signal.aborted) resolve({ reached: 'aborted' });
    signal.addEventListener('abort', () => resolve({ reached: 'aborted' }), { once: true });
  });
  const gone = bus.gone.then((): never => {
    throw new BusUnavailable(radioFaults.say('bus_lost'));
  });
  const outcome = await Promise.race([whenReady.promise, over, gone]);
  return outcome.reached === 'activated' ? { reached: 'activated', profile: String(path) } : outcome;
}

/** Writes the profile to disk: from now on it is there after a restart. */
export async function updateProfile(bus: SystemBus, path: string, profile: Profile): Promise<void> {
  await bus.call({
    service: manager,
    path,
    interface: profileInterface,
    member: 'Update',
    signature: 'a{sa{sv}}',
    body: [profile],
  });
}

/** Deletes the profiles of this name, and ends the connection of one that is in force. */
export async function removeProfiles(bus: SystemBus, name: string): Promise<void> {
  const [paths] = await bus.call({
    service: manager,
    path: settingsPath,
    interface: settingsInterface,
    member: 'ListConnections',
  });
  for (const path of paths as string[]) {
    try {
      const [settings] = await bus.call({
        service: manager,
        path,
        interface: profileInterface,
        member: 'GetSettings',
      });
      if ((settings as { connection?: { id?: unknown } }).connection?.id !== name) continue;
      await bus.call({ service: manager, path, interface: profileInterface, member: 'Delete' });
    } catch (error) {
      // A profile that the box may not read, or one that has gone in the meantime.
      if (!(error instanceof BusRefused)) throw error;
    }
  }
}
