import { expect, test } from 'vitest';
import type { ProductId } from '../../src/platform/device-id.ts';
import type { DeviceNo, DeviceStore, ForwardingStore, GatewayStore, Seq, Store } from '../../src/store/index.ts';
import { aProduct, append, applied, deviceId, registered } from '../support/store.ts';

const at = 1_763_600_000_000;
const bytes = (text: string): Uint8Array => Buffer.from(text);
const texts = (messages: readonly { payload: Uint8Array }[]) =>
  messages.map(({ payload }) => Buffer.from(payload).toString());

interface Site {
  readonly store: Store;
  readonly deviceNo: DeviceNo;
  /** Appends a message of the device and returns its number. */
  report(text: string): Promise<Seq>;
}

/** One case for each write of a port: a write that is new has no type before it stands here. */
type Cases<Writes> = { readonly [K in keyof Writes]: (it: Site) => Promise<void> };

const gateway: Cases<Omit<GatewayStore['write'], keyof DeviceStore['write']>> = {
  noteRefusal: async ({ store }) => {
    const refusal = {
      door: 'mqtt',
      clientId: 'X_1',
      address: '10.0.0.1',
      code: 'unknown_product',
      detail: '',
    } as const;
    await store.write.noteRefusal({ at, ...refusal });
    await store.write.noteRefusal({ at: at + 1, ...refusal, times: 2 });
    expect(await store.read.refusals({ clientId: 'x_1' })).toMatchObject([
      { at: at + 1, firstAt: at, count: 3, code: 'unknown_product' },
    ]);
  },
  noteEvents: async ({ store, deviceNo }) => {
    const events = ['connected', 'disconnected'].map((kind, index) => ({ at: at + index, deviceNo, kind, detail: '' }));
    await store.write.noteEvents({ events });
    expect((await store.read.events(deviceNo, 10)).map(({ kind }) => kind)).toEqual(['disconnected', 'connected']);
  },
  putInbox: async ({ store, deviceNo }) => {
    const put = (text: string) => store.write.putInbox({ deviceNo, payload: bytes(text), at, max: 2 });
    expect((await put('a')).dropped).toBe(0);
    await put('b');
    expect((await put('c')).dropped).toBe(1);
    expect(texts(await store.read.inbox(deviceNo, { limit: 10, bytesMax: 1000 }))).toEqual(['b', 'c']);
    expect(await store.read.inboxCount(deviceNo)).toBe(2);
  },
  removeInbox: async ({ store, deviceNo }) => {
    const { id } = await store.write.putInbox({ deviceNo, payload: bytes('a'), at, max: 9 });
    await store.write.putInbox({ deviceNo, payload: bytes('b'), at, max: 9 });
    await store.write.removeInbox({ ids: [id, 999] });
    expect(texts(await store.read.inbox(deviceNo, { limit: 10, bytesMax: 1000 }))).toEqual(['b']);
  },
  receiveBatch: async ({ store, deviceNo }) => {
    const record = { deviceNo, channel: 'log', receivedAt: at, logPath: 'FT1/A', marks: {} } as const;
    const records = [4, 5].map(seq => ({ seq, record: { ...record, payload: Buffer.from(`line ${seq}`) } }));
    const refused = [{ seq: 3, code: 404, msg: 'unknown' }];
    const batch = { boxNo: deviceNo, epoch: 'e', records, refused, ackedSeq: 5 };
    expect(await store.write.receiveBatch(batch)).toEqual({ stored: 2 });
    expect(await store.write.receiveBatch(batch)).toEqual({ stored: 0 });
    expect(await store.read.batchCursor(deviceNo, 'e')).toBe(5);
    expect(await store.read.batchCursor(deviceNo, 'other')).toBe(0);
    const late = [{ seq: 5, code: 400, msg: 'behind the cursor' }];
    await store.write.receiveBatch({ ...batch, records: [], refused: late });
    expect(await store.read.batchRefusals(deviceNo, 'e', 1, 5)).toEqual(refused);
    expect(await store.read.batchRefusals(deviceNo, 'e', 4, 5)).toEqual([]);
    expect(await store.read.batchRefusals(deviceNo, 'other', 1, 5)).toEqual([]);
    const many = Array.from({ length: 4001 }, (_, index) => ({ seq: 6 + index, code: 404, msg: 'unknown' }));
    await store.write.receiveBatch({ ...batch, records: [], refused: many, ackedSeq: 4006 });
    expect(await store.read.batchRefusals(deviceNo, 'e', 1, 5000)).toEqual(many.slice(1));
  },
};

const other = 'FACE-T1_A0002';
const below = deviceId('GATEHOUSE_000002');

const devices: Cases<DeviceStore['write']> = {
  registerDevice: async ({ store, deviceNo }) => {
    const known = await store.write.registerDevice({ deviceId: deviceId('FACE-T1_A0001'), at: at + 1 });
    expect(known).toMatchObject({ deviceNo, firstSeenAt: at });
    const made = await store.write.registerDevice({ deviceId: deviceId(other), at: at + 1 });
    expect(store.directory.device(made.deviceId)).toMatchObject({ firstSeenAt: at + 1, listed: false });
  },
  bringDevices: async ({ store }) => {
    const deviceIds = [deviceId(other), deviceId('FACE-T1_A0003')];
    const brought = await store.write.bringDevices({ deviceIds, to: below, at });
    expect(brought.map(one => [one.deviceId, one.belongsTo])).toEqual(deviceIds.map(id => [id, below]));
    await store.write.bringDevices({ deviceIds, to: 'here', at });
    expect(store.directory.device(deviceIds[0]!)).toMatchObject({ belongsTo: below });
  },
  moveDevice: async ({ store, deviceNo }) => {
    await store.write.moveDevice({ deviceNo, to: below });
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ belongsTo: below });
  },
  removeBoxBelow: async ({ store }) => {
    expect(await store.write.removeBoxBelow({ boxId: below })).toBe(false);
  },
  setDeviceKey: async ({ store, deviceNo }) => {
    await store.write.setDeviceKey({ deviceNo, accessKey: 'k1', at, mid: 'm1' });
    await store.write.setDeviceKey({ deviceNo, accessKey: 'k2', at, mid: 'm2' });
    const { accessKey, nextKeys } = store.directory.deviceByNo(deviceNo)!;
    expect({ accessKey, nextKeys }).toEqual({ accessKey: 'k1', nextKeys: [{ key: 'k2', mid: 'm2' }] });
  },
  confirmDeviceKey: async ({ store, deviceNo }) => {
    for (const accessKey of ['k1', 'k2']) await store.write.setDeviceKey({ deviceNo, accessKey, at, mid: null });
    await store.write.confirmDeviceKey({ deviceNo, accessKey: 'unknown', at });
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ accessKey: 'k1', keyConfirmedAt: null });
    await store.write.confirmDeviceKey({ deviceNo, accessKey: 'k2', at });
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ accessKey: 'k2', nextKeys: [], keyConfirmedAt: at });
  },
  openProductKeyWindow: async ({ store, deviceNo }) => {
    await store.write.openProductKeyWindow({ deviceNo, until: at });
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ productKeyUntil: at });
    await store.write.openProductKeyWindow({ deviceNo, until: null });
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ productKeyUntil: null });
  },
  setPresentedPassword: async ({ store, deviceNo }) => {
    await store.write.setPresentedPassword({ deviceNo, password: 'as it came' });
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ presentedPassword: 'as it came' });
  },
  noteAddress: async ({ store, deviceNo }) => {
    await store.write.noteAddress({ deviceNo, address: '10.0.0.7' });
    expect(await store.read.lastAddresses()).toEqual(new Map([[deviceNo, '10.0.0.7']]));
  },
  letNewDevicesIn: async ({ store }) => {
    const { productId } = await store.write.letNewDevicesIn({ productId: 'FACE-T1' as ProductId, until: at });
    expect(store.directory.product(productId)).toMatchObject({ newDevicesUntil: at });
  },
  setBlocked: async ({ store, deviceNo }) => {
    await store.write.setBlocked({ deviceNo, blocked: true });
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ blocked: true });
  },
  setPeopleData: async ({ store, deviceNo }) => {
    const changed = await store.write.setPeopleData({ deviceNos: [deviceNo], word: 'yes' });
    expect(changed.map(one => one.deviceNo)).toEqual([deviceNo]);
    expect(store.directory.deviceByNo(deviceNo)).toMatchObject({ peopleData: 'yes' });
  },
};

const forwarding: Cases<ForwardingStore['write']> = {
  confirm: async ({ store, deviceNo, report }) => {
    const seq = await report('one');
    await report('two');
    const confirmation = { deviceNo, channel: 'device', upToSeq: seq, floorSeq: seq, at, via: 'mqtt' } as const;
    await store.write.confirm({ confirmations: [confirmation] });
    expect(store.directory.deviceByNo(deviceNo)!.forwarded.device).toBe(seq);
    expect((await store.read.waiting()).total).toBe(1);
  },
  park: async ({ store, deviceNo, report }) => {
    const seq = await report('refused');
    await store.write.park({ seq, deviceNo, channel: 'device', at, code: 400, reason: 'no' });
    expect(await store.read.parked()).toEqual([
      { seq, deviceNo, parkedAt: at, code: 400, reason: 'no', sendAgain: false },
    ]);
    expect((await store.read.waiting()).total).toBe(0);
  },
  sendParkedAgain: async ({ store, deviceNo, report }) => {
    const seqs = [await report('one'), await report('two')];
    for (const seq of seqs) await store.write.park({ seq, deviceNo, channel: 'device', at, code: 400, reason: 'no' });
    expect(await store.write.sendParkedAgain({ seq: seqs[0]! })).toBe(1);
    expect((await store.read.parked({ sendAgain: true })).map(({ seq }) => seq)).toEqual([seqs[0]]);
    await store.write.sendParkedAgain({ seq: null });
    expect((await store.read.parked({ sendAgain: true })).map(({ seq }) => seq)).toEqual(seqs);
  },
  settleParked: async ({ store, deviceNo, report }) => {
    const seqs = [await report('one'), await report('two')] as const;
    for (const seq of seqs) await store.write.park({ seq, deviceNo, channel: 'device', at, code: 400, reason: 'no' });
    await store.write.sendParkedAgain({ seq: null });
    await store.write.settleParked({ seq: seqs[0], outcome: 'confirmed', at });
    await store.write.settleParked({ seq: seqs[1], outcome: { code: 403, reason: 'still no' }, at });
    expect(await store.read.parked()).toMatchObject([
      { seq: seqs[1], code: 403, reason: 'still no', sendAgain: false },
    ]);
  },
};

/** The same cases on every engine of the store; `open` returns an empty one. */
export function writeCases(name: string, open: () => Promise<{ readonly store: Store } & AsyncDisposable>): void {
  for (const [write, run] of Object.entries({ ...devices, ...gateway, ...forwarding }))
    test(`${name}: ${write}`, async () => {
      await using opened = await open();
      const { store } = opened;
      await applied(store, { products: [aProduct()] });
      const { deviceNo } = await registered(store);
      await run({
        store,
        deviceNo,
        async report(text) {
          const record = { deviceNo, channel: 'device', receivedAt: at, logPath: '', marks: {} } as const;
          await append(store, { ...record, payload: Buffer.from(text) });
          return store.journal.lastSeq;
        },
      });
    });
}
