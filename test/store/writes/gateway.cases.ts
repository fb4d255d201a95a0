import { expect } from 'vitest';
import type { GatewayWrites } from '../../../src/store/index.ts';
import { at, bytes, type Cases } from './case.ts';

const texts = (messages: readonly { payload: Uint8Array }[]) =>
  messages.map(({ payload }) => Buffer.from(payload).toString());

export const gatewayCases: Cases<GatewayWrites> = {
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
