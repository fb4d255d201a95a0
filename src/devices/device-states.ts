import { countStates, type DeviceState, type DeviceStateCounts, deviceState } from '../platform/device-state.ts';
import type { Device, DeviceNo, DeviceReads, Directory, ReadPart } from '../store/index.ts';
import type { HeldBack } from './held-back.ts';
import type { Presence } from './presence.ts';
import type { RefusedNow } from './refused-now.ts';

/** Holds what the state of a device depends on in memory: it is asked once a second for all. */
export class DeviceStates {
  readonly #directory: Directory;
  readonly #presence: Presence;
  readonly #heldBack: HeldBack;
  readonly #refused: RefusedNow;
  readonly #wereHere: Set<DeviceNo>;

  private constructor({ directory, presence, heldBack, refused }: DeviceStatesParts, wereHere: ReadonlySet<DeviceNo>) {
    this.#directory = directory;
    this.#presence = presence;
    this.#heldBack = heldBack;
    this.#refused = refused;
    this.#wereHere = new Set(wereHere);
    presence.onChangeAnywhere((deviceNo, online) => {
      if (online) this.#wereHere.add(deviceNo);
    });
  }

  static async open(
    parts: DeviceStatesParts & { readonly store: ReadPart<Pick<DeviceReads, 'wereHere'>> },
  ): Promise<DeviceStates> {
    return new DeviceStates(parts, await parts.store.read.wereHere());
  }

  stateOf(device: Device): DeviceState {
    const { deviceNo, blocked, belongsTo } = device;
    return deviceState({
      isBlocked: blocked,
      isOnline: this.#presence.isOnline(deviceNo),
      isHeldBack: this.#heldBack.has(deviceNo),
      isRefused: this.#refused.has(device),
      isElsewhere: belongsTo !== null && belongsTo !== 'here',
      wasHere: this.#wereHere.has(deviceNo),
    });
  }

  /** Whether it has ever connected, or a record of it has ever arrived. */
  wasHere({ deviceNo }: Pick<Device, 'deviceNo'>): boolean {
    return this.#wereHere.has(deviceNo);
  }

  counts(): DeviceStateCounts {
    return countStates(this.#states());
  }

  *#states(): Iterable<DeviceState> {
    for (const device of this.#directory.devices()) yield this.stateOf(device);
  }
}

interface DeviceStatesParts {
  readonly directory: Directory;
  readonly presence: Presence;
  readonly heldBack: HeldBack;
  readonly refused: RefusedNow;
}
