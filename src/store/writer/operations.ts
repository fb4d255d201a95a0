import { collectAllGarbage } from '../../runtime/garbage.ts';
import { domainWrites } from '../domains/index.ts';
import type { RetireReport } from '../domains/room.ts';
import type { EraseReport } from '../port/people.ts';
import type { StoreWrites } from '../port/store.ts';
import { applySite } from './operations/apply-site.ts';
import * as bulkDevices from './operations/bulk-devices.ts';
import * as bulkPeople from './operations/bulk-people.ts';
import * as devices from './operations/devices.ts';
import * as organization from './operations/organization.ts';
import * as organizationWrites from './operations/organization-writes.ts';
import type { WriterContext } from './writer-context.ts';

function retire({ retention, projection, room }: WriterContext, { now }: { now: number }): RetireReport {
  room.sample(now);
  return retention.retire(now, projection.seq);
}

const noteClockSet = ({ projection }: WriterContext): void => projection.clockWasSet();

const eraseStep = ({ erasing, projection }: WriterContext, { now }: { now: number }): EraseReport =>
  erasing.step(now, projection.seq);

/**
 * The operations of the writer thread, by name; the port's StoreWrites types them and the proxy.
 */
export const operations: {
  readonly [K in keyof StoreWrites]: (
    context: WriterContext,
    input: Parameters<StoreWrites[K]>[0],
  ) => ReturnType<StoreWrites[K]>;
} = {
  ...domainWrites,
  ...devices,
  ...bulkDevices,
  ...bulkPeople,
  ...organization,
  ...organizationWrites,
  applySite,
  retire,
  eraseStep,
  noteClockSet,
  collectGarbage: collectAllGarbage,
};
