import { describe, expect, test } from 'vitest';
import { PunchWatch } from '../../../src/operations/drill/punch-watch.ts';
import { actionTable, defaultActions } from '../../../src/platform/actions.ts';
import type { Device, Seq } from '../../../src/store/index.ts';
import { HandClock } from '../../support/clock.ts';
import { askings, HeldReads, rest } from '../../support/held-reads.ts';
import { append, aStore, registered, type TemporaryStore } from '../../support/store.ts';
import { punch } from '../../support/terminal.ts';

/** A watch over a journal that answers late. */
function aWatch({ store }: TemporaryStore, asking: (typeof askings)[number]) {
  const reads = new HeldReads(store.journal, asking);
  const watch = new PunchWatch({
    ...{ journal: reads.journal, actions: actionTable(defaultActions), clock: new HandClock() },
  });
  watch.begin(0 as Seq);
  const punches = ({ deviceNo, deviceId }: Device) =>
    append(store, {
      ...{ deviceNo, channel: 'device', receivedAt: 1, logPath: '', marks: {} },
      payload: Buffer.from(punch(deviceId, 'm1')),
    });
  return { reads, watch, punches };
}

const none = new Set<never>();

describe.each(askings)('over a journal that answers late and asks %s what is wanted', asking => {
  test('a device that comes during a reading is awaited with the next one', async () => {
    await using temporary = await aStore();
    const { reads, watch, punches } = aWatch(temporary, asking);
    const devices = [await registered(temporary.store, 'FACE-T1_A1')];
    const awaited = () => new Set(devices.map(({ deviceNo }) => deviceNo));
    await punches(devices[0]!);
    const found = watch.look(awaited, none);
    devices.push(await registered(temporary.store, 'FACE-T1_A2'));
    await punches(devices[1]!);
    await reads.free();
    expect((await found).map(({ deviceNo, seq }) => [deviceNo, seq])).toEqual(
      devices.map(({ deviceNo }, index) => [deviceNo, index + 1]),
    );
  });

  test('a watch that ends during a reading finds nothing, and reads no further', async () => {
    await using temporary = await aStore();
    const { reads, watch, punches } = aWatch(temporary, asking);
    const device = await registered(temporary.store);
    const awaited = () => new Set([device.deviceNo]);
    await punches(device);
    const found = watch.look(awaited, none);
    await punches(device);
    watch.end();
    await reads.free();
    expect(await found).toEqual([]);
    expect(await watch.look(awaited, none)).toEqual([]);
    expect(reads.begun).toEqual([0]);
  });

  test('a watch that begins anew during a reading counts from there', async () => {
    await using temporary = await aStore();
    const { reads, watch, punches } = aWatch(temporary, asking);
    const device = await registered(temporary.store);
    const awaited = () => new Set([device.deviceNo]);
    await punches(device);
    const before = watch.look(awaited, none);
    await punches(device);
    watch.end();
    watch.begin(temporary.store.journal.lastSeq);
    await reads.free();
    expect(await before).toEqual([]);
    await punches(device);
    await rest();
    expect(await watch.look(awaited, none)).toMatchObject([{ seq: 3 }]);
    expect(reads.begun).toEqual([0, 2]);
  });
});
