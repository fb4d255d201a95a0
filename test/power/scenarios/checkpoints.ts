import { flood, longLogs } from '../load.ts';
import type { Scenario } from '../scenario.ts';

export const checkpoints: Scenario = {
  name: 'checkpoints',
  says: 'long logs make the write-ahead log, half a megabyte on so small a disk, start over again and again',
  megabytes: 20,
  async play(stage) {
    const box = await stage.box();
    const terminals = stage.mqttTerminals(box, 4);
    longLogs(terminals, 3000);
    stage.notes.begin();
    await flood(terminals, stage.notes, { inFlight: 8, records: 120 });
  },
};
