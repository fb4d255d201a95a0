import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSigns, type Signed } from '../../src/box/signs.ts';
import type { Config } from '../../src/config/index.ts';
import type { Log } from '../../src/runtime/log.ts';
import { HandClock } from '../support/clock.ts';
import { until } from '../support/until.ts';

function partsOf(as: {
  readonly health?: string;
  readonly isDead?: boolean;
  readonly isUnreadable?: boolean;
  readonly isTakenOver?: boolean;
  readonly line?: string;
  readonly waiting?: number;
  readonly mode?: string;
  readonly days?: number | null;
  readonly inodes?: { readonly size: number; readonly free: number };
}): Signed {
  return {
    store: {
      health: () => ({
        state: as.health ?? 'ok',
        why: 'no room on the disk',
        isDead: as.isDead ?? false,
        unreadable: as.isUnreadable ? {} : null,
      }),
      room: () => ({ isLow: as.days !== undefined, daysLeft: as.days ?? null, inodes: as.inodes ?? null }),
    },
    devices: { status: () => ({ known: 14, online: 12, refused: 0 }) },
    upstream: {
      status: async () => ({ uplink: { state: as.line ?? 'up' }, outbox: { waiting: as.waiting ?? 0 } }),
      takenOver: () => (as.isTakenOver ? ['somebody else'] : []),
    },
    provisioning: { report: () => ({ mode: as.mode ?? 'ready' }) },
  } as unknown as Signed;
}
const log = {} as Log;
const without = { box: {} } as unknown as Config;

test.each([
  [{}, 'ok', '12 devices online; cloud connected, nothing waits'],
  [{ line: 'none' }, 'ok', '12 devices online; stands alone'],
  [{ line: 'down', waiting: 318 }, 'cloud away', '12 devices online; cloud away, 318 wait'],
  [{ line: 'connecting' }, 'cloud away', '12 devices online; cloud away, nothing waits'],
  [{ line: 'refused', waiting: 3 }, 'needs attention', '12 devices online; the cloud refuses this box, 3 wait'],
  [
    { inodes: { size: 1000, free: 12 } },
    'needs attention',
    '12 devices online; the disk can hold few more files (12 inodes): remove some',
  ],
  [{ health: 'disk_full' }, 'needs attention', '12 devices online; nothing is acknowledged: no room on the disk'],
  // A start of the program mends no disk.
  [{ health: 'broken' }, 'needs attention', '12 devices online; nothing is acknowledged: no room on the disk'],
  [
    { isUnreadable: true },
    'needs attention',
    '12 devices online; the disk cannot be read in places: make a backup now and change the card',
  ],
  [
    { isTakenOver: true, line: 'down', waiting: 3 },
    'needs attention',
    '12 devices online; somebody else logs in to the cloud as this box, 3 wait',
  ],
  [{ days: 2 }, 'needs attention', '12 devices online; the disk is nearly full, in 2 days: make room'],
  [{ days: null, line: 'down' }, 'needs attention', '12 devices online; the disk is nearly full: make room'],
  [{ line: 'none', mode: 'open' }, 'setting up', '12 devices online; to be set up by a phone'],
] as const)('%j: %s', async (as, state, message) => {
  await using signs = openSigns(without, { clock: new HandClock(), log });
  expect(await signs.read()).toEqual({ state: 'starting', message: 'starting' });
  await using _ = signs.follow(partsOf(as));
  expect(await signs.read()).toEqual({ state, message });
  signs.updating(true);
  expect(await signs.read()).toEqual({ state: 'updating', message: 'updating' });
});

test('the watchdog is not fed when the writer of the store has died', async () => {
  await using signs = openSigns(without, { clock: new HandClock(), log });
  await using _ = signs.follow(partsOf({ health: 'broken', isDead: true }));
  await expect(signs.read()).rejects.toThrow('no room on the disk');
});

test('the LED is dark as soon as the box begins to close, however long that takes; an update goes on blinking', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-led-'));
  for (const name of ['brightness', 'trigger', 'delay_on', 'delay_off']) await writeFile(join(folder, name), '\n');
  const read = async (name: string) => (await readFile(join(folder, name), 'utf8')).trim();
  const config = { box: { led: folder } } as unknown as Config;
  {
    await using signs = openSigns(config, { clock: new HandClock(), log });
    const following = signs.follow(partsOf({}));
    await until('lit', async () => (await read('brightness')) === '1');
    await following[Symbol.asyncDispose]();
    expect(await read('brightness')).toBe('0');
  }
  {
    await using signs = openSigns(config, { clock: new HandClock(), log });
    await using _ = signs.follow(partsOf({}));
    signs.updating(true);
    await until('blinks slowly', async () => (await read('delay_off')) === '1500');
  }
  expect([await read('trigger'), await read('delay_off')]).toEqual(['timer', '1500']);
  await rm(folder, { recursive: true });
});
