import type { StoreWrites } from '../../port/store.ts';
import { siteChoiceKey } from '../../readers/settings.ts';
import type { OperationContext } from '../operation-context.ts';

export function keepSiteChoice(
  { sql, projection }: OperationContext,
  { chosen, timeZone }: Parameters<StoreWrites['keepSiteChoice']>[0],
): void {
  sql('INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)').run(siteChoiceKey, JSON.stringify(chosen));
  projection.countIn(timeZone);
}
