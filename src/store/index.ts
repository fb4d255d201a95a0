export * from './accounts-port.ts';
export { BackupRefused, restoreBackup } from './backup.ts';
export { openStore, openStoreForReading, type StoppedStore, StoreOpenError, type StoreOptions } from './open.ts';
export * from './organization-port.ts';
export { ownerOf } from './ownership.ts';
export * from './port.ts';
export * from './provisioning-port.ts';
export * from './services-port.ts';
export * from './staff-port.ts';
