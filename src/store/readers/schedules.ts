import type { ScheduleReads } from '../port/schedules.ts';
import type { Connection } from '../schema/database.ts';
import {
  leaveById,
  namesIn,
  overrideById,
  plansMax,
  ruleById,
  storedEmployments,
  storedLeaves,
  storedOverrides,
  storedRules,
  storedShifts,
} from './plan-rows.ts';

/** Plans as the pages, the reports and the export read them. */
export function scheduleReads(connection: Connection): ScheduleReads {
  const bounded = <Query extends { readonly limit: number }>(query: Query): Query => ({
    ...query,
    limit: Math.min(query.limit, plansMax),
  });
  return {
    shifts: async () => storedShifts(connection),
    rosterRules: async query => storedRules(connection, bounded(query)),
    dayOverrides: async query => storedOverrides(connection, bounded(query)),
    employments: async query => storedEmployments(connection, bounded(query)),
    leaves: async query => storedLeaves(connection, bounded(query)),
    rosterRule: async id => ruleById(connection, id),
    dayOverride: async id => overrideById(connection, id),
    leave: async id => leaveById(connection, id),
    planNames: async ({ departments, people }) => ({
      departments: namesIn(connection, 'department', departments),
      people: namesIn(connection, 'employee', people),
    }),
  };
}
