import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { CardAllows, CardSpeed } from '../../platform/drill.ts';
import type { Clock, Random } from '../../runtime/clock.ts';

const fileName = 'measured';
const fileBytes = 8 << 20;
const chunkBytes = 1 << 20;
const blockBytes = 4096;
const writesMax = 400;
const withinMs = 8000;

/**
 * Measures a disk in `folder`, which exists: 8 MiB in one go, then up to 400 synced writes of 4 KiB
 * at random places of them, in at most eight seconds. Throws the error of the disk, or the reason
 * of the signal; nothing stays behind.
 */
export async function measureSpeed(
  folder: string,
  { clock, random, signal }: { readonly clock: Clock; readonly random: Random; readonly signal: AbortSignal },
): Promise<CardSpeed> {
  const file = join(folder, fileName);
  try {
    await using handle = await open(file, 'w', 0o600);
    // Not zeros, which some disks only note.
    const chunk = Buffer.from(Array.from({ length: chunkBytes }, () => Math.floor(random() * 256)));
    const begun = clock.monotonic();
    for (let at = 0; at < fileBytes; at += chunkBytes) {
      signal.throwIfAborted();
      await handle.write(chunk, 0, chunkBytes, at);
    }
    await handle.datasync();
    const writtenMs = Math.max(clock.monotonic() - begun, 0.001);
    const waits: number[] = [];
    const synced = clock.monotonic();
    while (waits.length < writesMax && clock.monotonic() - synced < withinMs) {
      signal.throwIfAborted();
      const from = clock.monotonic();
      const place = Math.floor((random() * fileBytes) / blockBytes) * blockBytes;
      await handle.write(chunk, (waits.length % (chunkBytes / blockBytes)) * blockBytes, blockBytes, place);
      await handle.datasync();
      waits.push(clock.monotonic() - from);
    }
    const syncedMs = Math.max(clock.monotonic() - synced, 0.001);
    waits.sort((one, other) => one - other);
    return {
      syncP50Ms: rounded(share(waits, 0.5)),
      syncP99Ms: rounded(share(waits, 0.99)),
      syncsPerSecond: rounded((waits.length * 1000) / syncedMs),
      megabytesPerSecond: rounded(fileBytes / writtenMs / 1000),
    };
  } finally {
    await rm(file, { force: true });
  }
}

const share = (sorted: readonly number[], part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
const rounded = (value: number): number => Math.round(value * 10) / 10;

/**
 * The assumptions, from docs/performance.md: a record that comes alone takes two commits (journal
 * and tables) and 8.5 kB, one of many 360 B, and one sync serves 220 of them; above 200,000 records
 * a second the processor is the bound. A box whose day was not measured yet gets 20,000 records.
 */
const assumed = {
  commits: 2,
  bytesAlone: 8500,
  bytesTogether: 360,
  recordsOfSync: 220,
  recordsMax: 200_000,
  recordsPerDay: 20_000,
} as const;
const secondsPerPunch = 2;
const yearsMax = 100;
const daysPerYear = 365;

export function whatIsAllowed(
  { syncsPerSecond, megabytesPerSecond }: CardSpeed,
  { bytesPerDay, enduranceTb }: { readonly bytesPerDay: number | null; readonly enduranceTb: number },
): CardAllows {
  const alone = Math.floor(syncsPerSecond / assumed.commits);
  const daily = bytesPerDay ?? assumed.recordsPerDay * assumed.bytesAlone;
  return {
    recordsAlone: alone,
    recordsTogether: Math.max(
      alone,
      Math.floor(
        Math.min(
          assumed.recordsMax,
          syncsPerSecond * assumed.recordsOfSync,
          (megabytesPerSecond * 1e6) / assumed.bytesTogether,
        ),
      ),
    ),
    terminals: alone * secondsPerPunch,
    years: Math.min(yearsMax, Math.floor((enduranceTb * 1e12) / Math.max(daily, 1) / daysPerYear)),
    bytesPerDay: Math.round(daily),
    isMeasured: bytesPerDay !== null,
  };
}
