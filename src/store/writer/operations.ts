import { collectAllGarbage } from '../../runtime/garbage.ts';
import type { OperationContext } from '../domain.ts';
import { domainWrites } from '../domains/index.ts';
import type { RetireReport } from '../domains/room.ts';
import type { Erasing } from '../people/erasing.ts';
import type { EraseReport } from '../port/people.ts';
import type { StoreWrites } from '../port/store.ts';
import type { Projection } from '../projection/projection.ts';
import { applySite } from '../site/apply.ts';
import type { RoomKeeper } from './engine.ts';
import * as bulkChanges from './operations/bulk-changes.ts';
import * as devices from './operations/devices.ts';
import * as organization from './operations/organization.ts';
import type { Retention } from './retention.ts';

/** Arguments of the writer's own operations: those of a domain, and all that they look after. */
export interface WriterContext extends OperationContext {
  readonly projection: Projection;
  readonly retention: Retention;
  readonly erasing: Erasing;
  readonly room: RoomKeeper;
}

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
  ...bulkChanges,
  ...organization,
  applySite,
  retire,
  eraseStep,
  noteClockSet,
  collectGarbage: collectAllGarbage,
};
