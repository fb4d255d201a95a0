import { expect, test } from 'vitest';
import type { DeviceNo, Seq } from '../../../src/store/index.ts';
import { aProduct, append, applied, aStore, registered } from '../../support/store.ts';

const at = 1_763_600_000_000;
const seconds = at / 1000;

/** A store with one person and one terminal, which says what a test lets it say. */
async function aSite(options: { readonly upstream?: boolean } = {}) {
  await using parts = new AsyncDisposableStack();
  const { store } = parts.use(await aStore(options));
  await applied(store, {
    products: [aProduct()],
    departments: [{ ext_id: '0', name: 'Plant 4' }],
    employees: [{ ext_id: 'e1', name: 'Li Mei', employee_num: '1001', department: { ext_id: '0' } }],
  });
  const { deviceNo } = await registered(store);
  const say = async (payload: string, marks = {}): Promise<Seq> => {
    const record = { deviceNo, channel: 'device', receivedAt: at + 5000, logPath: '', marks } as const;
    await append(store, { ...record, payload: Buffer.from(payload) });
    await store.catchUp();
    return store.journal.lastSeq;
  };
  const held = parts.move();
  return {
    ...{ store, deviceNo, say, read: store.read },
    punch: (person = 'e1') => {
      const data = { records: [{ id: '88120', ext_id: person, check_type: 'fa', check_time: seconds }] };
      return say(JSON.stringify({ mid: 'm1', from: 'FACE-T1_A0001', to: 'system', time: seconds, action: 2001, data }));
    },
    confirm: (seq: Seq, no: DeviceNo = deviceNo) =>
      store.write.confirm({
        confirmations: [{ deviceNo: no, channel: 'device', upToSeq: seq, floorSeq: seq, at: at + 9000, via: 'mqtt' }],
      }),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

test('a check-in waits, and then the cloud has confirmed it', async () => {
  await using site = await aSite();
  const seq = await site.punch();
  const [row] = await site.read.checkins({ limit: 1 });
  const receipt = () => site.read.receipt({ checkin: row!.place });
  expect(await receipt()).toMatchObject({
    ...{ kind: 'checkin', seq, recordId: '88120', deviceTime: seconds, receivedAt: at + 5000 },
    message: { mid: 'm1', action: 2001, clamped: false },
    ...{ state: 'waiting', confirmedAt: null, parked: null, keptBecause: null, cloudId: null },
  });
  await site.confirm(seq);
  expect(await receipt()).toMatchObject({ state: 'confirmed', confirmedAt: at + 9000, via: 'mqtt' });
});

test('a check-in of somebody whom nobody knows has a receipt too', async () => {
  await using site = await aSite();
  const seq = await site.punch('stranger');
  const [row] = await site.read.checkins({ limit: 1 });
  expect(await site.read.receipt({ checkin: row!.place })).toMatchObject({ seq, recordId: '88120', state: 'waiting' });
});

test('a record that the cloud refused for good says with what', async () => {
  await using site = await aSite();
  const { deviceNo } = site;
  const seq = await site.punch();
  await site.store.write.park({ seq, deviceNo, channel: 'device', at: at + 9000, code: 400, reason: 'no such person' });
  const parked = { at: at + 9000, code: 400, reason: 'no such person', again: false };
  expect(await site.read.receipt({ seq })).toMatchObject({ kind: 'message', state: 'parked', parked });
  await site.store.write.sendParkedAgain({ seq });
  expect(await site.read.receipt({ seq })).toMatchObject({ parked: { again: true } });
});

test('what stays at the site says why', async () => {
  await using site = await aSite();
  const seq = await site.say('no JSON', { malformed: true, local: true });
  expect(await site.read.receipt({ seq })).toMatchObject({
    ...{ deviceTime: null, state: 'kept here', keptBecause: 'kept_unreadable' },
    message: { mid: '', action: null },
  });
  await using alone = await aSite({ upstream: false });
  expect(await alone.read.receipt({ seq: await alone.punch() })).toMatchObject({
    ...{ state: 'kept here', keptBecause: 'kept_no_cloud' },
  });
});

test('a check-in that only the cloud lists did not come through this box', async () => {
  await using site = await aSite();
  const record = {
    ...{ id: 'c77', userId: 'u1', extId: 'e1', checkType: 'gps', checkTime: seconds },
    ...{ checkData: {}, terminalId: 'phone-1' },
  };
  await site.store.write.mirrorCheckIns({ from: 0, next: 5, records: [record], at });
  const [row] = await site.read.checkins({ limit: 1 });
  expect(await site.read.receipt({ checkin: row!.place })).toMatchObject({ seq: 0, message: null, cloudId: 'c77' });
});

test('nothing is said of a record that is not there', async () => {
  await using site = await aSite();
  expect(await site.read.receipt({ seq: 99 as Seq })).toBeNull();
  expect(await site.read.receipt({ checkin: 99 })).toBeNull();
  expect(await site.read.receipt({ access: 99 })).toBeNull();
});
