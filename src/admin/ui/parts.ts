import type { Accounts } from '../../accounts/index.ts';
import type { Attendance } from '../../attendance/index.ts';
import type { Config } from '../../config/index.ts';
import type { Devices } from '../../devices/index.ts';
import type { Provisioning } from '../../provisioning/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { RecentLines } from '../../runtime/recent-lines.ts';
import type { Services } from '../../services/index.ts';
import type { Device, Store } from '../../store/index.ts';
import type { Updates } from '../../updates/index.ts';
import type { Upstream } from '../../upstream/index.ts';
import type { BoxAdmin } from '../port.ts';

/** What the pages ask of a running box beyond what the commands do. */
export interface UiParts {
  readonly admin: BoxAdmin;
  readonly store: Store;
  readonly devices: Devices;
  readonly upstream: Upstream;
  readonly attendance: Attendance;
  readonly services: Services;
  readonly provisioning: Provisioning;
  readonly updates: Updates;
  readonly config: Config;
  /** PEM: what devices must trust, and what they are shown. */
  readonly certificates: { readonly caPem: string; current(): { readonly cert: string } };
  readonly accounts: Pick<Accounts, 'checkPassword' | 'access'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Its last lines. */
  readonly systemLog: RecentLines;
  /** Closes the box and opens it again; null: whoever runs it cannot. */
  restarter(): ((how: 'same program') => void) | null;
  isOnline(device: Device): boolean;
}
