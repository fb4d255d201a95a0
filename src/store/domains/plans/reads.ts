import type { DateText, Shift } from '../../../platform/shifts.ts';
import type { Reading } from '../../domain.ts';
import type { Connection } from '../../schema/database.ts';
import type { DayOverride, Employment, Leave, LeaveRow, PlanTarget, RosterRule } from './tables.ts';

/**
 * Plans between their rows and their types. Hand-written SQL: the writer and the site file read
 * them too.
 */

/** The most that one read of the port returns: whoever wants all asks again with `after`. */
export const plansMax = 10_000;
const withoutLimit = Number.MAX_SAFE_INTEGER;

export const kindAndId = (target: PlanTarget): [kind: PlanTarget['kind'], id: string] => [
  target.kind,
  target.kind === 'site' ? '' : target.extId,
];

interface TargetColumns {
  target_kind: PlanTarget['kind'];
  target_id: string;
}

const targetOf = ({ target_kind: kind, target_id: extId }: TargetColumns): PlanTarget =>
  kind === 'site' ? { kind } : { kind, extId };

/** A `Shift` without what has a column of its own. */
export const planOf = ({ code: _code, name: _name, validFrom: _validFrom, ...plan }: Shift): string =>
  JSON.stringify(plan);

/** The newest of each code and date, in that order. */
export const storedShifts = ({ sql }: Pick<Connection, 'sql'>): Shift[] =>
  (
    sql(
      `SELECT code, name, valid_from, plan FROM shift_version
        WHERE id IN (SELECT max(id) FROM shift_version GROUP BY code, valid_from) ORDER BY code, valid_from`,
    ).all() as { code: string; name: string; valid_from: string; plan: string }[]
  ).map(({ code, name, valid_from: validFrom, plan }) => ({ code, name, validFrom, ...JSON.parse(plan) }));

interface RuleRow extends TargetColumns {
  id: number;
  cycle: string;
  anchor: string;
  from_date: string;
  to_date: string | null;
  recorded_at: number;
  recorded_by: string;
}

const ruleOf = (row: RuleRow): RosterRule => ({
  id: row.id,
  target: targetOf(row),
  cycle: JSON.parse(row.cycle),
  anchor: row.anchor,
  from: row.from_date,
  to: row.to_date,
  recordedAt: row.recorded_at,
  recordedBy: row.recorded_by,
});

/** Every date lies between these. */
const always = { from: '0000-01-01', to: '9999-12-31' } as const;

/** People as the last parameter of a query: JSON of their ids, or null for everybody. */
const among = "(target_kind <> 'person' OR target_id IN (SELECT value FROM json_each(?3)) OR ?3 IS NULL)";
interface Span {
  readonly from?: string;
  readonly to?: string;
  readonly people?: readonly string[];
  /** Only what has a higher id, in the order of ids. */
  readonly after?: number | undefined;
  /** Absent: all. */
  readonly limit?: number;
}
const parameters = ({ from, to, people, limit, after }: Span) =>
  [
    from ?? always.from,
    to ?? always.to,
    people === undefined ? null : JSON.stringify(people),
    limit ?? withoutLimit,
    after ?? null,
  ] as const;
const behind = '(id > ?5 OR ?5 IS NULL)';
const inOrder = ({ after }: Span, order: string): string => `ORDER BY ${after === undefined ? order : 'id'} LIMIT ?4`;

export const storedRules = ({ sql }: Pick<Connection, 'sql'>, query: Span): RosterRule[] =>
  (
    sql(
      `SELECT * FROM roster_rule WHERE from_date <= ?2 AND (to_date IS NULL OR to_date >= ?1) AND ${among}
          AND ${behind} ${inOrder(query, 'recorded_at, id')}`,
    ).all(...parameters(query)) as unknown as RuleRow[]
  ).map(ruleOf);

const ruleById = ({ sql }: Pick<Connection, 'sql'>, id: number): RosterRule | null => {
  const row = sql('SELECT * FROM roster_rule WHERE id = ?').get(id) as unknown as RuleRow | undefined;
  return row ? ruleOf(row) : null;
};

interface OverrideRow extends TargetColumns {
  id: number;
  date: string;
  what: DayOverride['what']['kind'];
  weekday: number | null;
  code: string | null;
  reason: string;
}

const whatOf = ({ what, weekday, code }: OverrideRow): DayOverride['what'] =>
  what === 'makeup'
    ? { kind: what, weekday: weekday ?? 1 }
    : what === 'shift'
      ? { kind: what, code: code ?? '' }
      : { kind: what };

const overrideOf = (row: OverrideRow): DayOverride => ({
  id: row.id,
  date: row.date,
  target: targetOf(row),
  what: whatOf(row),
  reason: row.reason,
});

export const storedOverrides = ({ sql }: Pick<Connection, 'sql'>, query: Span): DayOverride[] =>
  (
    sql(
      `SELECT * FROM day_override WHERE date BETWEEN ?1 AND ?2 AND ${among} AND ${behind} ${inOrder(query, 'date, id')}`,
    ).all(...parameters(query)) as unknown as OverrideRow[]
  ).map(overrideOf);

const overrideById = ({ sql }: Pick<Connection, 'sql'>, id: number): DayOverride | null => {
  const row = sql('SELECT * FROM day_override WHERE id = ?').get(id) as unknown as OverrideRow | undefined;
  return row ? overrideOf(row) : null;
};

export const storedEmployments = (
  { sql }: Pick<Connection, 'sql'>,
  { people, limit }: { readonly people?: readonly string[]; readonly limit: number },
): Employment[] =>
  sql(
    `SELECT ext_id AS extId, from_date AS "from", to_date AS "to", earlier FROM employment
      WHERE ext_id IN (SELECT value FROM json_each(?1)) OR ?1 IS NULL ORDER BY ext_id LIMIT ?2`,
  )
    .all(people === undefined ? null : JSON.stringify(people), limit)
    .map(row => ({ ...row, earlier: JSON.parse(String(row.earlier)) }) as unknown as Employment);

interface LeaveColumns {
  id: number;
  ext_id: string;
  from_time: string;
  to_time: string;
  kind: string;
  paid: number;
  state: LeaveRow['state'];
  reason: string;
  recorded_at: number;
  recorded_by: string;
  decided_at: number | null;
  decided_by: string | null;
}

const leaveOf = (row: LeaveColumns): LeaveRow => ({
  id: row.id,
  extId: row.ext_id,
  from: row.from_time,
  to: row.to_time,
  kind: row.kind,
  paid: row.paid === 1,
  state: row.state,
  reason: row.reason,
  recordedAt: row.recorded_at,
  recordedBy: row.recorded_by,
  decidedAt: row.decided_at,
  decidedBy: row.decided_by,
});

/** A leave touches a span of dates if it begins before its end, and ends after its start. */
const storedLeaves = (
  { sql }: Pick<Connection, 'sql'>,
  { state, ...query }: Span & { readonly state?: LeaveRow['state'] },
): LeaveRow[] =>
  (
    sql(
      `SELECT * FROM leave WHERE to_time > ?1 || 'T00:00' AND from_time < ?2 || 'T24:00'
          AND (ext_id IN (SELECT value FROM json_each(?3)) OR ?3 IS NULL) AND (state = ?6 OR ?6 IS NULL)
          AND ${behind} ${inOrder(query, 'from_time, id')}`,
    ).all(...parameters(query), state ?? null) as unknown as LeaveColumns[]
  ).map(leaveOf);

export const leaveById = ({ sql }: Pick<Connection, 'sql'>, id: number): LeaveRow | null => {
  const row = sql('SELECT * FROM leave WHERE id = ?').get(id) as unknown as LeaveColumns | undefined;
  return row ? leaveOf(row) : null;
};

/** Names by external id. */
const namesIn = (
  { sql }: Pick<Connection, 'sql'>,
  table: 'department' | 'employee',
  ids: readonly string[],
): Map<string, string> =>
  new Map(
    (
      sql(`SELECT ext_id, name FROM ${table} WHERE ext_id IN (SELECT value FROM json_each(?))`).all(
        JSON.stringify(ids),
      ) as { ext_id: string; name: string }[]
    ).map(({ ext_id: extId, name }) => [extId, name]),
  );

/** A span of dates, both inclusive; absent: all. */
interface PlanQuery {
  readonly from?: DateText;
  readonly to?: DateText;
  /**
   * Of persons only these, at most 1000; absent: all. What holds for departments is always in it.
   */
  readonly people?: readonly string[];
  /** Only what has a higher id, in the order of ids: how all of it is read, page by page. */
  readonly after?: number | undefined;
  /** At most 10,000 are returned, whatever is asked. */
  readonly limit: number;
}

/** Plans as the pages, the reports and the export read them. */
export function reads({ connection }: Reading) {
  const bounded = <Query extends { readonly limit: number }>(query: Query): Query => ({
    ...query,
    limit: Math.min(query.limit, plansMax),
  });
  return {
    /** Every version, by code and date. */
    shifts: async (): Promise<Shift[]> => storedShifts(connection),
    /** In the order of `recordedAt`, then `id` (without `after`): of equals the last one counts. */
    rosterRules: async (query: PlanQuery): Promise<RosterRule[]> => storedRules(connection, bounded(query)),
    /** By date. */
    dayOverrides: async (query: PlanQuery): Promise<DayOverride[]> => storedOverrides(connection, bounded(query)),
    /** Of people with a first or a last day, by external id. */
    employments: async (query: { people?: readonly string[]; limit: number }): Promise<Employment[]> =>
      storedEmployments(connection, bounded(query)),
    /** Those that touch the span, in any state unless one is asked for, by start. */
    leaves: async (query: PlanQuery & { readonly state?: Leave['state'] }): Promise<LeaveRow[]> =>
      storedLeaves(connection, bounded(query)),
    /** Rule; null if there is none of this id. */
    rosterRule: async (id: number): Promise<RosterRule | null> => ruleById(connection, id),
    dayOverride: async (id: number): Promise<DayOverride | null> => overrideById(connection, id),
    leave: async (id: number): Promise<LeaveRow | null> => leaveById(connection, id),
    /** Names by external id; ids that name nothing are left out. */
    planNames: async ({
      departments,
      people,
    }: {
      departments: readonly string[];
      people: readonly string[];
    }): Promise<{ departments: Map<string, string>; people: Map<string, string> }> => ({
      departments: namesIn(connection, 'department', departments),
      people: namesIn(connection, 'employee', people),
    }),
  };
}
