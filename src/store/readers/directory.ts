import { asc, sql } from 'drizzle-orm';
import type { DeviceId, ProductId } from '../../platform/device-id.ts';
import type { Confirmation } from '../domains/forwarding/forwarding.ts';
import type { BoxBelow, Device, Directory, Product } from '../port/directory.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { boxBelow, device, furthest, product, readDevice, readProduct } from '../schema/devices.ts';

/** Rows of the directory's tables, each in the order of its table. */
export interface DirectoryContent {
  readonly products: readonly Product[];
  readonly boxesBelow: readonly BoxBelow[];
  readonly devices: readonly Device[];
}

export function readDirectory({ orm, seal }: Connection): DirectoryContent {
  const products = orm.select().from(product).orderBy(sql`rowid`).all();
  return {
    products: products.map(row => readProduct(row, seal)),
    boxesBelow: orm.select().from(boxBelow).orderBy(sql`rowid`).all(),
    devices: orm
      .select()
      .from(device)
      .orderBy(asc(device.deviceNo))
      .all()
      .map(row => readDevice(row, seal)),
  };
}

/**
 * Products, devices and boxes below in memory, as last committed; follows the writes of this
 * process.
 */
export class LiveDirectory implements Directory {
  #products = new Map<ProductId, Product>();
  #devices = new Map<DeviceId, Device>();
  #byNo = new Map<DeviceNo, Device>();
  #boxesBelow = new Map<DeviceId, BoxBelow>();
  #listeners: ((changed: Device | null) => void)[] = [];

  constructor(content: DirectoryContent) {
    this.replace(content);
  }

  product(id: ProductId): Product | undefined {
    return this.#products.get(id);
  }

  device(id: DeviceId): Device | undefined {
    return this.#devices.get(id);
  }

  deviceByNo(no: DeviceNo): Device | undefined {
    return this.#byNo.get(no);
  }

  products(): Iterable<Product> {
    return this.#products.values();
  }

  devices(): Iterable<Device> {
    return this.#devices.values();
  }

  boxBelow(id: DeviceId): BoxBelow | undefined {
    return this.#boxesBelow.get(id);
  }

  boxesBelow(): Iterable<BoxBelow> {
    return this.#boxesBelow.values();
  }

  onChange(listener: (changed: Device | null) => void): void {
    this.#listeners.push(listener);
  }

  /** Everything was read again. */
  replace({ devices, ...others }: DirectoryContent): void {
    this.#putOthers(others);
    this.#devices = new Map();
    this.#byNo = new Map();
    for (const device of devices) this.#set(device);
    this.#tell(null);
  }

  /** Another process has changed products or boxes below. */
  replaceOthers(others: Omit<DirectoryContent, 'devices'>): void {
    this.#putOthers(others);
    this.#tell(null);
  }

  #putOthers({ products, boxesBelow }: Omit<DirectoryContent, 'devices'>): void {
    this.#products = new Map(products.map(product => [product.productId, product]));
    this.#boxesBelow = new Map(boxesBelow.map(box => [box.boxId, box]));
  }

  put(device: Device): void {
    this.#set(device);
    this.#tell(device);
  }

  putProduct(product: Product): void {
    this.#products.set(product.productId, product);
  }

  /** Cursors move with every confirmation, so listeners are not called. */
  confirmed(confirmations: readonly Pick<Confirmation, 'deviceNo' | 'channel' | 'upToSeq' | 'floorSeq'>[]): void {
    for (const { deviceNo, channel, upToSeq, floorSeq } of confirmations) {
      const device = this.#byNo.get(deviceNo);
      if (!device) continue;
      const forwardedSeq = furthest(device.forwardedSeq, channel ? floorSeq : upToSeq);
      const { device: messages, log } = device.forwarded;
      const forwarded = {
        device: furthest(forwardedSeq, channel === 'device' ? furthest(messages, upToSeq) : messages),
        log: furthest(forwardedSeq, channel === 'log' ? furthest(log, upToSeq) : log),
      };
      this.#set({ ...device, forwardedSeq, forwarded });
    }
  }

  #set(device: Device): void {
    this.#devices.set(device.deviceId, device);
    this.#byNo.set(device.deviceNo, device);
  }

  /** Another process has removed it. */
  remove(deviceNo: DeviceNo): void {
    const gone = this.#byNo.get(deviceNo);
    if (!gone) return;
    this.#byNo.delete(deviceNo);
    if (this.#devices.get(gone.deviceId) === gone) this.#devices.delete(gone.deviceId);
    this.#tell(gone);
  }

  #tell(changed: Device | null): void {
    for (const listener of this.#listeners) listener(changed);
  }
}
