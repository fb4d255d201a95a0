import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { measureSpeed, whatIsAllowed } from '../../../src/operations/drill/speed.ts';
import { realClock, realRandom } from '../../../src/runtime/real-world.ts';

test('a disk is measured, and nothing stays behind, also if it is given up', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-speed-'));
  try {
    const signal = new AbortController();
    const speed = await measureSpeed(folder, { clock: realClock, random: realRandom, signal: signal.signal });
    expect(speed.syncsPerSecond).toBeGreaterThan(0);
    expect(speed.syncP99Ms).toBeGreaterThanOrEqual(speed.syncP50Ms);
    expect(speed.megabytesPerSecond).toBeGreaterThan(0);
    signal.abort(new Error('given up'));
    await expect(measureSpeed(folder, { clock: realClock, random: realRandom, signal: signal.signal })).rejects.toThrow(
      'given up',
    );
    expect(await readdir(folder)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test.each([
  // A slow card: 25 synced writes a second.
  [25, 8, null, 30, { recordsAlone: 12, recordsTogether: 5500, terminals: 24, years: 100, isMeasured: false }],
  // A good one, at a site that writes 3 GB a day.
  [200, 40, 3e9, 30, { recordsAlone: 100, recordsTogether: 44_000, terminals: 200, years: 27, isMeasured: true }],
  // An SSD: the processor is the bound.
  [9000, 400, 3e9, 300, { recordsAlone: 4500, recordsTogether: 200_000, terminals: 9000, years: 100 }],
] as const)('%d synced writes a second and %d MB/s allow', (syncs, megabytes, bytesPerDay, enduranceTb, allowed) => {
  const speed = { syncP50Ms: 1, syncP99Ms: 2, syncsPerSecond: syncs, megabytesPerSecond: megabytes };
  expect(whatIsAllowed(speed, { bytesPerDay, enduranceTb })).toMatchObject(allowed);
});
