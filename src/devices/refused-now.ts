import { parseDeviceId, productOf } from '../platform/device-id.ts';
import { limits } from '../platform/limits.ts';
import { isOpenWindow } from '../platform/open-window.ts';
import { isBeforeLogin } from '../platform/refusals.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import type { Device, DeviceReads, Directory, GatewayReads, ReadPart } from '../store/index.ts';

/** How long a refusal counts if the device neither comes in nor tries again. */
const refusedWithinMs = 24 * 3600 * 1000;
/** Ids that are remembered at once: a flood of made-up ids forgets the oldest. */
const rememberedMax = 5_000;
/** How many of the newest stored refusals a start reads. */
const readAtStart = 500;

interface Refused {
  readonly at: UnixMs;
  readonly code: string;
}

/**
 * Whether a refusal still says something: not where what was missing has been added since, so that
 * the next try is checked again.
 */
export function stillRefused(
  { clientId, code, at }: { readonly clientId: string; readonly code: string; readonly at: UnixMs },
  directory: Directory,
  now: UnixMs,
): boolean {
  // Nor does one in the future, by a clock that was wrong.
  if (Math.abs(now - at) >= refusedWithinMs) return false;
  const id = parseDeviceId(clientId);
  if (!id.ok) return true;
  if (code === 'box_not_listed') return !directory.boxBelow(id.value);
  const product = directory.product(productOf(id.value));
  if (code === 'unknown_product') return product === undefined;
  if (code === 'too_many_new_devices')
    return !isOpenWindow(product?.newDevicesUntil ?? null, limits.newDevicesWindowMs, now);
  return true;
}

/** The box logs in before each of its batches is refused. */
const isOfBatches = (code: string): boolean => code === 'box_not_listed' || code === 'box_used_twice';

/** Which device ids are refused: refused within the last day, and not let in since. */
export class RefusedNow {
  readonly #directory: Directory;
  readonly #clock: Clock;
  readonly #ids = new Map<string, Refused>();

  private constructor(directory: Directory, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  static async open({
    store,
    clock,
  }: {
    readonly store: ReadPart<Pick<GatewayReads, 'refusalsSince'> & Pick<DeviceReads, 'lastConnected'>> & {
      readonly directory: Directory;
    };
    readonly clock: Clock;
  }): Promise<RefusedNow> {
    const refused = new RefusedNow(store.directory, clock);
    const found = await store.read.refusalsSince(clock.now() - refusedWithinMs, readAtStart);
    for (const { clientId, code, at } of found.reverse()) {
      const id = parseDeviceId(clientId);
      const device = id.ok ? store.directory.device(id.value) : undefined;
      const cameAt = device ? await store.read.lastConnected(device.deviceNo) : null;
      if (isOfBatches(code) || (cameAt ?? 0) <= at) refused.note({ clientId, code, at });
    }
    return refused;
  }

  /** A login was refused. What fails before the login may be a browser: it is not counted. */
  note({ clientId, code, at }: { readonly clientId: string; readonly code: string; readonly at: UnixMs }): void {
    if (isBeforeLogin(code)) return;
    const id = clientId.toUpperCase();
    this.#ids.delete(id);
    this.#ids.set(id, { at, code });
    if (this.#ids.size > rememberedMax) this.#ids.delete(this.#ids.keys().next().value!);
  }

  /** The device was let in. */
  came({ deviceId }: Pick<Device, 'deviceId'>): void {
    this.#ids.delete(deviceId);
  }

  has({ deviceId }: Pick<Device, 'deviceId'>): boolean {
    return this.#ids.size > 0 && this.#counts(deviceId);
  }

  /** Device ids, known or not. */
  get count(): number {
    let count = 0;
    for (const id of this.#ids.keys()) if (this.#counts(id)) count++;
    return count;
  }

  #counts(id: string): boolean {
    const refused = this.#ids.get(id);
    return refused !== undefined && stillRefused({ clientId: id, ...refused }, this.#directory, this.#clock.now());
  }
}
