import type { Clock } from '../platform/clock.ts';
import { type DeviceId, parseDeviceId, productOf } from '../platform/device-id.ts';
import { diagnosePassword } from '../platform/diagnosis.ts';
import { limits } from '../platform/limits.ts';
import { ok, type Parsed, refuse } from '../platform/parsed.ts';
import type { Refusal } from '../platform/refusals.ts';
import { mqttPassword, sameDigest } from '../platform/signature.ts';
import type { Device, DeviceNo, Door, Product, Store } from '../store/index.ts';
import type { RefusalBook } from './refusal-book.ts';
import type { Session } from './session.ts';
import type { UpstreamView } from './upstream-view.ts';

export interface Login {
  readonly door: Door;
  readonly address: string;
  readonly clientId: string;
  /** Null when it was not sent. */
  readonly userName: string | null;
  readonly password: string | null;
}

export interface AdmissionOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly upstream: UpstreamView;
  readonly refusals: RefusalBook;
  /** A login was refused because the store takes nothing. */
  readonly heldBack?: (deviceNo: DeviceNo) => void;
}

/** Who may come in: SPEC 3.2, 5.1 and 5.2, the same at both doors. */
export class Admission {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #upstream: UpstreamView;
  readonly #refusals: RefusalBook;
  readonly #heldBack: (deviceNo: DeviceNo) => void;
  /** Logins that are being asked of the cloud, so that a device that knocks again does not ask twice. */
  readonly #asking = new Map<string, Promise<'accepted' | 'refused' | 'unreachable'>>();

  constructor({ store, clock, upstream, refusals, heldBack = () => {} }: AdmissionOptions) {
    this.#heldBack = heldBack;
    this.#store = store;
    this.#clock = clock;
    this.#upstream = upstream;
    this.#refusals = refusals;
  }

  /** Admits a device or says why not; the refusal is written down with the likely mistake before the device hears of it. */
  async admit(login: Login): Promise<Parsed<Session>> {
    const verdict = await this.#judge(login);
    if (!verdict.ok) {
      this.#refusals.note(login, verdict.refusal);
      return verdict;
    }
    const { door, address, clientId } = login;
    const device = verdict.value.belongsTo === null ? await this.#cameHere(verdict.value) : verdict.value;
    return ok({ deviceNo: device.deviceNo, clientId, door, address, device });
  }

  async #judge(login: Login): Promise<Parsed<Device>> {
    const id = parseDeviceId(login.clientId);
    if (!id.ok) return id;
    const productId = productOf(id.value);
    const product = this.#store.directory.product(productId);
    if (!product) return refuse('unknown_product', productId);
    if (login.userName !== null && login.userName.toUpperCase() !== productId)
      return refuse('user_name_is_not_the_product', login.userName.slice(0, 40));
    if (product.access !== 'both' && product.access !== login.door)
      return refuse('wrong_door', `access: ${product.access}`);
    const device = this.#store.directory.device(id.value);
    if (device?.blocked) return refuse('blocked');
    if (!login.password) return refuse('missing_password');
    if (this.#store.health().state !== 'ok') {
      if (device) this.#heldBack(device.deviceNo);
      return refuse('store_unavailable', this.#store.health().state);
    }
    return this.#byKey(login, login.password, id.value, product, device);
  }

  async #byKey(
    login: Login,
    password: string,
    id: DeviceId,
    product: Product,
    device: Device | undefined,
  ): Promise<Parsed<Device>> {
    const signedWith = (key: string): boolean => signed(login, password, id, key);
    const { accessKey } = device ?? { accessKey: null };
    if (device && accessKey && signedWith(accessKey))
      return ok(
        device.keyConfirmedAt === null || this.#productKeyIsShutAgain(device)
          ? await this.#store.write.confirmDeviceKey({ deviceNo: device.deviceNo, at: this.#clock.now() })
          : device,
      );
    const productKeyInForce = !device || this.#productKeyInForce(device);
    if (productKeyInForce && signedWith(product.productKey)) return ok(device ?? (await this.#register(id)));
    if (device?.presentedPassword && sameDigest(password, device.presentedPassword)) return ok(device);
    const mistake = this.#diagnose(login, password, product, device, !productKeyInForce);
    if (mistake.code !== 'wrong_password' || this.#upstream.standsAlone) return { ok: false, refusal: mistake };
    return this.#askCloud(login, password, id, device);
  }

  /** SPEC 3.2: until the first login with the device key, 24 h at most; and while staff have opened it again. */
  #productKeyInForce(device: Device): boolean {
    if (device.accessKey === null) return true;
    const now = this.#clock.now();
    if (device.productKeyUntil !== null && now < device.productKeyUntil) return true;
    return (
      device.keyConfirmedAt === null &&
      device.keyIssuedAt !== null &&
      now - device.keyIssuedAt < limits.deviceKeyGraceMs
    );
  }

  /** The time for which staff let the product key in is over: with its own key shown again, the device is confirmed as before. */
  #productKeyIsShutAgain({ productKeyUntil }: Device): boolean {
    return productKeyUntil !== null && productKeyUntil <= this.#clock.now();
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

  /** A device whose key only the cloud knows: it is asked once with what was presented, and remembered when it says yes. */
  async #askCloud(login: Login, password: string, id: DeviceId, device: Device | undefined): Promise<Parsed<Device>> {
    const key = `${id} ${password.toLowerCase()}`;
    let asked = this.#asking.get(key);
    if (!asked) {
      const productId = productOf(id);
      asked = this.#upstream.tryLogin({
        clientId: login.clientId,
        userName: login.userName || productId,
        password,
        productId,
      });
      this.#asking.set(key, asked);
      asked.finally(() => this.#asking.delete(key)).catch(() => {});
    }
    const answer = await asked;
    if (answer === 'unreachable') return refuse('cloud_unreachable');
    if (answer === 'refused') return refuse('cloud_refused');
    const known = device ?? (await this.#register(id));
    return ok(await this.#store.write.setPresentedPassword({ deviceNo: known.deviceNo, password }));
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

/** SPEC 5.1's MD5 over the id as sent, or in upper case; ids are compared without case and devices differ in which they sign. */
function signed(login: Login, password: string, id: DeviceId, accessKey: string): boolean {
  const productId = productOf(id);
  const spellings: readonly (readonly [string, string])[] = [
    [login.clientId, login.userName || login.clientId.slice(0, productId.length)],
    [id, productId],
    [login.clientId, productId],
  ];
  return spellings.some(([deviceId, product]) =>
    sameDigest(password, mqttPassword({ deviceId, productId: product, accessKey })),
  );
}
