import type { OperationContext } from '../domain.ts';
import type { Erasing } from '../people/erasing.ts';
import type { Projection } from '../projection/projection.ts';
import type { RoomKeeper } from './engine.ts';
import type { Retention } from './retention.ts';

/** Arguments of the writer's own operations: those of a domain, and all that they look after. */
export interface WriterContext extends OperationContext {
  readonly projection: Projection;
  readonly retention: Retention;
  readonly erasing: Erasing;
  readonly room: RoomKeeper;
}
