import type { ActionName, ActionTable } from '../platform/actions.ts';
import { parseDeviceId } from '../platform/device-id.ts';
import { type Envelope, parseEnvelope } from '../platform/envelope.ts';
import type { Log } from '../runtime/log.ts';
import type { DeviceNo, Store } from '../store/index.ts';
import type { Outgoing } from './transport.ts';

const answeredHere: ReadonlySet<ActionName | undefined> = new Set<ActionName>([
  'time_sync',
  'checkin_report',
  'access_report',
  'feature_report',
  'person_sync_result',
]);
/** Of one device: answers come with the next pull at the latest. */
const midsRemembered = 4096;
/** Of all together; the device that was heard of first is forgotten first. */
const midsRememberedOfAll = 200_000;

interface DownlinkOptions {
  readonly store: Pick<Store, 'directory'>;
  readonly actions: ActionTable;
  readonly log: Log;
  readonly fromCloud: (deviceNo: DeviceNo, payload: Uint8Array) => Promise<void>;
}

/**
 * Messages from the cloud on their way to a device. The cloud's answers to what the box has
 * answered itself end here (CONTRACT 7).
 */
export class Downlink {
  readonly #options: DownlinkOptions;
  readonly #answered = new Map<DeviceNo, Set<string>>();
  #remembered = 0;

  constructor(options: DownlinkOptions) {
    this.#options = options;
  }

  /**
   * A report goes up that the box has answered: the cloud's own answer to its mid is not the
   * device's business.
   */
  sent(record: Outgoing): void {
    if (!this.#mayBeAnswered(record.action)) return;
    const envelope = parseEnvelope(record.payload);
    if (!envelope.ok || !answeredHere.has(this.#options.actions.nameOf(envelope.value.action))) return;
    const mids = this.#answered.get(record.deviceNo) ?? new Set();
    this.#answered.set(record.deviceNo, mids);
    const key = answerTo(envelope.value);
    if (mids.has(key)) return;
    mids.add(key);
    this.#remembered++;
    if (mids.size > midsRemembered && mids.delete(mids.values().next().value!)) this.#remembered--;
    while (this.#remembered > midsRememberedOfAll) {
      const [oldest, forgotten] = this.#answered.entries().next().value!;
      this.#answered.delete(oldest);
      this.#remembered -= forgotten.size;
    }
  }

  /**
   * False when its action is surely none of those: reading the whole of each message would cost
   * more than sending it.
   */
  #mayBeAnswered(action: Outgoing['action']): boolean {
    if (action === null) return false;
    return action === undefined || answeredHere.has(this.#options.actions.nameOf(action));
  }

  /**
   * `receiver`: the device of the session, or null where `to` names it. Resolves when the device
   * has it or its inbox.
   */
  async message(receiver: DeviceNo | null, payload: Uint8Array): Promise<void> {
    const { store, log, fromCloud } = this.#options;
    const envelope = parseEnvelope(payload);
    if (!envelope.ok) {
      log.warn({ bytes: payload.length }, 'a message from the cloud is no envelope: dropped');
      return;
    }
    const id = parseDeviceId(envelope.value.to);
    const deviceNo = receiver ?? (id.ok ? store.directory.device(id.value)?.deviceNo : undefined);
    if (deviceNo === undefined) {
      log.warn(
        { to: envelope.value.to.slice(0, 80) },
        'a message from the cloud is for a device that is not known here: dropped',
      );
      return;
    }
    if (this.#answered.get(deviceNo)?.delete(answerTo(envelope.value))) {
      this.#remembered--;
      return;
    }
    await fromCloud(deviceNo, payload);
  }
}

const answerTo = ({ action, mid }: Envelope): string => `${action} ${mid}`;
