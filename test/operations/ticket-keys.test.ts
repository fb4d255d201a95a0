import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTicketKeys } from '../../src/operations/index.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { HandClock } from '../support/clock.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-tickets-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hourMs = 3_600_000;

test('the key is the same after a restart, is replaced after a day, and only the box can read it', async () => {
  const clock = new HandClock();
  const dir = join(folder, 'one');
  const open = () => openTicketKeys({ dir, clock, log: silentLog });
  let first: Buffer;
  {
    await using keys = await open();
    first = keys.current();
    expect(first).toHaveLength(48);
  }
  expect(statSync(join(dir, 'tickets.key')).mode & 0o777).toBe(0o600);
  await using keys = await open();
  expect(keys.current()).toEqual(first);
  let renewed = 0;
  keys.onRenewed(() => renewed++);
  for (let hour = 0; hour < 23; hour++) await clock.advance(hourMs);
  expect([renewed, keys.current()]).toEqual([0, first]);
  for (let hour = 0; hour < 2; hour++) await clock.advance(hourMs);
  expect(renewed).toBe(1);
  expect(keys.current()).not.toEqual(first);
  await using again = await open();
  expect(again.current()).toEqual(keys.current());
});

test('a file that is not whole is replaced', async () => {
  const dir = join(folder, 'two');
  const clock = new HandClock();
  {
    await using _keys = await openTicketKeys({ dir, clock, log: silentLog });
  }
  writeFileSync(join(dir, 'tickets.key'), 'short');
  await using keys = await openTicketKeys({ dir, clock, log: silentLog });
  expect(keys.current()).toHaveLength(48);
});
