/** UUIDs in lower case, 128 bits. */
export interface GattProfile {
  readonly service: string;
  readonly write: string;
  readonly notify: string;
}

export interface FoundCharacteristic {
  readonly uuid: string;
  /** As BlueZ names them: `write`, `write-without-response`, `notify`, `indicate`, … */
  readonly flags: readonly string[];
  /** Bytes of the ATT MTU; null: unknown. */
  readonly mtu: number | null;
}

export interface FoundService {
  readonly uuid: string;
  readonly characteristics: readonly FoundCharacteristic[];
}

interface ChosenProfile {
  readonly profile: GattProfile;
  readonly write: FoundCharacteristic;
  /** Where the choice comes from, for people. */
  readonly from: 'remembered' | 'configured' | 'known' | 'found';
}

const short = (id: string): string => `0000${id}-0000-1000-8000-00805f9b34fb`;

/**
 * Serial ports over GATT that modules in such devices have. SPEC 4.4 names no UUIDs
 * (docs/decisions/provisioning.md).
 */
export const knownProfiles: readonly GattProfile[] = [
  {
    service: '6e400001-b5a3-f393-e0a9-e50e24dcca9e',
    write: '6e400002-b5a3-f393-e0a9-e50e24dcca9e',
    notify: '6e400003-b5a3-f393-e0a9-e50e24dcca9e',
  },
  { service: short('ffe0'), write: short('ffe1'), notify: short('ffe1') },
  { service: short('fff0'), write: short('fff2'), notify: short('fff1') },
  { service: short('fff0'), write: short('fff1'), notify: short('fff2') },
];

export const writesWithoutResponse = ({ flags }: FoundCharacteristic): boolean =>
  flags.includes('write-without-response');
const writes = (one: FoundCharacteristic): boolean => one.flags.includes('write') || writesWithoutResponse(one);
const notifies = ({ flags }: FoundCharacteristic): boolean => flags.includes('notify') || flags.includes('indicate');

/**
 * Battery, device information and the like write and notify too, and are no channel: services of
 * the Bluetooth SIG come last.
 */
const isOfTheSig = ({ uuid }: FoundService): boolean => /^000018[0-9a-f]{2}-0000-1000-8000-00805f9b34fb$/.test(uuid);

/**
 * Which characteristics to use: those that worked for the model last time, else those of the
 * config, else a known pair, else those of the first service with one to write and one that
 * notifies. Null: there is none.
 */
export function chooseProfile(
  services: readonly FoundService[],
  { remembered, configured }: { readonly remembered: GattProfile | null; readonly configured: GattProfile },
): ChosenProfile | null {
  const candidates: (readonly [GattProfile, ChosenProfile['from']])[] = [
    ...(remembered ? [[remembered, 'remembered'] as const] : []),
    [configured, 'configured'],
    ...knownProfiles.map(one => [one, 'known'] as const),
  ];
  for (const [profile, from] of candidates) {
    const service = services.find(({ uuid }) => uuid === profile.service);
    const write = service?.characteristics.find(one => one.uuid === profile.write && writes(one));
    const notify = service?.characteristics.find(one => one.uuid === profile.notify && notifies(one));
    if (write && notify) return { profile, write, from };
  }
  for (const service of [...services].sort((one, other) => Number(isOfTheSig(one)) - Number(isOfTheSig(other)))) {
    const write = service.characteristics.find(writes);
    const notify = service.characteristics.find(notifies);
    if (write && notify)
      return { profile: { service: service.uuid, write: write.uuid, notify: notify.uuid }, write, from: 'found' };
  }
  return null;
}

/** Three bytes of the ATT MTU are overhead. Unknown: the minimum of every link. */
export const pieceBytes = (mtu: number | null): number => (mtu === null ? 20 : Math.max(20, Math.min(512, mtu - 3)));
