import type { ActionTable } from '../platform/actions.ts';
import { encodeEnvelope } from '../platform/envelope.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import {
  type Device,
  type DeviceNo,
  type DirectoryStore,
  isConfirmed,
  type OrganizationStore,
  type PersonToSync,
  personSyncMidOf,
  type Store,
} from '../store/index.ts';

interface PersonSyncOptions {
  readonly store: OrganizationStore & DirectoryStore & Pick<Store, 'onPeopleChange'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly actions: ActionTable;
  readonly isOnline: (deviceNo: DeviceNo) => boolean;
  /** Its device id in the case that the device itself uses. */
  readonly idAsWritten: (deviceNo: DeviceNo) => string;
  /** Now, as devices may be told; 0 while the box does not know the time. */
  readonly stamp: () => number;
  /** Hands a message to the device, or keeps it in its inbox: false when it waits there. */
  readonly deliver: (deviceNo: DeviceNo, payload: Uint8Array) => Promise<boolean>;
}

/** In one message: little enough for small terminals, and for the inbox of one that pulls. */
const peopleMax = 50;
const messageBytesMax = 512 << 10;

/**
 * Sends people and their features to terminals (CONTRACT 4 and 7, `person_sync`). Changes of people
 * are numbered, and each device has the number of the last change that it was sent. A device that
 * was away is sent the rest when it is back. An inbox holds one such message at a time, however
 * many people there are. Only confirmed devices are sent people, or the removal of people
 * (store/people/people-data.ts); PINs only where the product takes them.
 */
export class PersonSync {
  readonly #options: PersonSyncOptions;
  readonly #busy = new Set<DeviceNo>();
  readonly #again = new Set<DeviceNo>();
  /** Whose last message waits in the inbox. */
  readonly #waiting = new Set<DeviceNo>();
  readonly #running = new Set<Promise<void>>();
  /** How often people, or who may have them, have changed since the start. */
  #changes = 0;
  /** `#changes` when each device was last found to have everything. */
  readonly #levelAt = new Map<DeviceNo, number>();
  #levelsRead: Promise<void> | null = null;
  #closed = false;

  constructor(options: PersonSyncOptions) {
    this.#options = options;
    options.store.onPeopleChange(deviceNo => {
      this.#changes++;
      if (deviceNo === null) this.all();
      else this.#look(deviceNo);
    });
  }

  /** Every terminal that is here. */
  all(): void {
    for (const { deviceNo } of this.#options.store.directory.devices()) this.#look(deviceNo);
  }

  #look(deviceNo: DeviceNo): void {
    // A message for it left its inbox when its confirmation ended.
    if (!this.#mayStillSync(deviceNo)) this.#waiting.delete(deviceNo);
    else if (this.#options.isOnline(deviceNo)) this.#start(deviceNo);
  }

  /** A terminal that has come, or that has taken what waited for it. */
  device(deviceNo: DeviceNo): void {
    this.#waiting.delete(deviceNo);
    this.#start(deviceNo);
  }

  #start(deviceNo: DeviceNo): void {
    if (this.#closed || this.#isLevel(deviceNo)) return;
    // A device that is being served may just have checked for the last time.
    if (this.#busy.has(deviceNo)) return void this.#again.add(deviceNo);
    const device = this.#options.store.directory.deviceByNo(deviceNo);
    if (!device || !this.#maySync(device)) return;
    this.#busy.add(deviceNo);
    const run = this.#bringUp(device)
      .catch(error => {
        const upTo = { device: device.deviceId, error: String(error) };
        if (!this.#closed) this.#options.log.warn(upTo, 'people_not_sent_to_terminal');
      })
      .finally(() => {
        this.#busy.delete(deviceNo);
        this.#running.delete(run);
        if (this.#again.delete(deviceNo)) this.#start(deviceNo);
      });
    this.#running.add(run);
  }

  /** Resolves when no device is being served. */
  async whenIdle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.whenIdle();
  }

  #maySync(device: Device): boolean {
    return isConfirmed(device) && (this.#options.store.directory.product(device.productId)?.faceFeatures ?? false);
  }

  /** Read again: it may have changed during an await. */
  #mayStillSync(deviceNo: DeviceNo): boolean {
    const device = this.#options.store.directory.deviceByNo(deviceNo);
    return device !== undefined && this.#maySync(device);
  }

  /**
   * Whether the device has everything: kept in memory, because each device that connects is looked
   * up.
   */
  #isLevel(deviceNo: DeviceNo): boolean {
    return this.#levelAt.get(deviceNo) === this.#changes;
  }

  /** Once, with the first device that comes: which devices had everything before the start. */
  async #readLevels(): Promise<void> {
    const { read } = this.#options.store;
    const changes = this.#changes;
    const [newest, sent] = await Promise.all([read.personChangeNo(), read.personSyncs()]);
    for (const [deviceNo, changeNo] of sent) if (changeNo === newest) this.#levelAt.set(deviceNo, changes);
  }

  async #bringUp({ deviceNo, productId }: Device): Promise<void> {
    const { store, clock, actions, deliver, isOnline, idAsWritten, stamp } = this.#options;
    const action = actions.codeOf('person_sync');
    if (action === null) return;
    const changes = this.#changes;
    this.#levelsRead ??= this.#readLevels().catch(error => {
      this.#levelsRead = null;
      throw error;
    });
    await this.#levelsRead;
    if (this.#isLevel(deviceNo)) return;
    let upTo = await store.read.personSyncOf(deviceNo);
    while (!this.#closed && isOnline(deviceNo) && !this.#waiting.has(deviceNo)) {
      const people = await store.read.personsAfter(upTo, {
        limit: peopleMax,
        bytesMax: messageBytesMax,
        productId,
      });
      if (!this.#mayStillSync(deviceNo)) return;
      if (people.length === 0) return void this.#levelAt.set(deviceNo, changes);
      const changeNo = people.at(-1)!.changeNo;
      const sentAt = clock.now();
      const payload = encodeEnvelope({
        mid: personSyncMidOf(changeNo, sentAt),
        from: 'system',
        to: idAsWritten(deviceNo),
        time: stamp(),
        action,
        data: dataOf(people),
      });
      const sent = { deviceNo, fromNo: upTo, toNo: changeNo, at: sentAt };
      // Noted before it goes out, since its answer may be quick, and again when it is on disk:
      // after a crash in between it is sent again.
      await store.write.personsSent({ ...sent, delivery: false });
      if (!this.#mayStillSync(deviceNo)) return;
      // The message may be taken before the news arrives that it waits.
      this.#waiting.add(deviceNo);
      const handedOver = await deliver(deviceNo, payload);
      if (handedOver) this.#waiting.delete(deviceNo);
      await store.write.personsSent({ ...sent, delivery: handedOver ? 'handed over' : 'in the inbox' });
      upTo = changeNo;
    }
  }
}

const dataOf = (people: readonly PersonToSync[]): object => ({
  upsert: people
    .filter(person => !person.removed)
    .map(({ extId, name, employeeNum, features }) => ({
      ext_id: extId,
      name,
      employee_num: employeeNum,
      features: features.flatMap(({ featureType, featureAlg, values }) =>
        values.map(value => ({ feature_type: featureType, feature_alg: featureAlg, value })),
      ),
    })),
  remove: people.filter(person => person.removed).map(({ extId }) => extId),
});
