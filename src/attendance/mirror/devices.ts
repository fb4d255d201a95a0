import { CloudRefused } from '../../platform/cloud-refused.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { RememberedStore } from '../../store/index.ts';
import type { CloudDevice } from '../http/calls.ts';
import type { CloudAttendance } from './cloud.ts';

/** Where the list stands in the store. */
const service = 'attendance';
const key = 'devices of the cloud';
const devicesMax = 20_000;

/**
 * The devices as the cloud lists them (SPEC 2.14): the last list stays over restarts and a cut
 * line.
 */
export class CloudDevices {
  readonly #options: { readonly store: RememberedStore; readonly cloud: CloudAttendance; readonly clock: Clock };
  #known: readonly CloudDevice[] | null = null;

  constructor(options: { readonly store: RememberedStore; readonly cloud: CloudAttendance; readonly clock: Clock }) {
    this.#options = options;
  }

  /** Devices; null if the cloud was never reached. */
  async all(): Promise<readonly CloudDevice[] | null> {
    if (!this.#known) {
      const kept = await this.#options.store.read.remembered(service, key);
      this.#known ??= kept && (JSON.parse(kept.value) as CloudDevice[]);
    }
    return this.#known;
  }

  /**
   * A cloud that refuses the list for good leaves it as it was. Rejects where the cloud does not
   * answer, or not with a whole list.
   */
  async refresh(): Promise<void> {
    const { store, cloud, clock } = this.#options;
    const before = await this.all();
    const fetched = await cloud.devices().catch(error => {
      if (error instanceof CloudRefused && error.isFinal) return before ?? [];
      throw error;
    });
    const found = fetched.slice(0, devicesMax).sort((one, other) => (one.sn < other.sn ? -1 : 1));
    const value = JSON.stringify(found);
    if (value !== JSON.stringify(before)) await store.write.remember({ service, key, value, at: clock.now() });
    this.#known = found;
  }
}
