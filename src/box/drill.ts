import { readFileSync } from 'node:fs';
import type { Drills } from '../admin/index.ts';
import { CardDrill, diskBelow } from '../operations/index.ts';
import type { Storage } from './storage.ts';

/** The drills of a running box (docs/drill.md). One that a power cut has interrupted goes on. */
export async function openDrills({ config, store, signs, clock, random, log, opened }: Storage): Promise<Drills> {
  const card = opened.use(
    await CardDrill.open({
      ...{ dataDir: config.data_dir, clock, random },
      log: log.child({ part: 'drill' }),
      bootId: () => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim(),
      disk: () => diskBelow(config.data_dir),
      wear: () => ({ bytesPerDay: store.wear().bytesPerDay, enduranceTb: config.storage.endurance_tb }),
      keep: result => store.write.putDrillResult(result),
      isKept: async id => (await store.read.drillResults()).some(one => one.id === id),
      showPull: on => signs.pullThePlug(on),
    }),
  );
  return {
    card,
    results: () => store.read.drillResults(),
    busy: async () =>
      (await signs.read()).state === 'updating' ? 'the box is being updated: begin when that is done' : null,
  };
}
