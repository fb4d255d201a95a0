export { type Backups, type BackupsReport, openBackups } from './backups.ts';
export { BoxBackups } from './boxes-below.ts';
export {
  type BackupSettings,
  inForce as backupsInForce,
  keepOf,
  scheduleOf,
} from './settings.ts';
export type { HostKey } from './ssh-key.ts';
