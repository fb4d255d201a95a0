import { connectAdmin } from '../../../src/admin-client/index.ts';
import { flood } from '../load.ts';
import type { Scenario } from '../scenario.ts';

export const tablesFilling: Scenario = {
  name: 'tables-filling',
  says: 'somebody looks all the time, so that the tables of logs and check-ins are filled behind each commit',
  async play(stage) {
    const box = await stage.box();
    const terminals = stage.mqttTerminals(box, 4);
    await using admin = (await connectAdmin(stage.dataDir))!;
    stage.notes.begin();
    let works = true;
    const looks = async () => {
      while (works) await admin.get('/status');
    };
    const looking = looks();
    await flood(terminals, stage.notes, { inFlight: 2, records: 80, channel: turn => (turn % 2 ? 'log' : 'device') });
    works = false;
    await looking;
  },
};
