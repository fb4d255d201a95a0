import type { Found } from '../words/checks.ts';
import type { SetupError } from './setup-result.ts';

export type CheckName =
  | 'config'
  | 'address'
  | 'gateway'
  | 'dns'
  | 'tcp'
  | 'tls'
  | 'login'
  | 'clock'
  | 'certificate'
  | 'suites'
  | 'disk'
  | 'devices'
  | 'backup'
  | 'bluetooth'
  | 'wifi'
  | 'watchdog'
  | 'system'
  | 'card'
  | 'files'
  | 'container';

/** Parts of a region, as `gatehouse doctor --region` sees them. */
export type RegionCheckName =
  | 'etcd'
  | 'primary'
  | 'standby'
  | 'database'
  | 'settings'
  | 'roles'
  | 'process'
  | 'haproxy'
  | 'strangers';

/**
 * `warn`: it works, and a person should look; `skipped`: not tried, because a link before it is
 * broken.
 */
export type CheckState = 'ok' | 'warn' | 'failed' | 'skipped';

/** `network`: the way to the cloud and the clock; `all`: the machine too. */
export type DoctorRun = 'network' | 'all';

/** One link of the way to the cloud, or one part of the machine, and how it was found. */
export interface Check<Name extends string = CheckName> extends Found {
  readonly name: Name;
  /** Which of several, such as `mqtts://cloud.example:8883`; empty where there is one. */
  readonly of: string;
  readonly state: CheckState;
  readonly ms: number;
  /** Error that a device in this place would report (SPEC 7.6). */
  readonly error: SetupError | null;
}
