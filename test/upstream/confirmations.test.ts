import { expect, test } from 'vitest';
import { silentLog } from '../../src/runtime/log.ts';
import type { Confirmation, DeviceNo, Seq, Store } from '../../src/store/index.ts';
import { Confirmations } from '../../src/upstream/confirmations.ts';
import { HandClock } from '../support/clock.ts';

const messagesOf = (deviceNo: number) => ({ deviceNo: deviceNo as DeviceNo, channel: 'device' }) as const;
const [one, other] = [messagesOf(1), messagesOf(2)];
const overMqtt = { via: 'mqtt', floorSeq: 0 as Seq } as const;

/** A store that only notes what is written down. */
function aLedger(note: (confirmations: readonly Confirmation[]) => void = () => {}) {
  const clock = new HandClock();
  const written: Record<number, number>[] = [];
  const confirm = async ({ confirmations }: { confirmations: readonly Confirmation[] }) => {
    note(confirmations);
    written.push(Object.fromEntries(confirmations.map(({ deviceNo, upToSeq }) => [deviceNo, upToSeq])));
  };
  const store = { write: { confirm }, directory: { deviceByNo: () => undefined } } as unknown as Store;
  return { clock, written, confirmations: new Confirmations({ store, clock, log: silentLog }) };
}

test('what one turn of the event loop confirms is one writing with a row for each device', async () => {
  const { written, confirmations } = aLedger();
  for (let seq = 1; seq <= 500; seq++) confirmations.add(seq % 2 ? one : other, seq as Seq, overMqtt);
  expect(confirmations.upTo(one.deviceNo, 'device')).toBe(499);
  await confirmations.flush();
  expect(written).toEqual([{ 1: 499, 2: 500 }]);
});

test("a device's messages and logs are two rows, each with what nothing waits below", async () => {
  const written: Confirmation[] = [];
  const { confirmations } = aLedger(all => written.push(...all));
  confirmations.add({ ...one, channel: 'log' }, 3 as Seq, { via: 'http', floorSeq: 2 as Seq });
  confirmations.add(one, 9 as Seq, { via: 'mqtt', floorSeq: 3 as Seq });
  await confirmations.flush();
  expect(written).toEqual([
    { deviceNo: 1, channel: 'log', upToSeq: 3, floorSeq: 2, via: 'http', at: expect.any(Number) },
    { deviceNo: 1, channel: 'device', upToSeq: 9, floorSeq: 3, via: 'mqtt', at: expect.any(Number) },
  ]);
});

test('under constant load confirmations are written twenty times a second, and none is lost', async () => {
  const { clock, written, confirmations } = aLedger();
  let seq = 0;
  for (let ms = 0; ms < 2000; ms += 5) {
    confirmations.add(one, ++seq as Seq, overMqtt);
    await clock.advance(5);
  }
  // A few go at once before the pace is kept.
  expect(written.length).toBeGreaterThan(40);
  expect(written.length).toBeLessThan(55);
  await clock.advance(100);
  expect(written.at(-1)).toEqual({ 1: seq });
});

test('a caller that waits for the write does not wait for the pace', async () => {
  const { clock, written, confirmations } = aLedger();
  let seq = 0;
  for (; seq < 20; seq++) {
    confirmations.add(one, (seq + 1) as Seq, overMqtt);
    await clock.advance(0);
  }
  expect(written.length).toBeLessThan(20);
  await confirmations.flush();
  expect(written.at(-1)).toEqual({ 1: 20 });
});

test('what could not be stored is stored a few seconds later, although nothing more is confirmed', async () => {
  let isFull = true;
  const { clock, written, confirmations } = aLedger(() => {
    if (isFull) throw new Error('the disk is full');
  });
  confirmations.add(one, 7 as Seq, overMqtt);
  await confirmations.flush();
  await clock.advance(5_000);
  expect(written).toEqual([]);
  isFull = false;
  await clock.advance(5_000);
  expect(written).toEqual([{ 1: 7 }]);
  await clock.advance(20_000);
  expect(written).toHaveLength(1);
});
