import { flood, trickle } from '../load.ts';
import type { Scenario } from '../scenario.ts';

export const plainLoad: Scenario = {
  name: 'plain-load',
  says: 'terminals send logs and punches over MQTT (PUBACK)',
  async play(stage) {
    const box = await stage.box();
    const terminals = stage.mqttTerminals(box, 4);
    stage.notes.begin();
    await flood(terminals, stage.notes, { inFlight: 8, records: 120 });
    await trickle(terminals, stage.notes, 100);
  },
};
