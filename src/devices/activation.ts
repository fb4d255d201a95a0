import { randomBytes } from 'node:crypto';
import type { Envelope } from '../platform/envelope.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { Device, DeviceNo, DeviceStore, RecordMarks, Store } from '../store/index.ts';
import type { Credential, Session } from './session.ts';
import type { UpstreamView } from './upstream-view.ts';

/** What becomes of an `activate`. */
export interface PendingActivation {
  /** How the request is kept in the journal. */
  readonly marks: RecordMarks;
  /** To be called after the commit. Resolves with the answer's data; null: the cloud answers. */
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

/**
 * Hands device keys over (SPEC 3.2): the cloud's where there is one, the box's own where it stands
 * alone.
 */
export class Activation {
  readonly #store: Pick<DeviceStore, 'write'> & Pick<Store, 'directory'>;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #upstream: UpstreamView;

  constructor(options: {
    store: Pick<DeviceStore, 'write'> & Pick<Store, 'directory'>;
    clock: Clock;
    log: Log;
    upstream: UpstreamView;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#upstream = options.upstream;
  }

  activate(session: Session, { mid }: Envelope): PendingActivation {
    if (this.#upstream.standsAlone) return { marks: { local: true }, answer: () => this.#issue(session, mid) };
    return this.#upstream.isUp(session.deviceNo) ? cloudAnswers : cloudIsAway;
  }

  /**
   * The same mid gets the same key again, another mid another beside it: a lost answer locks nobody
   * out.
   */
  async #issue({ deviceNo, device: { deviceId }, madeWith }: Session, mid: string): Promise<object> {
    const device = this.#store.directory.deviceByNo(deviceNo);
    const offered = device && keyFor(device, mid, madeWith);
    if (offered) return { code: 0, msg: 'ok', access_key: offered };
    const accessKey = randomBytes(32).toString('hex');
    try {
      await this.#store.write.setDeviceKey({ deviceNo, accessKey, at: this.#clock.now(), mid });
    } catch (error) {
      this.#log.warn({ device: deviceId, error: String(error) }, 'a device key could not be stored');
      return { code: 503, msg: 'the box cannot write now: try again later' };
    }
    return { code: 0, msg: 'ok', access_key: accessKey };
  }

  /**
   * The cloud's answer to an activation passes by: its key is learned before the device hears of
   * it.
   */
  async learn(deviceNo: DeviceNo, { mid, data }: Envelope): Promise<void> {
    const { code, access_key: accessKey } = data;
    if (code !== 0 || typeof accessKey !== 'string' || accessKey === '') return;
    const device = this.#store.directory.deviceByNo(deviceNo);
    if (device?.accessKey === accessKey || device?.nextKeys.some(({ key }) => key === accessKey)) return;
    await this.#store.write.setDeviceKey({ deviceNo, accessKey, at: this.#clock.now(), mid });
  }
}

/**
 * What this `activate` has been answered before. A key that is in use already is told only to a
 * session that was made with it.
 */
function keyFor(device: Device, mid: string, madeWith: Credential): string | null {
  const mayHearKeyInUse = device.keyConfirmedAt === null || madeWith.secret === device.accessKey;
  if (device.activationMid === mid && mayHearKeyInUse) return device.accessKey;
  return device.nextKeys.find(offered => offered.mid === mid)?.key ?? null;
}
