import { alertOperations } from './alerts.ts';
import { attendanceOperations } from './attendance.ts';
import { auditOperations } from './audit.ts';
import { backupOperations } from './backups.ts';
import { closingOperations } from './closings.ts';
import { deviceOperations } from './device.ts';
import { deviceListOperations } from './device-list.ts';
import { diskOperations } from './disk.ts';
import { doctorOperations } from './doctor.ts';
import { drillOperations } from './drill.ts';
import { eventOperations } from './events.ts';
import { fleetOperations } from './fleet.ts';
import { grantOperations } from './grants.ts';
import { namingOperations } from './naming.ts';
import type { Running } from './operation.ts';
import { parkedOperations } from './parked.ts';
import { programOperations } from './programs.ts';
import { provisionOperations } from './provision.ts';
import { receiptOperations } from './receipts.ts';
import { scheduleResultOperations } from './schedule-results.ts';
import { serviceOperations } from './services.ts';
import { sessionOperations } from './sessions.ts';
import { setupOperations } from './setup.ts';
import { statementOperations } from './statements.ts';
import { statusOperations } from './status.ts';
import { tokenOperations } from './tokens.ts';
import { updateOperations } from './updates.ts';
import { userOperations } from './users.ts';
import { verificationOperations } from './verification.ts';
import { webhookOperations } from './webhooks.ts';

/**
 * What commands and pages both ask of a box. Its routes and its client are made from this table.
 */
export const resources = {
  status: statusOperations,
  device: deviceOperations,
  devices: deviceListOperations,
  fleet: fleetOperations,
  naming: namingOperations,
  attendance: attendanceOperations,
  scheduleResults: scheduleResultOperations,
  closings: closingOperations,
  parked: parkedOperations,
  alerts: alertOperations,
  receipts: receiptOperations,
  statements: statementOperations,
  services: serviceOperations,
  grants: grantOperations,
  sessions: sessionOperations,
  users: userOperations,
  tokens: tokenOperations,
  events: eventOperations,
  programs: programOperations,
  webhooks: webhookOperations,
  audit: auditOperations,
  disk: diskOperations,
  provision: provisionOperations,
  setup: setupOperations,
  doctor: doctorOperations,
  drill: drillOperations,
  updates: updateOperations,
  backups: backupOperations,
  verification: verificationOperations,
} as const;

export type Resources = { readonly [Name in keyof typeof resources]: Running<(typeof resources)[Name]> };
