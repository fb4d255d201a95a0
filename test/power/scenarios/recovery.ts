import { trickle } from '../load.ts';
import type { Scenario } from '../scenario.ts';

/** Played on a disk that was cut off before (`recordAgain`). */
export const recovery: Scenario = {
  name: 'recovery',
  says: 'the box recovers from an earlier cut: file system, database, start, first records',
  async play(stage) {
    const box = await stage.box();
    await trickle(stage.mqttTerminals(box, 4, 4), stage.notes, 20);
  },
};
