import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { connectAdmin } from '../../../src/admin-client/index.ts';
import { flood, trickle } from '../load.ts';
import type { Scenario } from '../scenario.ts';

const daysMs = 10 * 24 * 3600 * 1000;

/** Makes all segments ten days older, as if they had been received then. */
function age(dataDir: string): void {
  using database = new DatabaseSync(join(dataDir, 'gatehouse.db'));
  database.prepare('UPDATE segment SET received_from = received_from - ?1, received_to = received_to - ?1').run(daysMs);
}

function firstSeq(dataDir: string): number {
  using database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { readOnly: true });
  return Number(database.prepare('SELECT min(first_seq) AS seq FROM segment').get()!.seq ?? 0);
}

export const retention: Scenario = {
  name: 'retention',
  says: 'old segments of the journal are removed; the logs that were in them stay in their table',
  demands: { mayEmpty: true },
  async play(stage) {
    const before = await stage.box();
    const first = stage.mqttTerminals(before, 4);
    await flood(first, stage.notes, { inFlight: 4, records: 150, channel: () => 'log' });
    // Puts everything into the tables, and ends.
    await before.ask('status');
    await before.stop();
    age(stage.dataDir);
    stage.notes.begin();
    await before.start();
    await using admin = (await connectAdmin(stage.dataDir))!;
    await admin.post('/disk/free', { what: 'records', days: 5 });
    if (firstSeq(stage.dataDir) === 1) throw new Error('no segment was removed');
    await trickle(stage.mqttTerminals(before, 4, 4), stage.notes, 60);
  },
};
