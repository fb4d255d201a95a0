import type { OpenAPIHono } from '@hono/zod-openapi';
import type { StaffAccess } from '../../accounts/index.ts';
import { correctionOperations, corrections } from '../corrections.ts';
import type { AdminEnvironment } from '../guard.ts';
import { historyAdmin, historyOperations } from '../history.ts';
import type { Running } from '../operation.ts';
import type { BoxAdmin } from '../port.ts';
import type { qrOperations } from '../qr.ts';
import type { recordOperations } from '../records.ts';
import type { resources } from '../resources.ts';
import { serve } from '../serve.ts';
import type { siteOperations } from '../site.ts';
import { uploadOperations, uploads } from '../updates.ts';
import { access, accessOperations } from './access.ts';
import { dayOperations, days } from './attendance-days.ts';
import { reportOperations, reports } from './attendance-reports.ts';
import { backupFileOperations, backupFiles } from './backups.ts';
import { boxes, boxOperations } from './boxes.ts';
import { callerOperations, callers } from './callers.ts';
import { certificateOperations, certificatesOf } from './certificates.ts';
import { closedMonthOperations, closedMonths } from './closed-months.ts';
import { commission, commissionOperations } from './commission.ts';
import { dayArrivalOperations, dayArrivalsOf } from './day-arrivals.ts';
import { dayPictureOperations, dayPictures } from './day-picture.ts';
import { deviceBulk, deviceBulkOperations } from './device-bulk.ts';
import { deviceChangeOperations, deviceChanges } from './device-changes.ts';
import { deviceList, deviceListOperations } from './devices.ts';
import { employmentOperations, employments } from './employment.ts';
import { erasureOperations, erasures } from './erasures.ts';
import { ImportTurn } from './import-report.ts';
import { integrations, integrationsOperations } from './integrations.ts';
import { type LiveFeed, type LiveParts, liveRoutes } from './live.ts';
import { logOperations, logs } from './logs.ts';
import { monthReportOperations, monthReports } from './month-reports.ts';
import { ownAccount, ownAccountOperations } from './own-account.ts';
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

/** What the pages alone ask. Its routes are made from this table. */
const pageResources = {
  today: todayOperations,
  dayPicture: dayPictureOperations,
  dayArrivals: dayArrivalOperations,
  history: historyOperations,
  deviceList: deviceListOperations,
  deviceChanges: deviceChangeOperations,
  deviceBulk: deviceBulkOperations,
  boxes: boxOperations,
  peopleData: peopleDataOperations,
  sync: syncOperations,
  days: dayOperations,
  reports: reportOperations,
  monthReports: monthReportOperations,
  closedMonths: closedMonthOperations,
  corrections: correctionOperations,
  access: accessOperations,
  people: peopleOperations,
  employment: employmentOperations,
  schedules: scheduleOperations,
  planPreviews: planPreviewOperations,
  planImport: planImportOperations,
  planGrid: planGridOperations,
  erasures: erasureOperations,
  unknownPeople: unknownPeopleOperations,
  peopleImport: peopleImportOperations,
  peopleChanges: peopleChangeOperations,
  peopleBulk: peopleBulkOperations,
  undoables: undoableOperations,
  integrations: integrationsOperations,
  callers: callerOperations,
  commission: commissionOperations,
  logs: logOperations,
  search: searchOperations,
  overview: overviewOperations,
  certificates: certificateOperations,
  ownAccount: ownAccountOperations,
  backupFiles: backupFileOperations,
  uploads: uploadOperations,
  settings: settingsOperations,
  system: systemOperations,
} as const;
type PageResources = typeof pageResources;

/** What each page asks of a running box beyond the commands: what each of the routes takes. */
export type PageParts = LiveParts & {
  readonly accounts: { readonly access: Pick<StaffAccess, 'isStill'> };
  readonly admin: Pick<BoxAdmin, 'users'>;
} & Parameters<typeof today>[0] &
  Parameters<typeof dayPictures>[0] &
  Parameters<typeof dayArrivalsOf>[0] &
  Parameters<typeof historyAdmin>[0] &
  Parameters<typeof deviceList>[0] &
  Parameters<typeof deviceChanges>[0] &
  Parameters<typeof deviceBulk>[0] &
  Parameters<typeof boxes>[0] &
  Parameters<typeof peopleDataOf>[0] &
  Parameters<typeof sync>[0] &
  Parameters<typeof days>[0] &
  Parameters<typeof reports>[0] &
  Parameters<typeof monthReports>[0] &
  Parameters<typeof closedMonths>[0] &
  Parameters<typeof corrections>[0] &
  Parameters<typeof access>[0] &
  Parameters<typeof people>[0] &
  Parameters<typeof employments>[0] &
  Parameters<typeof schedules>[0] &
  Parameters<typeof planPreviews>[0] &
  Parameters<typeof erasures>[0] &
  Parameters<typeof unknownPeopleOf>[0] &
  Omit<Parameters<typeof peopleImport>[0], 'turn'> &
  Omit<Parameters<typeof planImport>[0], 'turn'> &
  Parameters<typeof planGrid>[0] &
  Parameters<typeof peopleChanges>[0] &
  Parameters<typeof peopleBulk>[0] &
  Parameters<typeof undoables>[0] &
  Parameters<typeof integrations>[0] &
  Parameters<typeof callers>[0] &
  Parameters<typeof commission>[0] &
  Parameters<typeof logs>[0] &
  Parameters<typeof search>[0] &
  Parameters<typeof overview>[0] &
  Parameters<typeof certificatesOf>[0] &
  Omit<Parameters<typeof ownAccount>[0], 'users'> &
  Parameters<typeof backupFiles>[0] &
  Parameters<typeof uploads>[0] &
  Parameters<typeof settings>[0] &
  Parameters<typeof system>[0];

/** The part of the admin API that the pages alone ask, of a box that runs. */
export function uiRoutes(app: OpenAPIHono<AdminEnvironment>, parts: PageParts, feed: LiveFeed): void {
  liveRoutes(app, feed, parts.accounts.access);
  const turn = new ImportTurn();
  const running: { readonly [Name in keyof PageResources]: Running<PageResources[Name]> } = {
    today: today(parts),
    dayPicture: dayPictures(parts),
    dayArrivals: dayArrivalsOf(parts),
    history: historyAdmin(parts),
    deviceList: deviceList(parts),
    deviceChanges: deviceChanges(parts),
    deviceBulk: deviceBulk(parts),
    boxes: boxes(parts),
    peopleData: peopleDataOf(parts),
    sync: sync(parts),
    days: days(parts),
    reports: reports(parts),
    monthReports: monthReports(parts),
    closedMonths: closedMonths(parts),
    corrections: corrections(parts),
    access: access(parts),
    people: people(parts),
    employment: employments(parts),
    schedules: schedules(parts),
    planPreviews: planPreviews(parts),
    planImport: planImport({ ...parts, turn }),
    planGrid: planGrid(parts),
    erasures: erasures(parts),
    unknownPeople: unknownPeopleOf(parts),
    peopleImport: peopleImport({ ...parts, turn }),
    peopleChanges: peopleChanges(parts),
    peopleBulk: peopleBulk(parts),
    undoables: undoables(parts),
    integrations: integrations(parts),
    callers: callers(parts),
    commission: commission(parts),
    logs: logs(parts),
    search: search(parts),
    overview: overview(parts),
    certificates: certificatesOf(parts),
    ownAccount: ownAccount({ users: parts.admin.users, accounts: parts.accounts }),
    backupFiles: backupFiles(parts),
    uploads: uploads(parts),
    settings: settings(parts),
    system: system(parts),
  };
  for (const name of Object.keys(pageResources) as (keyof PageResources)[])
    serve(app, pageResources[name], running[name]);
}

type ValuesOf<Table> = Table[keyof Table];
type OperationsOf<Tables> = Tables extends unknown ? ValuesOf<Tables> : never;

/** Every operation of the admin API: the types of its client come from here. */
export type AdminOperation = OperationsOf<
  | ValuesOf<PageResources>
  | ValuesOf<typeof resources>
  | typeof qrOperations
  | typeof siteOperations
  | typeof recordOperations
>;
