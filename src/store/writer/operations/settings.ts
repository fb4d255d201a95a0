import type { StoreWrites } from '../../port/store.ts';
import { siteChoiceKey } from '../../readers/settings.ts';
import type { OperationContext } from '../operation-context.ts';

export function keepSiteChoice(
  { sql, projection }: OperationContext,
  { chosen, timeZone }: Parameters<StoreWrites['keepSiteChoice']>[0],
): void {
  sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value').run(
    siteChoiceKey,
    JSON.stringify(chosen),
  );
  projection.countIn(timeZone);
}
