import { writeSync } from 'node:fs';
import { realClock } from '../../src/runtime/real-world.ts';
import { moveToPostgres } from '../../src/store/index.ts';

/** Moves a store up to a step, says so, and does nothing more until it is killed. */
const [dataDir, url, stopAt] = process.argv.slice(2) as [string, string, string];
await moveToPostgres({
  ...{ dataDir, url, dryRun: false, clock: realClock },
  tell: async step => {
    const name = 'table' in step ? `${step.kind} ${step.table}` : step.kind;
    if (name !== stopAt) return;
    writeSync(1, 'stopped\n');
    await new Promise(() => setInterval(() => {}, 60_000));
  },
});
