import { type DeviceId, parseDeviceId, productOf } from '../platform/device-id.ts';
import { diagnosePassword } from '../platform/diagnosis.ts';
import { limits } from '../platform/limits.ts';
import { isOpenWindow } from '../platform/open-window.ts';
import { ok, type Parsed, refuse } from '../platform/parsed.ts';
import type { Refusal } from '../platform/refusals.ts';
import { sameDigest } from '../platform/signature.ts';
import type { Clock } from '../runtime/clock.ts';
import type {
  ClaimStore,
  Device,
  DeviceNo,
  DeviceStore,
  DirectoryStore,
  HealthStore,
  Product,
} from '../store/index.ts';
import type { KnownPlaces } from './known-places.ts';
import { type Login, looksWrong, signed } from './login.ts';
import type { LoginPace } from './login-pace.ts';
import type { NewDevices } from './new-devices.ts';
import type { RefusalLog } from './refusal-log.ts';
import type { Credential, Session } from './session.ts';
import type { UpstreamView } from './upstream-view.ts';

interface AdmissionOptions {
  readonly store: Pick<DeviceStore, 'write'> & DirectoryStore & HealthStore & ClaimStore;
  readonly clock: Clock;
  readonly upstream: UpstreamView;
  readonly refusals: RefusalLog;
  /** Called when a login was refused because the store accepts nothing. */
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
 * How many logins the cloud is asked about at the same time. Further ones are refused as while the
 * uplink is down, and the devices try again.
 */
const askedAtOnceMax = 16;

/** Decides who may connect (SPEC 3.2, 5.1, 5.2), by the same rules at both gateways. */
export class Admission {
  readonly #store: Pick<DeviceStore, 'write'> & DirectoryStore & HealthStore & ClaimStore;
  readonly #clock: Clock;
  readonly #upstream: UpstreamView;
  readonly #refusals: RefusalLog;
  readonly #pace: LoginPace;
  readonly #places: KnownPlaces;
  readonly #newDevices: NewDevices;
  readonly #heldBack: (deviceNo: DeviceNo) => void;
  /**
   * Logins that the cloud is being asked about, so that a device that tries again does not ask
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
   * Admits a device, or returns the refusal. The refusal is logged with its likely cause before the
   * device gets its answer.
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
   * Checks the password before anything else, so that a client without it learns nothing about the
   * device.
   */
  async #judge(login: Login): Promise<Parsed<Admitted>> {
    const id = parseDeviceId(login.clientId);
    if (!id.ok) return id;
    const { address } = login;
    // A login from the device's last known address is checked at once. If the password is wrong,
    // its answer is delayed.
    const first = this.#store.directory.device(id.value);
    const atHome = first !== undefined && this.#places.has(first.deviceNo, address);
    const delay = atHome ? null : this.#pace.delay(id.value, address);
    if (delay && !(await delay)) return refuse('too_many_failures');

    let shown = this.#shows(login, id.value);
    // Another process of a region may have changed a key just now.
    if (!shown.madeWith && (await this.#store.refreshDirectory())) shown = this.#shows(login, id.value);
    const { product, device, mistake, madeWith } = shown;
    if (product && madeWith)
      return this.#keptOut(login, product, device) ?? this.#enter(id.value, product, device, madeWith);
    const late = atHome ? this.#pace.delay(id.value, address) : null;
    this.#pace.failed(id.value, address);
    if (late && !(await late)) return refuse('too_many_failures');
    if (mistake || !product) return mistake ?? refuse('unknown_product', productOf(id.value));
    return this.#unknownPassword(login, id.value, product, device);
  }

  #shows(login: Login, id: DeviceId) {
    const productId = productOf(id);
    const product = this.#store.directory.product(productId);
    const device = this.#store.directory.device(id);
    const mistake = looksWrong(login, productId, product);
    const madeWith = product && !mistake ? this.#shownBy(login, id, product, device) : null;
    return { product, device, mistake, madeWith };
  }

  /** The valid key that the password was made with; null: none of them. */
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

  /** Why a device with the right password is still refused; null: it is not. */
  #keptOut({ gateway }: Login, product: Product, device: Device | undefined): Parsed<never> | null {
    if (device?.blocked) return refuse('blocked');
    if (product.access !== 'both' && product.access !== gateway)
      return refuse('wrong_door', `access: ${product.access}`);
    const state = this.#store.healthState();
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
   * Whether the product key still opens: until the first login with the device's own key, at most
   * 24 h (SPEC 3.2), and while staff accept it again.
   */
  #productKeyInForce(device: Device): boolean {
    const now = this.#clock.now();
    if (isOpenWindow(device.productKeyUntil, limits.productKeyWindowMs, now)) return true;
    // The cloud has accepted another key, so it decides whether the product key still opens.
    if (device.presentedPassword !== null) return false;
    if (device.accessKey === null) return true;
    return (
      device.keyConfirmedAt === null &&
      device.keyIssuedAt !== null &&
      isOpenWindow(device.keyIssuedAt + limits.deviceKeyGraceMs, limits.deviceKeyGraceMs, now)
    );
  }

  /**
   * Staff no longer accept the product key: a login with the device's own key confirms it as
   * before.
   */
  #productKeyIsShutAgain({ productKeyUntil }: Device): boolean {
    return productKeyUntil !== null && !isOpenWindow(productKeyUntil, limits.productKeyWindowMs, this.#clock.now());
  }

  /**
   * Refuses the login with its likely mistake, or asks the cloud where that may know a key that the
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
    // The cloud accepts the product key again, so the box does too.
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
   * Asks the cloud once about a device whose key only the cloud knows, and remembers the password
   * if the cloud accepts it.
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

  /** No box has brought the device before, so it belongs to this box from now on (CONTRACT 7). */
  async #cameHere(device: Device): Promise<Device> {
    try {
      return await this.#bring(device.deviceId);
    } catch {
      // The store cannot write now; the device is assigned at its next login.
      return device;
    }
  }

  async #bring(deviceId: DeviceId): Promise<Device> {
    const [device] = await this.#store.write.bringDevices({ deviceIds: [deviceId], to: 'here', at: this.#clock.now() });
    return device!;
  }
}
