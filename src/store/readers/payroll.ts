import { eq } from 'drizzle-orm';
import type { PayrollReads } from '../port/payroll.ts';
import type { Connection } from '../schema/database.ts';
import { meta } from '../schema/index.ts';
import { query } from '../schema/query.ts';

export const monthColumnsKey = 'month_columns';

export function payrollReads({ orm }: Connection): PayrollReads {
  const kept = query(() => orm.select().from(meta).where(eq(meta.key, monthColumnsKey)));
  return {
    async monthColumns() {
      const row = kept.get();
      return row ? (JSON.parse(row.value) as string[]) : null;
    },
  };
}
