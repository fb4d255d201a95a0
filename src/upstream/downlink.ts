import { type ActionTable, isAnsweredHere } from '../platform/actions.ts';
import { parseDeviceId } from '../platform/device-id.ts';
import { type Envelope, parseEnvelope } from '../platform/envelope.ts';
import { withoutPadding } from '../platform/json-bytes.ts';
import type { Log } from '../runtime/log.ts';
import type { DeviceNo, DirectoryStore, Seq } from '../store/index.ts';
import { type Outgoing, payloadOf } from './transport.ts';

/** Of one device: answers come with the next pull at the latest. */
const midsRemembered = 4096;
/** Of all together; the device that was heard of first is forgotten first. */
const midsRememberedOfAll = 200_000;

interface DownlinkOptions {
  readonly store: DirectoryStore;
  readonly actions: ActionTable;
  readonly log: Log;
  readonly fromCloud: (deviceNo: DeviceNo, payload: Uint8Array) => Promise<void>;
}

/**
 * Fate of the cloud's answer: `dropped` where the device has its final answer already, from the box
 * or by an earlier sending of the same record.
 */
type Fate = 'dropped' | 'passed on';

/**
 * Messages from the cloud on their way to a device. Each report gets one final answer: the box's,
 * and then the cloud's ends here (CONTRACT 7); or the cloud's, where the site leaves the action to
 * it or the box refused the data and passed the report on (CONTRACT 4). What is sent again after a
 * broken connection may be answered twice: the second answer ends here too. After a restart that is
 * not known any more.
 */
export class Downlink {
  readonly #options: DownlinkOptions;
  readonly #expected = new Map<DeviceNo, Map<string, Fate>>();
  /** Of each device: up to here its reports were sent once. */
  readonly #sentUpTo = new Map<DeviceNo, Seq>();
  #remembered = 0;

  constructor(options: DownlinkOptions) {
    this.#options = options;
  }

  /** A report goes up: what becomes of the cloud's answer to it is settled now. */
  sent(record: Outgoing): void {
    if (!this.#mayBeAnswered(record.action)) return;
    const envelope = parseEnvelope(payloadOf(record));
    const { actions } = this.#options;
    const name = envelope.ok ? actions.nameOf(envelope.value.action) : undefined;
    if (!envelope.ok || name === undefined || !isAnsweredHere(name)) return;
    const { deviceNo, seq } = record;
    const expected = this.#expected.get(deviceNo) ?? new Map<string, Fate>();
    this.#expected.set(deviceNo, expected);
    const key = answerTo(envelope.value);
    const isFirst = seq > (this.#sentUpTo.get(deviceNo) ?? 0);
    if (isFirst) this.#sentUpTo.set(deviceNo, seq);
    const isTheClouds = record.refusedHere === true || actions.isAnsweredByCloud(name);
    if (!isTheClouds) this.#expect(expected, key, 'dropped');
    else if (isFirst) this.#expect(expected, key, 'passed on');
    // Sent again: it either waits for its answer still, or has had it.
    else if (!expected.has(key)) this.#expect(expected, key, 'dropped');
    this.#forgetOldest(expected);
  }

  #expect(expected: Map<string, Fate>, key: string, fate: Fate): void {
    if (!expected.has(key)) this.#remembered++;
    expected.set(key, fate);
  }

  #forgetOldest(expected: Map<string, Fate>): void {
    if (expected.size > midsRemembered && expected.delete(expected.keys().next().value!)) this.#remembered--;
    while (this.#remembered > midsRememberedOfAll) {
      const [oldest, forgotten] = this.#expected.entries().next().value!;
      this.#expected.delete(oldest);
      this.#remembered -= forgotten.size;
    }
  }

  /**
   * False when its action is surely none of those: reading the whole of each message would cost
   * more than sending it.
   */
  #mayBeAnswered(action: Outgoing['action']): boolean {
    if (action === null) return false;
    if (action === undefined) return true;
    const name = this.#options.actions.nameOf(action);
    return name !== undefined && isAnsweredHere(name);
  }

  /**
   * `receiver`: the device of the session, or null where `to` names it. Resolves when the device
   * has it or its inbox.
   */
  async message(receiver: DeviceNo | null, payload: Uint8Array): Promise<void> {
    const { store, log, fromCloud } = this.#options;
    const envelope = parseEnvelope(payload);
    if (!envelope.ok) {
      log.warn({ bytes: payload.length }, 'downlink_no_envelope');
      return;
    }
    const id = parseDeviceId(envelope.value.to);
    const deviceNo = receiver ?? (id.ok ? store.directory.device(id.value)?.deviceNo : undefined);
    if (deviceNo === undefined) {
      log.warn({ to: envelope.value.to.slice(0, 80) }, 'downlink_device_unknown');
      return;
    }
    const own = store.directory.deviceByNo(deviceNo)?.deviceId;
    if (id.ok && own !== undefined && id.value !== own) {
      log.warn({ device: own, to: id.value }, 'downlink_device_differs');
      return;
    }
    const key = answerTo(envelope.value);
    const expected = this.#expected.get(deviceNo);
    const fate = expected?.get(key);
    if (fate !== undefined && expected?.delete(key)) this.#remembered--;
    if (fate === 'dropped') return;
    // Devices that pull get it within a JSON text.
    await fromCloud(deviceNo, withoutPadding(payload));
  }
}

const answerTo = ({ action, mid }: Envelope): string => `${action} ${mid}`;
