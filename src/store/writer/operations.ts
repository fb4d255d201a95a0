import { collectAllGarbage } from '../../runtime/garbage.ts';
import type { EraseReport } from '../port/people.ts';
import type { RetireReport } from '../port/retention.ts';
import type { StoreWrites } from '../port/store.ts';
import type { OperationContext } from './operation-context.ts';
import * as accounts from './operations/accounts.ts';
import * as alerts from './operations/alerts.ts';
import { applySite } from './operations/apply-site.ts';
import * as backups from './operations/backups.ts';
import { receiveBatch } from './operations/batch.ts';
import * as bulkDevices from './operations/bulk-devices.ts';
import * as bulkPeople from './operations/bulk-people.ts';
import * as corrections from './operations/corrections.ts';
import * as devices from './operations/devices.ts';
import { putDrillResult } from './operations/drills.ts';
import { noteBoxHeard } from './operations/fleet.ts';
import * as forwarding from './operations/forwarding.ts';
import { noteMinute } from './operations/history.ts';
import * as inbox from './operations/inbox.ts';
import * as mirror from './operations/mirror.ts';
import * as mirrorRecords from './operations/mirror-records.ts';
import { deleteMissingAtCloud, showMissingAtCloud } from './operations/missing-at-cloud.ts';
import * as organization from './operations/organization.ts';
import * as organizationWrites from './operations/organization-writes.ts';
import * as payroll from './operations/payroll.ts';
import * as periods from './operations/periods.ts';
import * as provisioning from './operations/provisioning.ts';
import * as schedules from './operations/schedules.ts';
import * as services from './operations/services.ts';
import { keepSiteChoice } from './operations/settings.ts';
import * as staff from './operations/staff.ts';
import * as webhooks from './operations/webhooks.ts';

function retire({ retention, projection, room }: OperationContext, { now }: { now: number }): RetireReport {
  room.sample(now);
  return retention.retire(now, projection.seq);
}

const noteClockSet = ({ projection }: OperationContext): void => projection.clockWasSet();

const eraseStep = ({ erasing, projection }: OperationContext, { now }: { now: number }): EraseReport =>
  erasing.step(now, projection.seq);

/**
 * The operations of the writer thread, by name; the port's StoreWrites types them and the proxy.
 */
export const operations: {
  readonly [K in keyof StoreWrites]: (
    context: OperationContext,
    input: Parameters<StoreWrites[K]>[0],
  ) => ReturnType<StoreWrites[K]>;
} = {
  ...devices,
  ...bulkDevices,
  ...bulkPeople,
  ...inbox,
  ...forwarding,
  ...organization,
  ...mirror,
  ...mirrorRecords,
  deleteMissingAtCloud,
  showMissingAtCloud,
  ...organizationWrites,
  ...corrections,
  ...payroll,
  ...periods,
  ...accounts,
  ...alerts,
  ...backups,
  ...webhooks,
  ...services,
  ...provisioning,
  ...schedules,
  ...staff,
  keepSiteChoice,
  putDrillResult,
  receiveBatch,
  noteBoxHeard,
  noteMinute,
  applySite,
  retire,
  eraseStep,
  noteClockSet,
  collectGarbage: collectAllGarbage,
};
