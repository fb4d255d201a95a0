import type { OperationContext, Reading, ReadsOf, WritesOf } from '../domain.ts';
import { keepValue, keptValue } from '../schema/meta.ts';

const key = 'month_columns';

/** The month that is handed to payroll. */
export const payroll = {
  reads: ({ connection }: Reading) => ({
    /** Chosen columns; null if nobody has chosen. */
    monthColumns: async (): Promise<readonly string[] | null> => keptValue<string[]>(connection, key) ?? null,
  }),

  writes: {
    /** Which columns the site has chosen; of names that a later version lacks nothing comes. */
    keepMonthColumns: (context: OperationContext, { columns }: { readonly columns: readonly string[] }): void =>
      keepValue(context, key, columns),
  },
};

export type PayrollReads = ReadsOf<typeof payroll>;
export type PayrollWrites = WritesOf<typeof payroll>;
