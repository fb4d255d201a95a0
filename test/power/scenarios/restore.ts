import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { flood, trickle } from '../load.ts';
import type { Scenario } from '../scenario.ts';

export const restore: Scenario = {
  name: 'restore',
  says: 'a stopped box gets its contents from a backup: before, half-way and after, what the backup has is there',
  // A backup asks for a hundred megabytes of room.
  megabytes: 160,
  settles: true,
  // Opening a store takes ten times as long as reading it.
  share: 3 / 8,
  async play(stage) {
    const box = await stage.box();
    const terminals = stage.mqttTerminals(box, 4);
    await flood(terminals, stage.notes, { inFlight: 4, records: 60 });
    const keyFile = join(box.folder, 'recovery-key.txt');
    await writeFile(keyFile, await box.ask('recovery-key', 'new'));
    const file = join(box.folder, 'backup.gh');
    await box.ask('backup', file);
    await box.stop();
    stage.notes.begin();
    await box.ask('restore', file, '--recovery-key-file', keyFile);
    stage.notes.promised('restore', 'done');
    await box.start();
    await trickle(stage.mqttTerminals(box, 4, 4), stage.notes, 40);
  },
};
