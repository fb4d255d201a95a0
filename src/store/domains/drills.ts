import type { DrillResult } from '../../platform/drill.ts';
import type { OperationContext, Reading, ReadsOf, WritesOf } from '../domain.ts';
import type { Connection } from '../schema/database.ts';
import { keepValue, keptValue } from '../schema/meta.ts';

const key = 'drill_results';
const keptMax = 20;

const resultsIn = (connection: Pick<Connection, 'sql'>): DrillResult[] => keptValue(connection, key) ?? [];

/** Results of drills (docs/drill.md): one value, since they are few and small. */
export const drills = {
  reads: ({ connection }: Reading) => ({
    /** Newest first. */
    drillResults: async (): Promise<DrillResult[]> => resultsIn(connection),
  }),

  writes: {
    /** Adds it, or replaces the one with the same id. The oldest go: twenty are kept. */
    putDrillResult(context: OperationContext, result: DrillResult): void {
      const others = resultsIn(context).filter(({ id }) => id !== result.id);
      keepValue(context, key, [result, ...others].slice(0, keptMax));
    },
  },
};

export type DrillReads = ReadsOf<typeof drills>;
export type DrillWrites = WritesOf<typeof drills>;
