/** The part of the store's port for the month that is handed to payroll. */

export interface PayrollWrites {
  /** Which columns the site has chosen; of names that a later version lacks nothing comes. */
  keepMonthColumns(input: { readonly columns: readonly string[] }): void;
}

export interface PayrollReads {
  /** Chosen columns; null if nobody has chosen. */
  monthColumns(): Promise<readonly string[] | null>;
}
