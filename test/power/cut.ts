import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultActions } from '../../src/platform/actions.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import { openStore } from '../../src/store/index.ts';
import { checkStored } from './checker.ts';
import { type Findings, nothingFound } from './findings.ts';
import type { RecordingNotes } from './recording.ts';
import { recoverByMount, recoverByRepair, Unrecoverable } from './recover.ts';
import type { Scenario } from './scenario.ts';
import { readStored } from './stored.ts';

/** Recovers a disk that was cut off after so many requests, and says what is wrong with it. */
export async function examine(
  image: string,
  cut: { scenario: Scenario; notes: RecordingNotes; entries: number; folder: string; byMount: boolean },
): Promise<Findings> {
  const folder = join(cut.folder, 'recovered');
  await mkdir(folder, { recursive: true });
  try {
    await using recovered = await (cut.byMount ? recoverByMount(image) : recoverByRepair(image, folder));
    return await examineData(join(recovered.folder, 'data', 'gatehouse'), cut);
  } catch (error) {
    if (!(error instanceof Unrecoverable)) throw error;
    return { ...nothingFound(), unreadable: [`the file system cannot be repaired: ${error.message}`] };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function examineData(
  dataDir: string,
  { scenario, notes, entries }: { scenario: Scenario; notes: RecordingNotes; entries: number },
): Promise<Findings> {
  try {
    if (scenario.settles) await settle(dataDir);
    const stored = await readStored(dataDir);
    const found = checkStored(stored, notes, entries, scenario.demands);
    await scenario.check?.({ dataDir, stored, notes, entries }, found);
    return found;
  } catch (error) {
    return { ...nothingFound(), unreadable: [`the store cannot be read: ${String(error)}`] };
  }
}

/** What the start of a box does with its store. */
async function settle(dataDir: string): Promise<void> {
  const store = await openStore({
    dataDir,
    environment: 'test',
    timeZone: 'Asia/Shanghai',
    actions: defaultActions,
    upstream: false,
    clock: realClock,
    log: silentLog,
  });
  await store.catchUp();
  await store[Symbol.asyncDispose]();
}
