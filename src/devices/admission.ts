import { type DeviceId, parseDeviceId, productOf } from '../platform/device-id.ts';
import { diagnosePassword } from '../platform/diagnosis.ts';
import { limits } from '../platform/limits.ts';
import { ok, type Parsed, refuse } from '../platform/parsed.ts';
import type { Refusal } from '../platform/refusals.ts';
import { sameDigest } from '../platform/signature.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Device, DeviceNo, DeviceStore, Product, Store } from '../store/index.ts';
import type { KnownPlaces } from './known-places.ts';
import { type Login, looksWrong, signed } from './login.ts';
import type { LoginPace } from './login-pace.ts';
import type { NewDevices } from './new-devices.ts';
import type { RefusalLog } from './refusal-log.ts';
import type { Credential, Session } from './session.ts';
import type { UpstreamView } from './upstream-view.ts';

interface AdmissionOptions {
  readonly store: Pick<DeviceStore, 'write'> & Pick<Store, 'directory' | 'health'>;
  readonly clock: Clock;
  readonly upstream: UpstreamView;
  readonly refusals: RefusalLog;
  /** A login was refused because the store takes nothing. */
  readonly heldBack?: (deviceNo: DeviceNo) => void;
  readonly pace: LoginPace;
  readonly places: KnownPlaces;
  readonly newDevices: NewDevices;
}

interface Admitted {
  readonly device: Device;
  readonly madeWith: Credential;
}

const newcomer = { accessKey: null, nextKeys: [], presentedPassword: null } as const;

/**
 * Logins that are asked of the cloud at the same time; the others hear what they hear while the
 * line is down, and try again.
 */
const askedAtOnceMax = 16;

/** Who may come in: SPEC 3.2, 5.1 and 5.2, the same at both gateways. */
export class Admission {
  readonly #store: Pick<DeviceStore, 'write'> & Pick<Store, 'directory' | 'health'>;
  readonly #clock: Clock;
  readonly #upstream: UpstreamView;
  readonly #refusals: RefusalLog;
  readonly #pace: LoginPace;
  readonly #places: KnownPlaces;
  readonly #newDevices: NewDevices;
  readonly #heldBack: (deviceNo: DeviceNo) => void;
  /**
   * Logins that are being asked of the cloud, so that a device that knocks again does not ask
   * twice.
   */
  readonly #asking = new Map<string, Promise<'accepted' | 'refused' | 'unreachable'>>();

  constructor({ store, clock, upstream, refusals, pace, places, newDevices, heldBack = () => {} }: AdmissionOptions) {
    this.#heldBack = heldBack;
    this.#store = store;
    this.#clock = clock;
    this.#upstream = upstream;
    this.#refusals = refusals;
    this.#pace = pace;
    this.#places = places;
    this.#newDevices = newDevices;
  }

  /**
   * Admits a device or says why not; the refusal is written down with the likely mistake before the
   * device hears of it.
   */
  async admit(login: Login): Promise<Parsed<Session>> {
    const verdict = await this.#judge(login);
    if (!verdict.ok) {
      this.#refusals.note(login, verdict.refusal);
      return verdict;
    }
    const { gateway, address, clientId } = login;
    const { device: known, madeWith } = verdict.value;
    const device = known.belongsTo === null ? await this.#cameHere(known) : known;
    this.#places.cameFrom(device.deviceNo, address);
    return ok({ deviceNo: device.deviceNo, clientId, gateway, address, device, madeWith });
  }

  /**
   * The password is looked at before anything else of the device: who does not have it learns
   * nothing about it.
   */
  async #judge(login: Login): Promise<Parsed<Admitted>> {
    const id = parseDeviceId(login.clientId);
    if (!id.ok) return id;
    const { address } = login;
    // Who comes from where it came in before is looked at without waiting: if it is wrong, it waits
    // for its answer.
    const first = this.#store.directory.device(id.value);
    const atHome = first !== undefined && this.#places.has(first.deviceNo, address);
    const turn = atHome ? null : this.#pace.turn(id.value, address);
    if (turn && !(await turn)) return refuse('too_many_failures');

    const productId = productOf(id.value);
    const product = this.#store.directory.product(productId);
    const device = this.#store.directory.device(id.value);
    const mistake = looksWrong(login, productId, product);
    const madeWith = product && !mistake ? this.#shownBy(login, id.value, product, device) : null;
    if (product && madeWith)
      return this.#keptOut(login, product, device) ?? this.#enter(id.value, product, device, madeWith);
    const late = atHome ? this.#pace.turn(id.value, address) : null;
    this.#pace.failed(id.value, address);
    if (late && !(await late)) return refuse('too_many_failures');
    if (mistake || !product) return mistake ?? refuse('unknown_product', productId);
    return this.#unknownPassword(login, id.value, product, device);
  }

  /** What the password was made with, of all that opens now; null: nothing of it. */
  #shownBy(login: Login, id: DeviceId, product: Product, device: Device | undefined): Credential | null {
    const password = login.password ?? '';
    const signedWith = (key: string): boolean => signed(login, password, id, key);
    const { accessKey, nextKeys, presentedPassword } = device ?? newcomer;
    if (accessKey !== null && signedWith(accessKey)) return { kind: 'own', secret: accessKey };
    const next = nextKeys.find(({ key }) => signedWith(key));
    if (next) return { kind: 'own', secret: next.key };
    if ((!device || this.#productKeyInForce(device)) && signedWith(product.productKey))
      return { kind: 'product', secret: product.productKey };
    if (presentedPassword !== null && sameDigest(password, presentedPassword))
      return { kind: 'cloud', secret: presentedPassword };
    return null;
  }

  /** What keeps a device out that has shown the right password; null: nothing does. */
  #keptOut({ gateway }: Login, product: Product, device: Device | undefined): Parsed<never> | null {
    if (device?.blocked) return refuse('blocked');
    if (product.access !== 'both' && product.access !== gateway)
      return refuse('wrong_door', `access: ${product.access}`);
    const { state } = this.#store.health();
    if (state === 'ok') return null;
    if (device) this.#heldBack(device.deviceNo);
    return refuse('store_unavailable', state);
  }

  async #enter(
    id: DeviceId,
    product: Product,
    device: Device | undefined,
    madeWith: Credential,
  ): Promise<Parsed<Admitted>> {
    if (!device && !this.#newDevices.mayCome(product)) return refuse('too_many_new_devices', product.productId);
    const known = device ?? (await this.#register(id));
    const { deviceNo } = known;
    const isNewKey = known.keyConfirmedAt === null || known.accessKey !== madeWith.secret;
    if (madeWith.kind !== 'own' || !(isNewKey || this.#productKeyIsShutAgain(known)))
      return ok({ device: known, madeWith });
    const at = this.#clock.now();
    return ok({
      device: await this.#store.write.confirmDeviceKey({ deviceNo, accessKey: madeWith.secret, at }),
      madeWith,
    });
  }

  /**
   * SPEC 3.2: until the first login with the device key, 24 h at most; and while staff have opened
   * it again.
   */
  #productKeyInForce(device: Device): boolean {
    const now = this.#clock.now();
    if (device.productKeyUntil !== null && now < device.productKeyUntil) return true;
    // The cloud has taken another key: it decides whether the product key still opens.
    if (device.presentedPassword !== null) return false;
    if (device.accessKey === null) return true;
    return (
      device.keyConfirmedAt === null &&
      device.keyIssuedAt !== null &&
      now - device.keyIssuedAt < limits.deviceKeyGraceMs
    );
  }

  /**
   * The time for which staff let the product key in is over: with its own key shown again, the
   * device is confirmed as before.
   */
  #productKeyIsShutAgain({ productKeyUntil }: Device): boolean {
    return productKeyUntil !== null && productKeyUntil <= this.#clock.now();
  }

  /**
   * Refused here with the likely mistake; or the cloud decides, where it may know a key that the
   * box does not.
   */
  async #unknownPassword(
    login: Login,
    id: DeviceId,
    product: Product,
    device: Device | undefined,
  ): Promise<Parsed<Admitted>> {
    const password = login.password ?? '';
    const activated = device !== undefined && !this.#productKeyInForce(device);
    const mistake = this.#diagnose(login, password, product, device, activated);
    const isProductKey = mistake.code === 'old_key_after_activation';
    const cloudMayKnow =
      mistake.code === 'wrong_password' || (isProductKey && device !== undefined && device.presentedPassword !== null);
    if (this.#upstream.standsAlone || !cloudMayKnow) return { ok: false, refusal: mistake };
    const answer = await this.#askCloud(login, password, id);
    if (answer !== 'accepted') {
      if (isProductKey) return { ok: false, refusal: mistake };
      return refuse(answer === 'refused' ? 'cloud_refused' : 'cloud_unreachable');
    }
    this.#pace.forgive(id, login.address);
    const keptOut = this.#keptOut(login, product, this.#store.directory.device(id));
    if (keptOut) return keptOut;
    const { deviceNo } = this.#store.directory.device(id) ?? (await this.#register(id));
    // The product key opens at the cloud again: it is in force here too.
    const presented = isProductKey ? null : password;
    return ok({
      device: await this.#store.write.setPresentedPassword({ deviceNo, password: presented }),
      madeWith: isProductKey ? { kind: 'product', secret: product.productKey } : { kind: 'cloud', secret: password },
    });
  }

  #diagnose(login: Login, password: string, product: Product, device: Device | undefined, activated: boolean): Refusal {
    const code = diagnosePassword({
      deviceId: login.clientId,
      productId: login.userName || product.productId,
      password,
      productKey: product.productKey,
      otherEnvironmentKey: product.otherEnvironmentKey,
      accessKey: device?.accessKey ?? null,
      activated,
    });
    return { code, detail: '' };
  }

  /**
   * A device whose key only the cloud knows: it is asked once with what was presented, and
   * remembered when it says yes.
   */
  #askCloud(login: Login, password: string, id: DeviceId): Promise<'accepted' | 'refused' | 'unreachable'> {
    const key = `${id} ${password.toLowerCase()}`;
    const underWay = this.#asking.get(key);
    if (underWay) return underWay;
    if (this.#asking.size >= askedAtOnceMax) return Promise.resolve('unreachable');
    const productId = productOf(id);
    const asked = this.#upstream.tryLogin({
      clientId: login.clientId,
      userName: login.userName || productId,
      password,
      productId,
    });
    this.#asking.set(key, asked);
    asked.finally(() => this.#asking.delete(key)).catch(() => {});
    return asked;
  }

  #register(deviceId: DeviceId): Promise<Device> {
    return this.#bring(deviceId);
  }

  /** Nobody has brought it before: it belongs to this box from now on (CONTRACT 7). */
  async #cameHere(device: Device): Promise<Device> {
    try {
      return await this.#bring(device.deviceId);
    } catch {
      // The store cannot write now: it is brought at its next login.
      return device;
    }
  }

  async #bring(deviceId: DeviceId): Promise<Device> {
    const [device] = await this.#store.write.bringDevices({ deviceIds: [deviceId], to: 'here', at: this.#clock.now() });
    return device!;
  }
}
