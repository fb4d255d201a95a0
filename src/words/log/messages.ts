import { inEnglish, type Params, type ValuesOf } from '../sentences.ts';
import { accountsLog } from './accounts.ts';
import { adminLog } from './admin.ts';
import { alertsLog } from './alerts.ts';
import { attendanceLog } from './attendance.ts';
import { backupsLog } from './backups.ts';
import { boxLog } from './box.ts';
import { cliLog } from './cli.ts';
import { devicesLog } from './devices.ts';
import { programsLog } from './events.ts';
import { operationsLog } from './operations.ts';
import { provisioningLog } from './provisioning.ts';
import { servicesLog } from './services.ts';
import { storeLog } from './store.ts';
import { updatesLog } from './updates.ts';
import { upstreamLog } from './upstream.ts';

/** Messages of the box's log, those of each part in a file of its name. */
export const logMessages = [
  accountsLog,
  adminLog,
  alertsLog,
  attendanceLog,
  backupsLog,
  boxLog,
  cliLog,
  devicesLog,
  programsLog,
  operationsLog,
  provisioningLog,
  servicesLog,
  storeLog,
  updatesLog,
  upstreamLog,
] as const;

type Every<T> = (T extends unknown ? (one: T) => void : never) extends (every: infer All) => void ? All : never;
type Messages = Every<(typeof logMessages)[number]['texts']>;

export type LogCode = keyof Messages & string;

/** Values that a message names: none, or one object. */
export type LogValues<Code extends LogCode> = ValuesOf<Messages[Code]>;

/** The message in English, as the log has it. */
export const logText = (code: LogCode, params: Params = {}): string =>
  inEnglish({ reason: code, code, params }, ...logMessages);
