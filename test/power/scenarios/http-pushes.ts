import { flood, trickle } from '../load.ts';
import type { Scenario } from '../scenario.ts';

export const httpPushes: Scenario = {
  name: 'http-pushes',
  says: 'terminals send logs and punches over HTTP (200 and code 0)',
  async play(stage) {
    const box = await stage.box();
    const terminals = await stage.httpTerminals(box, 4);
    await Promise.all(terminals.map(terminal => terminal.connect()));
    stage.notes.begin();
    await flood(terminals, stage.notes, { inFlight: 1, records: 50 });
    await trickle(terminals, stage.notes, 50);
  },
};
