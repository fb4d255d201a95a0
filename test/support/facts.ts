import type { Facts } from '../../src/standing/index.ts';
import { noWhy } from '../../src/words/sentences.ts';

/** Facts of a box that wants nobody. */
export const wellFacts: Facts = {
  disk: {
    ...{ usedPercent: 40, daysLeft: 31, isLow: false, fewInodes: null, state: 'ok' },
    ...{ unreadableRecords: null, isUnwritable: false },
  },
  wearDays: 4000,
  line: { isUp: true, isRefused: false, since: 0, why: '', waiting: 0, oldestMinutes: 0, parked: 0 },
  mirror: { hidden: 0, held: 0, incomplete: noWhy },
  silent: [],
  known: 1,
  online: 1,
  neverHere: [],
  unapproved: [],
  rejected: 0,
  refusedLogins: 0,
  backup: { ageDays: 1, never: false, tooOldDays: null },
  clockSynchronized: true,
  deviceClocks: [],
  unreadable: [],
  usedTwice: [],
  certificateDays: 300,
  update: '',
  rebooted: false,
  recoveryKey: 'kept',
  zone: { name: 'Asia/Shanghai', isConfirmed: true },
  monthToClose: null,
  dailyReports: [],
  channels: [],
};
