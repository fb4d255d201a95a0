import type { OpenAPIHono } from '@hono/zod-openapi';
import type { OwnPageAccess, StaffAccess } from '../../accounts/index.ts';
import { correctionOperations, corrections } from '../corrections.ts';
import type { AdminEnvironment } from '../guard.ts';
import { historyAdmin, historyOperations } from '../history.ts';
import { type AnyOperation, type PartsOf, resource, runningOf } from '../operation.ts';
import type { BoxAdmin } from '../port.ts';
import { qrOperations } from '../qr.ts';
import { recordOperations } from '../records.ts';
import { resources } from '../resources.ts';
import { serve } from '../serve.ts';
import { siteOperations } from '../site.ts';
import { uploadOperations, uploads } from '../updates.ts';
import { access, accessOperations } from './access.ts';
import { dayOperations, days } from './attendance-days.ts';
import { monthRecords, reportOperations } from './attendance-reports.ts';
import { audit, auditOperations } from './audit.ts';
import { auditedActions } from './audited-actions.ts';
import { backupFileOperations, backupFiles } from './backups.ts';
import { boxes, boxOperations } from './boxes.ts';
import { broker, brokerOperations } from './broker.ts';
import { callerOperations, callers } from './callers.ts';
import { certificateOperations, certificatesOf } from './certificates.ts';
import { closedMonthOperations, closedMonths } from './closed-months.ts';
import { cloudConnection, cloudConnectionOperations } from './cloud-connection.ts';
import { commission, commissionOperations } from './commission.ts';
import { dailyReportOperations, dailyReportsAdmin } from './daily-reports.ts';
import { dayArrivalOperations, dayArrivalsOf } from './day-arrivals.ts';
import { dayPictureOperations, dayPictures } from './day-picture.ts';
import { dayStatuses, dayStatusOperations } from './day-status.ts';
import { deviceBulk, deviceBulkOperations } from './device-bulk.ts';
import { deviceChangeOperations, deviceChanges } from './device-changes.ts';
import { deviceList, deviceListOperations } from './devices.ts';
import { employmentOperations, employments } from './employment.ts';
import { erasureOperations, erasures } from './erasures.ts';
import { ImportSlot } from './import-report.ts';
import { integrations, integrationsOperations } from './integrations.ts';
import { type LiveFeed, type LiveParts, liveRoutes } from './live.ts';
import { logOperations, logs } from './logs.ts';
import { monthFigureOperations, monthFiguresOf } from './month-figures.ts';
import { monthReportOperations, monthReports } from './month-reports.ts';
import { ownAccess, ownAccessOperations } from './own-access.ts';
import { ownAccount, ownAccountOperations } from './own-account.ts';
import { networkOf, ownNetworkOperations } from './own-network.ts';
import { ownPageOperations } from './own-page.ts';
import { peopleBulk, peopleBulkOperations } from './people-bulk.ts';
import { peopleChangeOperations, peopleChanges } from './people-changes.ts';
import { peopleDataOf, peopleDataOperations } from './people-data.ts';
import { peopleImport, peopleImportOperations } from './people-import.ts';
import { people, peopleOperations } from './people-lists.ts';
import { planGrid, planGridOperations } from './plan-grid.ts';
import { planImport, planImportOperations } from './plan-import.ts';
import { planPreviewOperations, planPreviews } from './plan-previews.ts';
import { scheduleOperations, schedules } from './schedules.ts';
import { search, searchOperations } from './search.ts';
import { settings, settingsOperations } from './settings.ts';
import { sync, syncOperations } from './sync.ts';
import { system, systemOperations } from './system.ts';
import { overview, overviewOperations } from './system-overview.ts';
import { today, todayOperations } from './today.ts';
import { undoableOperations, undoables } from './undoable.ts';
import { unknownPeopleOf, unknownPeopleOperations } from './unknown-people.ts';

/**
 * Resources that the pages alone ask of a running box, one entry each: what it answers and what
 * runs it.
 */
const pageResources = {
  today: resource(todayOperations, today),
  dayPicture: resource(dayPictureOperations, dayPictures),
  dayArrivals: resource(dayArrivalOperations, dayArrivalsOf),
  history: resource(historyOperations, historyAdmin),
  deviceList: resource(deviceListOperations, deviceList),
  deviceChanges: resource(deviceChangeOperations, deviceChanges),
  deviceBulk: resource(deviceBulkOperations, deviceBulk),
  boxes: resource(boxOperations, boxes),
  peopleData: resource(peopleDataOperations, peopleDataOf),
  sync: resource(syncOperations, sync),
  days: resource(dayOperations, days),
  dayStatus: resource(dayStatusOperations, dayStatuses),
  dailyReports: resource(dailyReportOperations, dailyReportsAdmin),
  reports: resource(reportOperations, monthRecords),
  monthReports: resource(monthReportOperations, monthReports),
  monthFigures: resource(monthFigureOperations, monthFiguresOf),
  closedMonths: resource(closedMonthOperations, closedMonths),
  corrections: resource(correctionOperations, corrections),
  access: resource(accessOperations, access),
  people: resource(peopleOperations, people),
  employment: resource(employmentOperations, employments),
  schedules: resource(scheduleOperations, schedules),
  planPreviews: resource(planPreviewOperations, planPreviews),
  planImport: resource(planImportOperations, planImport),
  planGrid: resource(planGridOperations, planGrid),
  erasures: resource(erasureOperations, erasures),
  unknownPeople: resource(unknownPeopleOperations, unknownPeopleOf),
  peopleImport: resource(peopleImportOperations, peopleImport),
  peopleChanges: resource(peopleChangeOperations, peopleChanges),
  peopleBulk: resource(peopleBulkOperations, peopleBulk),
  undoables: resource(undoableOperations, undoables),
  integrations: resource(integrationsOperations, integrations),
  callers: resource(callerOperations, callers),
  commission: resource(commissionOperations, commission),
  audit: resource(auditOperations, audit),
  logs: resource(logOperations, logs),
  search: resource(searchOperations, search),
  overview: resource(overviewOperations, overview),
  certificates: resource(certificateOperations, certificatesOf),
  ownAccess: resource(ownAccessOperations, ownAccess),
  ownAccount: resource(ownAccountOperations, ownAccount),
  backupFiles: resource(backupFileOperations, backupFiles),
  uploads: resource(uploadOperations, uploads),
  ownNetwork: resource(ownNetworkOperations, networkOf),
  settings: resource(settingsOperations, settings),
  broker: resource(brokerOperations, broker),
  cloudConnection: resource(cloudConnectionOperations, cloudConnection),
  system: resource(systemOperations, system),
} as const;
type PageResources = typeof pageResources;

/** Parts that a running box hands to the pages beyond those of the commands. */
export type PageParts = LiveParts &
  Omit<PartsOf<PageResources, 'running'>, 'slot' | 'users' | 'audited'> & {
    readonly accounts: { readonly access: Pick<StaffAccess, 'isStill'>; readonly ownPages: OwnPageAccess };
    readonly admin: Pick<BoxAdmin, 'users'>;
  };

/** The part of the admin API that the pages alone ask, of a box that runs. */
export function uiRoutes(app: OpenAPIHono<AdminEnvironment>, parts: PageParts, feed: LiveFeed): void {
  liveRoutes(app, feed, parts.accounts.access);
  const tables = [...Object.values(resources), ...Object.values(pageResources)].map(({ operations }) => operations);
  const operations = [...tables, ownPageOperations, siteOperations, recordOperations, qrOperations];
  const audited = auditedActions(operations.flatMap((one): AnyOperation[] => Object.values(one)));
  const running = runningOf(pageResources, { ...parts, slot: new ImportSlot(), users: parts.admin.users, audited });
  for (const name of Object.keys(pageResources) as (keyof PageResources)[])
    serve(app, pageResources[name].operations, running[name] as never);
}

type ValuesOf<Table> = Table[keyof Table];
type OperationsOf<Tables> = Tables extends unknown ? ValuesOf<Tables> : never;

/** Every operation of the admin API: the types of its client come from here. */
export type AdminOperation = OperationsOf<
  | ValuesOf<PageResources>['operations']
  | ValuesOf<typeof resources>['operations']
  | typeof qrOperations
  | typeof siteOperations
  | typeof ownPageOperations
  | typeof recordOperations
>;
