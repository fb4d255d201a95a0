import type { StoreWrites } from '../../port/store.ts';
import { monthColumnsKey } from '../../readers/payroll.ts';
import type { OperationContext } from '../operation-context.ts';

export function keepMonthColumns(
  { sql }: OperationContext,
  { columns }: Parameters<StoreWrites['keepMonthColumns']>[0],
): void {
  sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value').run(
    monthColumnsKey,
    JSON.stringify(columns),
  );
}
