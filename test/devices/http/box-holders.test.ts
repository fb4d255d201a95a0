import { expect, test } from 'vitest';
import { BoxHolders, type HolderStore } from '../../../src/devices/http/box-holders.ts';
import type { Device } from '../../../src/store/index.ts';
import { HandClock } from '../../support/clock.ts';
import { aStore, registered } from '../../support/store.ts';

const copy = (instance: string, before = '') => ({ epoch: 'e', instance, before });

/** Holders over a real store; `held` delays what is asked about one box. */
function holdersOver(
  store: HolderStore,
  held: { readonly id: string; readonly until: () => Promise<void> },
): BoxHolders {
  const remembered: HolderStore['read']['remembered'] = async (service, key) => {
    if (key === held.id) await held.until();
    return store.read.remembered(service, key);
  };
  const { batchCursor } = store.read;
  return new BoxHolders(
    { write: store.write, read: { remembered, batchCursor }, shared: store.shared } as HolderStore,
    new HandClock(),
  );
}

const nothingHeld = { id: '', until: async () => {} };

async function twoBoxes(store: Parameters<typeof registered>[0]): Promise<[Device, Device]> {
  return [await registered(store, 'GATEHOUSE_A0001'), await registered(store, 'GATEHOUSE_A0002')];
}

test('of two copies of a box that come together one is taken, whichever comes first', async () => {
  await using opened = await aStore();
  const [box] = await twoBoxes(opened.store);
  const holders = holdersOver(opened.store, nothingHeld);
  expect(await holders.takes(box, copy('run 1'))).toBe(true);
  const both = [holders.takes(box, copy('run 2', 'run 1')), holders.takes(box, copy('run 3', 'run 1'))];
  expect(await Promise.all(both)).toEqual([true, false]);
});

test('a box does not wait for what is asked about another one', async () => {
  await using opened = await aStore();
  const [slow, other] = await twoBoxes(opened.store);
  const goOn = Promise.withResolvers<void>();
  const holders = holdersOver(opened.store, { id: slow.deviceId, until: () => goOn.promise });
  const asked = holders.takes(slow, copy('run 1'));
  expect(await holders.takes(other, copy('run 1'))).toBe(true);
  expect(await holders.takes(other, copy('run 1'))).toBe(true);
  goOn.resolve();
  expect(await asked).toBe(true);
});

test('after a question that failed the next one is answered', async () => {
  await using opened = await aStore();
  const [box] = await twoBoxes(opened.store);
  let fails = true;
  const until = async () => {
    if (fails) throw new Error('no answer');
  };
  const holders = holdersOver(opened.store, { id: box.deviceId, until });
  await expect(holders.takes(box, copy('run 1'))).rejects.toThrow('no answer');
  fails = false;
  expect(await holders.takes(box, copy('run 1'))).toBe(true);
});
