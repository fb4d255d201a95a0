import { expect } from 'vitest';
import type { ForwardingWrites } from '../../../src/store/index.ts';
import { at, type Cases } from './case.ts';

export const forwardingCases: Cases<ForwardingWrites> = {
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
      { seq, deviceNo, parkedAt: at, code: 400, reason: 'no', said: null, sendAgain: false },
    ]);
    expect(await store.read.parkedCount()).toBe(1);
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
