import { asc, inArray, sql } from 'drizzle-orm';
import type { DeviceId, ProductId } from '../../platform/device-id.ts';
import type { Confirmation } from '../domains/forwarding/forwarding.ts';
import type { BoxBelow, Device, Directory, Product } from '../port/directory.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { boxBelow, device, furthest, product, readDevice, readProduct } from '../schema/devices.ts';

const readTogether = 50;

/**
 * Products, devices and boxes below in memory, as last committed; follows the writes of this
 * process.
 */
export class LiveDirectory implements Directory {
  readonly #connection: Connection;
  #products = new Map<ProductId, Product>();
  #devices = new Map<DeviceId, Device>();
  #byNo = new Map<DeviceNo, Device>();
  #boxesBelow = new Map<DeviceId, BoxBelow>();
  #listeners: ((changed: Device | null) => void)[] = [];

  constructor(connection: Connection) {
    this.#connection = connection;
    this.reload();
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

  /** After a site was applied. */
  reload(): void {
    this.#readOthers();
    this.#devices = new Map();
    this.#byNo = new Map();
    const { orm, seal } = this.#connection;
    for (const row of orm.select().from(device).orderBy(asc(device.deviceNo)).all()) this.#set(readDevice(row, seal));
    this.#tell(null);
  }

  /** Another process has changed products or boxes below. */
  reloadOthers(): void {
    this.#readOthers();
    this.#tell(null);
  }

  /** Another process has changed these, or they are gone. */
  reloadDevices(deviceNos: readonly DeviceNo[]): void {
    const { orm, seal } = this.#connection;
    for (let from = 0; from < deviceNos.length; from += readTogether) {
      const some = deviceNos.slice(from, from + readTogether);
      // Of one length, so that it is one statement.
      const asked = Array.from({ length: readTogether }, (_, index) => some[index] ?? some[0]!);
      const rows = orm.select().from(device).where(inArray(device.deviceNo, asked)).all();
      const found = new Map(rows.map(row => [row.deviceNo, row]));
      for (const deviceNo of some) {
        const row = found.get(deviceNo);
        if (row) this.put(readDevice(row, seal));
        else this.#remove(deviceNo);
      }
    }
  }

  #readOthers(): void {
    const { orm, seal } = this.#connection;
    const products = orm.select().from(product).orderBy(sql`rowid`).all();
    this.#products = new Map(products.map(row => [row.productId, readProduct(row, seal)]));
    const boxes = orm.select().from(boxBelow).orderBy(sql`rowid`).all();
    this.#boxesBelow = new Map(boxes.map(box => [box.boxId, box]));
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

  #remove(deviceNo: DeviceNo): void {
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
