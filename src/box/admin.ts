import {
  type BoxAdmin,
  Disk,
  type Drills,
  type EventSource,
  runningAdmin,
  type Statements,
  wearReport,
} from '../admin/index.ts';
import type { Alerts } from '../alerts/index.ts';
import type { Attendance, AttendanceResults, MonthClosings, ReportsThread } from '../attendance/index.ts';
import type { Backups } from '../backups/index.ts';
import { namingOf } from '../config/index.ts';
import type { Provisioning, SiteDevices } from '../provisioning/index.ts';
import type { Services } from '../services/index.ts';
import type { Seq } from '../store/index.ts';
import type { Updates } from '../updates/index.ts';
import type { Doctor } from './doctor.ts';
import type { Gateways } from './gateways.ts';
import type { Storage } from './storage.ts';
import { deviceLineReport, lineReport, upstreamConfig } from './uplink.ts';
import { warningsOf } from './warnings.ts';

interface AdminParts {
  readonly alerts: Alerts;
  readonly backups: Backups | null;
  readonly attendance: Attendance;
  readonly results: AttendanceResults;
  readonly reports: ReportsThread;
  readonly closings: MonthClosings;
  readonly services: Services;
  readonly siteDevices: SiteDevices;
  readonly provisioning: Provisioning;
  readonly updates: Updates;
  readonly statements: Statements;
  readonly drills: Drills;
  readonly events: EventSource;
  readonly doctor: Doctor;
  resetAll(): Promise<boolean>;
}

/** The operations of the running box, for the commands, the admin API and the pages. */
export function openAdmin(
  { config, store, files, flush, clock, time, hashStrength, certificates, systemLog }: Storage,
  { devices, upstream }: Gateways,
  parts: AdminParts,
): BoxAdmin {
  return runningAdmin({
    live: {
      standsAlone: upstreamConfig(config) === null,
      standing: async () => (await parts.alerts.standing()).list,
      line: async () => lineReport(await upstream.status()),
      deviceLine: device => deviceLineReport(upstream.deviceUplink(device.deviceNo)),
      isOnline: device => devices.isOnline(device.deviceNo),
      devices: () => devices.status(),
      database: () => store.databaseWarnings(),
      warnings: () => warningsOf(config, devices, upstream, certificates, time, flush),
      flushMs: flush?.ms ?? null,
      wear: () => wearReport(store.wear(), config.storage.endurance_tb),
      attendance: parts.attendance,
      backups: parts.backups,
    },
    ...parts,
    ...{ store, config, clock, hashStrength, systemLog, site: config.site },
    naming: () => namingOf(config),
    production: config.environment === 'production',
    writing: act => act(store.write),
    sendAgain: seq => upstream.sendAgain(seq as Seq | null),
    disk: new Disk({
      store,
      clock,
      dataDir: config.data_dir,
      files: files.folder,
      removeFiles: before => parts.services.removeOldFiles(before),
    }),
  });
}
