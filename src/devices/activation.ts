import { randomBytes } from 'node:crypto';
import type { Envelope } from '../platform/envelope.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Device, DeviceNo, DeviceStore, DirectoryStore, RecordMarks } from '../store/index.ts';
import type { CloudWaits } from './cloud-waits.ts';
import type { Credential, Session } from './session.ts';
import type { UpstreamView } from './upstream-view.ts';

/** The result of an `activate` request. */
export interface PendingActivation {
  /** How the request is marked in the journal. */
  readonly marks: RecordMarks;
  /**
   * Call it after the commit. Resolves with the answer's data; with null when the box says nothing
   * to this request, because the cloud answers it.
   */
  readonly answer: () => Promise<object | null>;
}

const cloudAnswers: PendingActivation = { marks: {}, answer: async () => null };
const cloudIsAway: PendingActivation = {
  marks: { local: true },
  answer: async () => ({
    code: 503,
    msg: 'the cloud issues device keys and cannot be reached now: try again later',
  }),
};

const cannotWrite = { code: 503, msg: 'the box cannot write now: try again later' };

/** Issues device keys (SPEC 3.2). The cloud issues them if there is one, otherwise the box does. */
export class Activation {
  readonly #store: Pick<DeviceStore, 'write'> & DirectoryStore;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #upstream: UpstreamView;
  readonly #waits: CloudWaits;

  constructor(options: {
    store: Pick<DeviceStore, 'write'> & DirectoryStore;
    clock: Clock;
    log: Log;
    upstream: UpstreamView;
    waits: CloudWaits;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#upstream = options.upstream;
    this.#waits = options.waits;
  }

  /**
   * A request at a gateway of this box. Right after the device's first login its session with the
   * cloud is not up yet; then the request is stored and acknowledged at once, and waits for the
   * session. `sendUp` appends it to the journal once more, for the cloud.
   */
  activateHere(session: Session, envelope: Envelope, sendUp: () => Promise<void>): PendingActivation {
    const { standsAlone } = this.#upstream;
    if (standsAlone || this.#upstream.isUp(session.deviceNo)) return this.activate(session, envelope);
    const answer = async () => {
      const wait = await this.#waits.whenUp(session.deviceNo, envelope.mid);
      if (wait === 'away') return cloudIsAway.answer();
      if (wait === 'asked already') return null;
      try {
        await sendUp();
        return null;
      } catch {
        return cannotWrite;
      }
    };
    return { marks: cloudIsAway.marks, answer };
  }

  /** The same for a request from a box below, which waits for nothing. */
  activate(session: Session, { mid }: Envelope): PendingActivation {
    if (this.#upstream.standsAlone) return { marks: { local: true }, answer: () => this.#issue(session, mid) };
    return this.#upstream.isUp(session.deviceNo) ? cloudAnswers : cloudIsAway;
  }

  /**
   * The same mid gets the same key again; another mid gets another key, and both stay valid. So a
   * lost answer locks no device out.
   */
  async #issue({ deviceNo, device: { deviceId }, madeWith }: Session, mid: string): Promise<object> {
    const device = this.#store.directory.deviceByNo(deviceNo);
    const offered = device && keyFor(device, mid, madeWith);
    if (offered) return { code: 0, msg: 'ok', access_key: offered };
    const accessKey = randomBytes(32).toString('hex');
    try {
      await this.#store.write.setDeviceKey({ deviceNo, accessKey, at: this.#clock.now(), mid });
    } catch (error) {
      this.#log.warn({ device: deviceId, error: String(error) }, 'device_key_not_stored');
      return cannotWrite;
    }
    return { code: 0, msg: 'ok', access_key: accessKey };
  }

  /** Stores the key in the cloud's answer to an activation before the device receives it. */
  async learn(deviceNo: DeviceNo, { mid, data }: Envelope): Promise<void> {
    const { code, access_key: accessKey } = data;
    if (code !== 0 || typeof accessKey !== 'string' || accessKey === '') return;
    const device = this.#store.directory.deviceByNo(deviceNo);
    if (device?.accessKey === accessKey || device?.nextKeys.some(({ key }) => key === accessKey)) return;
    await this.#store.write.setDeviceKey({ deviceNo, accessKey, at: this.#clock.now(), mid });
  }
}

/**
 * The key that this `activate` was answered with before. A key that is already in use is only
 * repeated to a session that logged in with it.
 */
function keyFor(device: Device, mid: string, madeWith: Credential): string | null {
  const mayHearKeyInUse = device.keyConfirmedAt === null || madeWith.secret === device.accessKey;
  if (device.activationMid === mid && mayHearKeyInUse) return device.accessKey;
  return device.nextKeys.find(offered => offered.mid === mid)?.key ?? null;
}
