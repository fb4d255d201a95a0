import { trickle } from '../load.ts';
import type { Scenario } from '../scenario.ts';

export const firstStart: Scenario = {
  name: 'first-start',
  says: 'a box starts for the first time on an empty card, makes its store, keys and certificates, and takes records',
  settles: true,
  // Opening a store takes ten times as long as reading it.
  share: 3 / 8,
  startedEach: 8,
  async play(stage) {
    const box = await stage.box();
    await trickle(stage.mqttTerminals(box, 4), stage.notes, 40);
  },
};
