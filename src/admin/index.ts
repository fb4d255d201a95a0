export type { AlertReport } from './alerts.ts';
export { applySite } from './apply-site.ts';
export type { AttendanceReport, MirrorReport } from './attendance.ts';
export type { AuditVerdict } from './audit.ts';
export {
  type BackupFacts,
  backedUp,
  lastBackupAt,
  noteBackup,
} from './backups.ts';
export { runningAdmin, stoppedAdmin } from './box-admin.ts';
export { clockReport, wrongClockNames } from './clock.ts';
export type { DeviceReport, LedgerReport } from './device.ts';
export { codeOf, codeReport, labelsOf } from './device-codes.ts';
export { Disk } from './disk.ts';
export type { CardResultReport, DrillReport, Drills } from './drill.ts';
export { EventStreams, eventStreamRoutes } from './event-stream-route.ts';
export type { BrokerReport, EventSource } from './events.ts';
export type { FleetRow } from './fleet.ts';
export type { AdminIdentity, Role } from './guard.ts';
export { importOrganization } from './import-organization.ts';
export type { LineResultReport } from './line-drill.ts';
export type { LineReport, OutboxReport } from './line-report.ts';
export { byCommand, type Given, type Report } from './operation.ts';
export type {
  ApplyOutcome,
  BoxAdmin,
  RowFilter,
} from './port.ts';
export type { ProvisionAdmin, ProvisionLine, ProvisionResultReport } from './provision.ts';
export type { ReceiptReport } from './receipts.ts';
export { keptRecoveryKey, recoveryRecipientOf } from './recovery-key.ts';
export { reportFile, type SeparatorChoice } from './report-file.ts';
export type { PersonResultsReport } from './result-shapes.ts';
export { adminRoutes } from './routes.ts';
export type { BoxStatementLine, DeviceStatementLine, Statements, StatementVerdictReport } from './statements.ts';
export { type BoxStatus, type RefusalReport, waitsForPeopleData } from './status.ts';
export type { TerminalPunchReport, TerminalsResultReport } from './terminal-drill.ts';
export { LiveFeed } from './ui/live.ts';
export { monthToClose } from './ui/month-to-close.ts';
export { ownPageRoutes } from './ui/own-page.ts';
export { type AdminOperation, type PageParts, uiRoutes } from './ui/resources.ts';
export { type WearReport, wearReport } from './wear-report.ts';
