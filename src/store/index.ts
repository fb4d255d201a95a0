export { askedDatabase, refusesLogins } from './ask-database.ts';
export type * from './condition.ts';
export { type BackupRequest, type BackupWritten, workPrefix } from './data-dir/backup.ts';
export { BackupRefused, sha256Of } from './data-dir/backup-archive.ts';
export { type BackupLock, newRecoveryKey } from './data-dir/backup-encryption.ts';
export { isBackupName } from './data-dir/backup-target.ts';
export { type FlushTime, flushTime, measuredFlushTime } from './data-dir/flush-time.ts';
export { takeBackMoved } from './data-dir/ownership.ts';
export type { NewerData } from './data-dir/replaced-store.ts';
export {
  askReset,
  clearReset,
  isNetworkReset,
  isResetAsked,
  isSettingsReset,
  resetStopped,
  settleNetworkReset,
  settleSettingsReset,
} from './data-dir/reset.ts';
export { checkBackup, type InspectedBackup, inspectBackup, restoreBackup, stageRestore } from './data-dir/restore.ts';
export { tableSizes } from './data-dir/table-sizes.ts';
export { unfitPlace } from './data-dir/unfit.ts';
export type { Committed, ReadPart, StorePart, WritePart } from './domain.ts';
export type * from './domains/accounts.ts';
export type * from './domains/alerts.ts';
export type * from './domains/audit/audit.ts';
export type * from './domains/audit/entries.ts';
export type * from './domains/backups.ts';
export type * from './domains/corrections/corrections.ts';
export type * from './domains/corrections/tables.ts';
export { correctionItemsMax } from './domains/corrections/tables.ts';
export type * from './domains/daily-reports.ts';
export type * from './domains/files.ts';
export type * from './domains/fleet.ts';
export type * from './domains/forwarding/forwarding.ts';
export type * from './domains/gateway/gateway.ts';
export type * from './domains/grants/grants.ts';
export type * from './domains/history/history.ts';
export { type HistoryRing, historyLength, historyStepMs } from './domains/history/rings.ts';
export type * from './domains/kept-values.ts';
export type * from './domains/logs.ts';
export type * from './domains/messages.ts';
export type * from './domains/mirror/mirror.ts';
export type * from './domains/mirror/tables.ts';
export { cloudDeviceNo } from './domains/mirror/tables.ts';
export type * from './domains/own-pages.ts';
export type * from './domains/periods/periods.ts';
export type * from './domains/plans/plans.ts';
export type * from './domains/plans/tables.ts';
export type * from './domains/provisioning.ts';
export type * from './domains/room.ts';
export { goesFirst, keptDaysMax } from './domains/room.ts';
export type * from './domains/signed-calls.ts';
export type * from './domains/statements/statements.ts';
export type * from './domains/support.ts';
export type * from './domains/tokens.ts';
export type * from './domains/upgrades.ts';
export type * from './domains/webhooks.ts';
export { type MoveOutcome, type MoveStep, moveToPostgres } from './move.ts';
export { openStore, openStoreForReading, type StoreOptions } from './open.ts';
export type * from './people/bulk-changes.ts';
export { bulkChangeKept, bulkGroupMax } from './people/bulk-changes.ts';
export { isConfirmed, type PeopleDataState, peopleDataState, personSyncMidOf } from './people/people-data.ts';
export type * from './port/directory.ts';
export { devicesOfBox, isOfBox } from './port/directory.ts';
export * from './port/journal.ts';
export * from './port/organization.ts';
export * from './port/people.ts';
export * from './port/records.ts';
export type * from './port/region.ts';
export * from './port/store.ts';
export { StoreOpenError } from './prepare.ts';
export type * from './readers/day.ts';
export type * from './readers/devices.ts';
export type * from './readers/punch-table.ts';
export {
  deviceNoAt,
  emptyPunchTable,
  markAt,
  punchAt,
  punchesIn,
  punchPlaces,
  shownIdAt,
} from './readers/punch-table.ts';
export type * from './readers/punches.ts';
export { type OwnReader, openOwnReader, readFailure } from './readers/reader.ts';
export { databaseFile } from './schema/database.ts';
export type * from './site/data.ts';
export type { Wear } from './writer/wear.ts';
