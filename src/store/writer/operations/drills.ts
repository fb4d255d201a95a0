import type { StoreWrites } from '../../port/store.ts';
import { drillResults, drillResultsKey } from '../../readers/drills.ts';
import type { OperationContext } from '../operation-context.ts';

const keptMax = 20;

export function putDrillResult(context: OperationContext, result: Parameters<StoreWrites['putDrillResult']>[0]): void {
  const others = drillResults(context).filter(({ id }) => id !== result.id);
  const kept = [result, ...others].slice(0, keptMax);
  context
    .sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value')
    .run(drillResultsKey, JSON.stringify(kept));
}
