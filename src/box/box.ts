import type { Accounts, HashStrength } from '../accounts/index.ts';
import type { BoxAdmin } from '../admin/index.ts';
import type { Attendance } from '../attendance/index.ts';
import type { Config, Origin } from '../config/index.ts';
import type { Devices } from '../devices/index.ts';
import type { Served } from '../listeners/index.ts';
import type { Provisioning } from '../provisioning/index.ts';
import type { Clock, Random } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Store } from '../store/index.ts';
import type { Upstream } from '../upstream/index.ts';
import type { Restart } from './restart.ts';
import type { Signs } from './signs.ts';

/** Dependencies of a box on the outside: clock, randomness and log. */
export interface World {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** Strength of password hashes; absent: `fullStrength`. Only tests hand in less. */
  readonly hashStrength?: HashStrength;
  /** Where the value of a key of the config comes from; absent: the config fixes no key. */
  readonly origin?: Origin;
  /** The files that hold values of the config (`LoadedConfig.fileOf`); absent: there are none. */
  readonly fileOf?: ReadonlyMap<string, string>;
}

/** The names under `listen` in the config. */
export type ListenerName = Exclude<keyof Config['listen'], 'proxies'>;
/** The address of each listener, with the port that the system chose; null where it is off. */
export type ListenerAddresses = Readonly<Record<ListenerName, string | null>>;
/** The listeners, and the hotspot's server while a phone can set up the box. */
type Addresses = ListenerAddresses & { readonly hotspot?: string };

/**
 * A running box. Disposing it stops accepting, commits what is in flight, and closes everything in
 * reverse order.
 */
export interface Box extends AsyncDisposable {
  readonly addresses: Addresses;
  /** All of it: what holds the box (a command, a test) looks into every domain. */
  readonly store: Store;
  readonly devices: Devices;
  readonly upstream: Upstream;
  readonly attendance: Attendance;
  readonly provisioning: Provisioning;
  readonly accounts: Accounts;
  /** The operations that commands call, without the Unix socket. */
  readonly admin: BoxAdmin;
  readonly caPem: string;
  /** Looks at once whether certificates were replaced on disk; the box looks every minute. */
  lookAtCertificates(): void;
  readonly signs: Pick<Signs, 'read' | 'updating'>;
  /** The site in force: its properties change while the box runs. */
  readonly site: Config['site'];
  /**
   * Handlers of each HTTP listener and the Unix socket. The security tests call every route of it.
   */
  readonly served: Readonly<Record<'https' | 'http' | 'metrics' | 'socket', Served>> & { readonly hotspot?: Served };
  /**
   * Registers a function that can close and reopen the box. The web UI offers restoring backups and
   * installing updates only when there is one.
   */
  onRestartAsked(restart: (how: Restart) => void): void;
}
