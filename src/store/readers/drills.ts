import type { DrillResult } from '../../platform/drill.ts';
import type { DrillReads } from '../port/drills.ts';
import type { Connection } from '../schema/database.ts';

export const drillResultsKey = 'drill_results';

/** Newest first; read and written as one value, since they are few and small. */
export function drillResults({ sql }: Pick<Connection, 'sql'>): DrillResult[] {
  const row = sql('SELECT value FROM meta WHERE key = ?').get(drillResultsKey) as { value: string } | undefined;
  return row ? (JSON.parse(row.value) as DrillResult[]) : [];
}

export const drillReads = (connection: Connection): DrillReads => ({
  drillResults: async () => drillResults(connection),
});
