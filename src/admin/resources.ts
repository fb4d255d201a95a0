import { alertsResource } from './alerts.ts';
import { attendanceResource } from './attendance.ts';
import { auditResource } from './audit.ts';
import { backupsResource } from './backups.ts';
import { closingsResource } from './closings.ts';
import { deviceResource } from './device.ts';
import { devicesResource } from './device-list.ts';
import { diskResource } from './disk.ts';
import { doctorResource } from './doctor.ts';
import { drillResource } from './drill.ts';
import { eventsResource } from './events.ts';
import { fleetResource } from './fleet.ts';
import { grantsResource } from './grants.ts';
import { namingResource } from './naming.ts';
import type { PartsOf, RunningTable } from './operation.ts';
import { parkedResource } from './parked.ts';
import { programsResource } from './programs.ts';
import { provisionResource } from './provision.ts';
import { receiptsResource } from './receipts.ts';
import { scheduleResultsResource } from './schedule-results.ts';
import { servicesResource } from './services.ts';
import { sessionsResource } from './sessions.ts';
import { setupResource } from './setup.ts';
import { statementsResource } from './statements.ts';
import { statusResource } from './status.ts';
import { systemLogResource } from './system-log.ts';
import { tokensResource } from './tokens.ts';
import { updatesResource } from './updates.ts';
import { usersResource } from './users.ts';
import { verificationResource } from './verification.ts';
import { webhooksResource } from './webhooks.ts';

/**
 * Resources that commands and pages both ask of a box, one entry each: routes, client, and what a
 * running and a stopped box answer follow from the resource's own file. Those that the pages alone
 * ask are in `ui/resources.ts`.
 */
export const resources = {
  status: statusResource,
  device: deviceResource,
  devices: devicesResource,
  fleet: fleetResource,
  naming: namingResource,
  attendance: attendanceResource,
  scheduleResults: scheduleResultsResource,
  closings: closingsResource,
  parked: parkedResource,
  alerts: alertsResource,
  receipts: receiptsResource,
  statements: statementsResource,
  services: servicesResource,
  grants: grantsResource,
  sessions: sessionsResource,
  users: usersResource,
  tokens: tokensResource,
  events: eventsResource,
  programs: programsResource,
  webhooks: webhooksResource,
  audit: auditResource,
  disk: diskResource,
  provision: provisionResource,
  setup: setupResource,
  systemLog: systemLogResource,
  doctor: doctorResource,
  drill: drillResource,
  updates: updatesResource,
  backups: backupsResource,
  verification: verificationResource,
} as const;

export type Resources = RunningTable<typeof resources>;
/** Parts that a running box hands to them. */
export type RunningParts = PartsOf<typeof resources, 'running'>;
/** The same of a stopped one. */
export type StoppedParts = PartsOf<typeof resources, 'stopped'>;
