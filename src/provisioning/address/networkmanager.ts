import { busFault, connectSystemBus, type SystemBus } from '../../bus/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { radioFaults } from '../../words/own-network.ts';
import {
  activeInterface,
  deviceInterface,
  manager,
  managerPath,
  profileInterface,
} from '../wifi/networkmanager-names.ts';
import { profileNames } from '../wifi/profiles.ts';
import { type AddressedInterface, type AddressPort, type AddressSettings, AddressUnavailable } from './port.ts';

/** Types of connections whose address is a person's to choose. */
const types = new Set(['802-3-ethernet', '802-11-wireless', 'bond', 'vlan', 'bridge']);
/** Sections of a profile whose secrets are in no `GetSettings`. */
const secretSections = ['802-11-wireless-security', '802-1x'] as const;
/** Keys of a profile that an address and its name servers are, some of them in two spellings. */
const ownKeys = ['method', 'address-data', 'addresses', 'gateway', 'dns', 'dns-data', 'ignore-auto-dns', 'dad-timeout'];
/** An address that somebody else has is not taken. */
const duplicateMs = 2000;
/** None: an interface that is on trial already, by whomever, is refused. */
const checkpointFlags = 0;

/** Settings by section, as they came: each value with its D-Bus type. */
type Typed = Readonly<Record<string, Readonly<Record<string, unknown>>>>;
type Plain = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Found {
  readonly bus: SystemBus;
  readonly device: string;
  readonly name: string;
  readonly profile: string;
}

/**
 * The address of the box through NetworkManager: that of the connection with the default route, or
 * of the first one that is active.
 */
export class NetworkManagerAddress implements AddressPort {
  readonly #clock: Clock;
  #bus: SystemBus | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  read(): Promise<AddressedInterface> {
    return this.#named(async () => {
      const { bus, name, profile } = await this.#found();
      const [settings] = await bus.call({
        service: manager,
        path: profile,
        interface: profileInterface,
        member: 'GetSettings',
      });
      return { name, ...settingsIn(settings as Plain) };
    });
  }

  try(wanted: AddressSettings, seconds: number) {
    return this.#named(async () => {
      const { bus, device, profile } = await this.#found();
      const of = { service: manager, path: profile, interface: profileInterface };
      const [settings] = (await bus.callTyped({ ...of, member: 'GetSettings' })) as readonly [Typed];
      const changed = {
        ...settings,
        ...(await this.#secretsOf(bus, profile, settings)),
        ipv4: ipv4Of(bus, settings, wanted),
      };
      const [checkpoint] = await bus.call({
        ...{ service: manager, path: managerPath, interface: manager, member: 'CheckpointCreate' },
        ...{ signature: 'aouu', body: [[device], seconds, checkpointFlags] },
      });
      const end = (member: 'CheckpointDestroy' | 'CheckpointRollback') =>
        bus.call({
          service: manager,
          path: managerPath,
          interface: manager,
          member,
          signature: 'o',
          body: [checkpoint],
        });
      try {
        await bus.call({ ...of, member: 'Update', signature: 'a{sa{sv}}', body: [changed] });
        await bus.call({
          ...{ service: manager, path: device, interface: deviceInterface, member: 'Reapply' },
          ...{ signature: 'a{sa{sv}}tu', body: [{}, 0n, 0] },
        });
      } catch (error) {
        await end('CheckpointRollback');
        throw error;
      }
      return {
        addresses: () => this.#named(() => addressesOf(bus, device)),
        keep: () => this.#named(async () => void (await end('CheckpointDestroy'))),
      };
    });
  }

  async [Symbol.asyncDispose]() {
    this.#bus?.[Symbol.dispose]();
    this.#bus = null;
  }

  async #found(): Promise<Found> {
    const bus = await this.#connected();
    const primary = String(await bus.property(manager, managerPath, manager, 'PrimaryConnection'));
    const all = (await bus.property(manager, managerPath, manager, 'ActiveConnections')) as string[];
    for (const active of primary === '/' ? all : [primary]) {
      const of = (name: string) => bus.property(manager, active, activeInterface, name);
      if (!types.has(String(await of('Type'))) || (await of('Id')) === profileNames.hotspot) continue;
      const [device] = (await of('Devices')) as string[];
      if (device === undefined) continue;
      const name = String(await bus.property(manager, device, deviceInterface, 'Interface'));
      return { bus, device, name, profile: String(await of('Connection')) };
    }
    throw new AddressUnavailable(radioFaults.say('no_connection'));
  }

  /** Sections that have secrets, with them: a profile is written as a whole. */
  async #secretsOf(bus: SystemBus, profile: string, settings: Typed): Promise<Typed> {
    const found: Record<string, Record<string, unknown>> = {};
    for (const section of secretSections) {
      if (!(section in settings)) continue;
      const [secrets] = (await bus.callTyped({
        ...{ service: manager, path: profile, interface: profileInterface, member: 'GetSecrets' },
        ...{ signature: 's', body: [section] },
      })) as readonly [Typed];
      found[section] = { ...settings[section], ...secrets[section] };
    }
    return found;
  }

  async #connected(): Promise<SystemBus> {
    if (this.#bus) return this.#bus;
    const bus = await connectSystemBus(this.#clock);
    bus.gone.then(() => {
      if (this.#bus === bus) this.#bus = null;
    });
    this.#bus = bus;
    return bus;
  }

  /** Errors of D-Bus or NetworkManager become `AddressUnavailable`, with their reason. */
  async #named<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      const fault = busFault('NetworkManager', error);
      throw fault === null ? error : new AddressUnavailable(fault);
    }
  }
}

function settingsIn({ ipv4 = {} }: Plain): AddressSettings {
  const [first] = (ipv4['address-data'] ?? []) as { address: string; prefix: number }[];
  const isAutomatic = ipv4.method !== 'manual';
  return {
    isAutomatic,
    address: isAutomatic || !first ? '' : `${first.address}/${first.prefix}`,
    router: isAutomatic ? '' : String(ipv4.gateway ?? ''),
    nameServers: ((ipv4.dns ?? []) as number[]).map(dotted),
  };
}

/** Routes and everything else of the section stay. */
function ipv4Of(bus: SystemBus, { ipv4 = {} }: Typed, wanted: AddressSettings): Record<string, unknown> {
  const { isAutomatic, address, router, nameServers } = wanted;
  const kept = Object.entries(ipv4).filter(([key]) => !ownKeys.includes(key));
  const [host, bits] = address.split('/');
  return {
    ...Object.fromEntries(kept),
    method: bus.variant('s', isAutomatic ? 'auto' : 'manual'),
    dns: bus.variant('au', nameServers.map(inNetworkOrder)),
    'ignore-auto-dns': bus.variant('b', nameServers.length > 0),
    ...(!isAutomatic && {
      'address-data': bus.variant('aa{sv}', [
        { address: bus.variant('s', host), prefix: bus.variant('u', Number(bits)) },
      ]),
      gateway: bus.variant('s', router),
      'dad-timeout': bus.variant('i', duplicateMs),
    }),
  };
}

/** NetworkManager has an address as a number whose lowest byte is its first one. */
const inNetworkOrder = (address: string): number =>
  address.split('.').reduceRight((number, part) => number * 256 + Number(part), 0);
const dotted = (number: number): string => [0, 8, 16, 24].map(shift => (number >>> shift) & 0xff).join('.');

async function addressesOf(bus: SystemBus, device: string): Promise<string[]> {
  const config = String(await bus.property(manager, device, deviceInterface, 'Ip4Config'));
  if (config === '/') return [];
  const data = (await bus.property(manager, config, `${manager}.IP4Config`, 'AddressData')) as { address: string }[];
  return data.map(({ address }) => address);
}
