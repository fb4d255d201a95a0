import { expect, test } from 'vitest';
import { realClock } from '../../../src/runtime/real-world.ts';
import { boundMsOf, waitOfShare } from '../../../src/runtime/wait-times.ts';
import { aProduct, append, applied, aStore, registered } from '../../support/store.ts';

test('records of one commit count as long as the one that waited longest, and not for the commit before it', async () => {
  let elapsed = 0;
  await using opened = await aStore({ clock: { ...realClock, monotonic: () => elapsed } });
  const { store } = opened;
  await applied(store, { products: [aProduct()] });
  const { deviceNo } = await registered(store);
  const record = {
    deviceNo,
    channel: 'device',
    receivedAt: 1,
    logPath: '',
    marks: {},
    payload: Buffer.from('x'),
  } as const;
  // Nothing commits before this turn of the event loop is over.
  const first = append(store, record);
  elapsed += 7;
  const second = append(store, record);
  elapsed += 1;
  await Promise.all([first, second]);
  const { waits } = store.journal;
  expect(waits.sumMs).toBe(16);
  expect(waitOfShare(waits.counts, 0.5)).toBe(boundMsOf(20));
  await append(store, record);
  expect(waits.sumMs).toBe(16);
  expect(waits.counts.reduce((sum, count) => sum + count)).toBe(3);
});
