import { expect } from 'vitest';
import type { PayrollWrites } from '../../../src/store/index.ts';
import type { Cases } from './case.ts';

export const payrollCases: Cases<PayrollWrites> = {
  keepMonthColumns: async ({ store }) => {
    expect(await store.read.monthColumns()).toBeNull();
    await store.write.keepMonthColumns({ columns: ['name', 'worked'] });
    await store.write.keepMonthColumns({ columns: ['name', 'late'] });
    expect(await store.read.monthColumns()).toEqual(['name', 'late']);
  },
};
