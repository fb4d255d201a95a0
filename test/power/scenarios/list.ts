import type { Scenario } from '../scenario.ts';
import { apply } from './apply.ts';
import { backup } from './backup.ts';
import { batches } from './batches.ts';
import { checkpoints } from './checkpoints.ts';
import { deviceKeys } from './device-keys.ts';
import { firstStart } from './first-start.ts';
import { forwarding } from './forwarding.ts';
import { fullDisk } from './full-disk.ts';
import { httpPushes } from './http-pushes.ts';
import { plainLoad } from './plain-load.ts';
import { programUpdate } from './program-update.ts';
import { recovery } from './recovery.ts';
import { restore } from './restore.ts';
import { retention } from './retention.ts';
import { tablesFilling } from './tables-filling.ts';

/** What goes on while the power is cut, in the order of the page. */
export const scenarios: readonly Scenario[] = [
  plainLoad,
  httpPushes,
  checkpoints,
  tablesFilling,
  retention,
  fullDisk,
  backup,
  restore,
  apply,
  deviceKeys,
  batches,
  forwarding,
  programUpdate,
  firstStart,
  recovery,
];
