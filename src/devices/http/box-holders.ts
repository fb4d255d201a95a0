import type { Clock } from '../../runtime/clock.ts';
import type { Device, GatewayStore, ReadPart, RememberedStore, SharedStore } from '../../store/index.ts';

/**
 * Under this name the store remembers which copy of a box below is taken
 * (`src/store/site/directory.ts`).
 */
const service = 'box below';

/** Identity that a box below presents with each batch. */
interface BoxCopy {
  readonly epoch: string;
  /** Of its present run; empty: its program is older than this. */
  readonly instance: string;
  /** The one under which a batch was last taken here, as far as it knows. */
  readonly before: string;
}

interface Holder {
  readonly epoch: string;
  readonly instance: string;
}

export type HolderStore = RememberedStore & ReadPart<Pick<GatewayStore['read'], 'batchCursor'>> & SharedStore;

/**
 * Tells two copies of one box apart (docs/decisions/upstream.md). Each run of a box has an instance
 * of its own, and names the one before, so runs form a chain that only one of two copies can go on
 * with. Taking both would lose records: each counts on from the same `seq`.
 */
export class BoxHolders {
  readonly #store: HolderStore;
  readonly #clock: Clock;

  constructor(store: HolderStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /** Whether batches of this copy are taken. */
  async takes(box: Device, copy: BoxCopy): Promise<boolean> {
    if (copy.instance === '' || isSame(await this.#holderOf(box), copy)) return true;
    // Two copies that come together must not both be the next.
    return this.#store.shared.alone(`${service}\0${box.deviceId}`, () => this.#settle(box, copy));
  }

  async #holderOf({ deviceId }: Device): Promise<Holder | null> {
    const kept = (await this.#store.read.remembered(service, deviceId))?.value;
    return kept ? (JSON.parse(kept) as Holder) : null;
  }

  async #settle(box: Device, copy: BoxCopy): Promise<boolean> {
    const { deviceNo, deviceId } = box;
    const { instance, before } = copy;
    const own = ownEpoch(copy);
    const holder = await this.#holderOf(box);
    if (isSame(holder, copy)) return true;
    const isNext = holder === null || holder.instance === instance || holder.instance === before;
    // A restored store has a new epoch. One that was here before belongs to the box that it
    // replaced.
    const isRestored = holder !== null && holder.epoch !== own && (await this.#isNew(deviceNo, own));
    if (!isNext && !isRestored) return false;
    const value = JSON.stringify({ epoch: own, instance } satisfies Holder);
    await this.#store.write.remember({ service, key: deviceId, value, at: this.#clock.now() });
    return true;
  }

  async #isNew(boxNo: Device['deviceNo'], epoch: string): Promise<boolean> {
    return (await this.#store.read.batchCursor(boxNo, epoch)) === 0;
  }
}

/** A record that staff send again comes under an epoch that begins with that of its box. */
const ownEpoch = ({ epoch }: BoxCopy): string => epoch.split('.')[0]!;

const isSame = (holder: Holder | null, copy: BoxCopy): boolean =>
  holder?.epoch === ownEpoch(copy) && holder.instance === copy.instance;
