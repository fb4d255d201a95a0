import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { flood } from '../load.ts';
import type { Scenario } from '../scenario.ts';

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

export const backup: Scenario = {
  name: 'backup',
  says: 'backups are written to the same disk while terminals send; a finished one is whole',
  // It asks for a hundred megabytes of room.
  megabytes: 160,
  async play(stage) {
    const box = await stage.box();
    const terminals = stage.mqttTerminals(box, 4);
    await box.ask('recovery-key', 'new');
    stage.notes.begin();
    const backups = async () => {
      for (const name of ['one.gh', 'two.gh']) {
        const file = join(dirname(stage.dataDir), name);
        await box.ask('backup', file);
        stage.notes.promised(name, hashOf(file));
      }
    };
    await Promise.all([backups(), flood(terminals, stage.notes, { inFlight: 1, records: 80 })]);
  },
  check({ dataDir, notes, entries }, found) {
    for (const { what, value, position } of notes.promises) {
      const file = join(dirname(dataDir), what);
      if (position > entries) continue;
      if (!existsSync(file)) found.lost.push(`the backup ${what}`);
      else if (hashOf(file) !== value) found.unreadable.push(`the backup ${what} is not what was written`);
    }
  },
};
