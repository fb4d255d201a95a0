export * from './accounts-port.ts';
export { auditChains } from './audit/chain.ts';
export type { Audit } from './audit/log.ts';
export { type BackupRequest, type BackupWritten, type LeftOut, workPrefix } from './backup.ts';
export { type BackupLock, newRecoveryKey } from './backup-encryption.ts';
export { BackupRefused } from './backup-refused.ts';
export { isBackupName } from './backup-target.ts';
export { databaseFile } from './database.ts';
export * from './day-port.ts';
export * from './devices-port.ts';
export { keptDaysMax } from './kept-days.ts';
export { openStore, openStoreForReading, type StoppedStore, StoreOpenError, type StoreOptions } from './open.ts';
export * from './organization-port.ts';
export { ownerOf } from './ownership.ts';
export {
  isConfirmed,
  type PeopleDataState,
  type PeopleDataWord,
  peopleDataState,
  personSyncMid,
} from './people-data.ts';
export * from './people-port.ts';
export * from './port.ts';
export * from './provisioning-port.ts';
export {
  askReset,
  clearReset,
  isNetworkReset,
  isResetAsked,
  isSettingsReset,
  resetStopped,
  settleNetworkReset,
  settleSettingsReset,
} from './reset.ts';
export { checkBackup, restoreBackup, stageRestore } from './restore.ts';
export { goesFirst, type RoomReport } from './room-report.ts';
export * from './services-port.ts';
export * from './site-data.ts';
export * from './staff-port.ts';
export * from './support-port.ts';
export type { Wear } from './wear.ts';
