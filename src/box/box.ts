import type { Accounts } from '../accounts/index.ts';
import type { BoxAdmin } from '../admin/index.ts';
import type { Attendance } from '../attendance/index.ts';
import type { Config } from '../config/index.ts';
import type { Devices } from '../devices/index.ts';
import type { Served } from '../listeners/index.ts';
import type { Provisioning } from '../provisioning/index.ts';
import type { Clock, Random } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Store } from '../store/index.ts';
import type { Upstream } from '../upstream/index.ts';
import type { Restart } from './restart.ts';
import type { Signs } from './signs.ts';

/** What a box is given from outside: time, chance, and where its log goes. */
export interface World {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Of the listeners in the config, under `listen`. */
export type ListenerName = Exclude<keyof Config['listen'], 'mqtt_framing'>;
/** Where each listener stands, with the port that was picked; null where it is off. */
export type ListenerAddresses = Readonly<Record<ListenerName, string | null>>;
/** The listeners, and the hotspot's server where a phone may set the box up. */
type Addresses = ListenerAddresses & { readonly hotspot?: string };

/**
 * A running box. Disposing it stops accepting, commits what is in flight, and closes everything in
 * reverse order.
 */
export interface Box extends AsyncDisposable {
  readonly addresses: Addresses;
  readonly store: Store;
  readonly devices: Devices;
  readonly upstream: Upstream;
  readonly attendance: Attendance;
  readonly provisioning: Provisioning;
  readonly accounts: Accounts;
  /** What the commands ask, without going through the socket. */
  readonly admin: BoxAdmin;
  readonly caPem: string;
  readonly signs: Pick<Signs, 'read' | 'updating'>;
  /**
   * What each HTTP listener serves, and the socket of the commands. The security tests call every
   * route of it.
   */
  readonly served: Readonly<Record<'https' | 'http' | 'metrics' | 'socket', Served>> & { readonly hotspot?: Served };
  /**
   * Registers who can close the box and open it again. The web UI restores backups and installs
   * updates only where somebody can.
   */
  onRestartAsked(restart: (how: Restart) => void): void;
}
