import { effect, signal } from '@preact/signals';
import type { FoundDevice, VerifyOutcome, WifiOutcome } from '../../../../src/provisioning/site-devices/events.ts';

/** A device that is being set up, and the result. */
export interface ListedDevice {
  /** The target of a run: a name of the scan or a device id. */
  readonly target: string;
  readonly name: string;
  readonly via: FoundDevice['via'] | null;
  /** Device id; null before it is reported. */
  readonly deviceId: string | null;
  readonly model: string;
  readonly verified: (Pick<VerifyOutcome, 'genuine' | 'message' | 'code' | 'params'> & { readonly at: number }) | null;
  readonly wifi:
    | (Pick<WifiOutcome, 'configured' | 'message' | 'code' | 'params' | 'try_form'> & {
        readonly at: number;
        readonly ssid: string;
      })
    | null;
  /** When it was first seen to have logged in with its key; null: not yet. */
  readonly provedAt: number | null;
  readonly firstPunch: { readonly at: number; readonly name: string } | null;
  /** How its network is set up, as its product says; null: it needs no network setup. */
  readonly networkFlow: string | null;
  /** Whether it waits for approval to receive people's data; null: not known yet. */
  readonly isUnapproved: boolean | null;
}

interface Kept {
  readonly devices: readonly ListedDevice[];
  /** How far the walk test has read; null: it was not opened yet. */
  readonly cursor: string | null;
  /** Of the last network: only the name. */
  readonly ssid: string;
  readonly installer: string;
  readonly notes: string;
}

const key = 'gatehouse-commission';
const none: Kept = { devices: [], cursor: null, ssid: '', installer: '', notes: '' };

function kept(): Kept {
  try {
    const saved: Kept = { ...none, ...JSON.parse(sessionStorage.getItem(key) ?? '{}') };
    return { ...saved, devices: saved.devices.map(device => ({ ...device, provedAt: device.provedAt ?? null })) };
  } catch {
    return none;
  }
}

/** The list of this tab. It outlives a reload, and no password is in it. */
export const list = signal<Kept>(kept());
effect(() => sessionStorage.setItem(key, JSON.stringify(list.value)));

export const note = (change: Partial<Kept>): void => {
  list.value = { ...list.peek(), ...change };
};

export const startOver = (): void => note({ devices: [], notes: '' });

const same = (one: ListedDevice, other: Pick<ListedDevice, 'target' | 'deviceId'>): boolean =>
  one.target === other.target || (one.deviceId !== null && one.deviceId === other.deviceId);

/** False: it is there already. */
export function putOnList(
  device: Pick<ListedDevice, 'target' | 'name' | 'via'> & {
    readonly deviceId?: string | null;
    readonly model?: string;
    readonly networkFlow?: string | null;
  },
): boolean {
  const { devices } = list.peek();
  const entry: ListedDevice = {
    deviceId: null,
    model: '',
    verified: null,
    wifi: null,
    provedAt: null,
    firstPunch: null,
    isUnapproved: null,
    networkFlow: '',
    ...device,
  };
  if (devices.some(one => same(one, entry))) return false;
  note({ devices: [...devices, entry] });
  return true;
}

export function change(target: string, changed: Partial<ListedDevice>): void {
  note({ devices: list.peek().devices.map(one => (one.target === target ? { ...one, ...changed } : one)) });
}

export const takeOff = (target: string): void =>
  note({ devices: list.peek().devices.filter(one => one.target !== target) });

/**
 * The device is finished: its first record has arrived here, it was not found to be a fake, and it
 * receives people's data, or is not to.
 */
export const isDone = ({ firstPunch, verified, isUnapproved }: ListedDevice): boolean =>
  firstPunch !== null && verified?.genuine !== false && isUnapproved !== true;

/** Address of the step that sets it up. */
export const setUpOf = (target: string): string => `/commission?step=setup&device=${encodeURIComponent(target)}`;

/** The name under which people know it. */
export const titleOf = ({ deviceId, name, target }: ListedDevice): string => deviceId ?? (name || target);
