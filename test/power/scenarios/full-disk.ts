import { connectAdmin } from '../../../src/admin-client/index.ts';
import { flood, longLogs } from '../load.ts';
import type { Scenario } from '../scenario.ts';

export const fullDisk: Scenario = {
  name: 'full-disk',
  says: 'the disk is full: the oldest logs are dropped and counted, new ones are acknowledged',
  megabytes: 16,
  demands: { mayDrop: true },
  async play(stage) {
    const box = await stage.box();
    const terminals = stage.mqttTerminals(box, 4);
    longLogs(terminals, 3900);
    await using admin = (await connectAdmin(stage.dataDir))!;
    const logs = { inFlight: 16, channel: () => 'log' as const };
    for (let turns = 0; ; turns++) {
      await flood(terminals, stage.notes, { ...logs, records: 100 });
      const { dropped } = (await admin.get('/status')).disk;
      if (Object.values(dropped).some(count => count > 0)) break;
      if (turns > 60) throw new Error('the disk does not get full');
    }
    stage.notes.begin();
    await flood(terminals, stage.notes, { ...logs, records: 250 });
  },
};
