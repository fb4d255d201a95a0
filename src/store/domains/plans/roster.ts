import { cycleProblems, type PlanProblem, type Shift, versionsByCode } from '../../../platform/shifts.ts';
import { mondayOf, weekdayOf } from '../../../runtime/calendar-date.ts';
import { planErrors } from '../../../words/plans.ts';
import type { Connection } from '../../schema/database.ts';
import { kindAndId, planOf, plansMax, storedOverrides, storedRules, storedShifts } from './reads.ts';
import type { DayOverride, PlanOutcome, PlanTarget, Recorded, RosterRule } from './tables.ts';

export const done: PlanOutcome = { ok: true, value: null };
export const refused = (
  ...problems: readonly PlanProblem[]
): { readonly ok: false; problems: readonly PlanProblem[] } => ({
  ok: false,
  problems,
});

type NewRule = Omit<RosterRule, 'id' | 'recordedAt' | 'recordedBy'>;

/** Shifts, rosters and single days in the writer thread, with the rules between them. */
export class Plans {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  putShift(shift: Shift, { at, by }: Recorded): PlanOutcome {
    const known = storedShifts(this.#connection).filter(
      one => one.code !== shift.code || one.validFrom !== shift.validFrom,
    );
    if (known.length >= plansMax)
      return refused({ path: ['code'], ...planErrors.say('too_many_shifts', { max: plansMax }) });
    const versions = versionsByCode([...known, shift]);
    for (const { target, cycle, from, to } of this.#rules()) {
      if (!cycle.includes(shift.code)) continue;
      const [problem] = cycleProblems(cycle, { from, to }, versions);
      if (problem)
        return refused({
          ...problem,
          path: ['segments'],
          reason: `in the assignment of ${targetWords(target)} from ${from}, ${problem.reason}`,
        });
    }
    this.writeShift(shift, { at, by });
    return done;
  }

  /** Without a check: for a site file, whose rosters are read before anything is written. */
  writeShift(shift: Shift, { at, by }: Recorded): void {
    this.#connection
      .sql(
        'INSERT INTO shift_version (code, name, valid_from, plan, recorded_at, recorded_by) VALUES (?, ?, ?, ?, ?, ?)',
      )
      .run(shift.code, shift.name, shift.validFrom, planOf(shift), at, by);
  }

  removeShift(code: string): PlanOutcome {
    const rule = this.#rules().find(({ cycle }) => cycle.includes(code));
    if (rule)
      return refused({
        path: ['code'],
        ...planErrors.say('shift_in_roster', { ...whoOf(rule.target), from: rule.from }),
      });
    const day = storedOverrides(this.#connection, {}).find(({ what }) => what.kind === 'shift' && what.code === code);
    if (day)
      return refused({
        path: ['code'],
        ...planErrors.say('shift_in_calendar', { ...whoOf(day.target), date: day.date }),
      });
    this.#connection.sql('DELETE FROM shift_version WHERE code = ?').run(code);
    return done;
  }

  putRule(id: number | null, rule: NewRule, recorded: Recorded): PlanOutcome<number> {
    const problems = [
      ...this.#targetProblems(rule.target),
      ...cycleProblems(rule.cycle, rule, versionsByCode(storedShifts(this.#connection))),
    ];
    if (problems.length > 0) return refused(...problems);
    const known = this.ruleOf(rule.target, rule.from);
    if (known !== null && known !== id)
      return refused({
        path: ['from'],
        ...planErrors.say('has_roster', { ...whoOf(rule.target), from: rule.from }),
      });
    if (id !== null && !this.#connection.sql('SELECT 1 FROM roster_rule WHERE id = ?').get(id))
      return refused({ path: ['id'], ...planErrors.say('no_such_roster') });
    return { ok: true, value: this.writeRule(id, rule, recorded) };
  }

  /** Without a check. A rule that is changed keeps its place among its equals. */
  writeRule(id: number | null, rule: NewRule, { at, by }: Recorded): number {
    const { sql } = this.#connection;
    const isWeek = rule.cycle.length === 7 && weekdayOf(rule.anchor) === 1;
    const anchor = isWeek ? mondayOf(rule.from) : rule.anchor;
    const columns = [...kindAndId(rule.target), JSON.stringify(rule.cycle), anchor, rule.from, rule.to] as const;
    if (id === null)
      return (
        sql(
          'INSERT INTO roster_rule (target_kind, target_id, cycle, anchor, from_date, to_date, recorded_at, recorded_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id',
        ).get(...columns, at, by) as { id: number }
      ).id;
    sql(
      'UPDATE roster_rule SET target_kind = ?, target_id = ?, cycle = ?, anchor = ?, from_date = ?, to_date = ?, recorded_by = ? WHERE id = ?',
    ).run(...columns, by, id);
    return id;
  }

  putOverride(override: Omit<DayOverride, 'id'>, recorded: Recorded): PlanOutcome<number> {
    const { what, target } = override;
    const isKnown = what.kind !== 'shift' || storedShifts(this.#connection).some(({ code }) => code === what.code);
    const problems = [
      ...this.#targetProblems(target),
      ...(isKnown ? [] : [{ path: ['what', 'code'], ...planErrors.say('no_such_shift') }]),
    ];
    if (problems.length > 0) return refused(...problems);
    return { ok: true, value: this.writeOverride(override, recorded) };
  }

  writeOverride({ date, target, what, reason }: Omit<DayOverride, 'id'>, { at, by }: Recorded): number {
    const { id } = this.#connection
      .sql(
        `INSERT INTO day_override (date, target_kind, target_id, what, weekday, code, reason, recorded_at, recorded_by) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (date, target_kind, target_id) DO UPDATE SET what = excluded.what, weekday = excluded.weekday, code = excluded.code,
           reason = excluded.reason, recorded_at = excluded.recorded_at, recorded_by = excluded.recorded_by RETURNING id`,
      )
      .get(
        date,
        ...kindAndId(target),
        what.kind,
        what.kind === 'makeup' ? what.weekday : null,
        what.kind === 'shift' ? what.code : null,
        reason,
        at,
        by,
      ) as { id: number };
    return id;
  }

  #rules(): RosterRule[] {
    return storedRules(this.#connection, {});
  }

  /** The id of the rule of a target from a date on. */
  ruleOf(target: PlanTarget, from: string): number | null {
    const found = this.#connection
      .sql('SELECT id FROM roster_rule WHERE target_kind = ? AND target_id = ? AND from_date = ?')
      .get(...kindAndId(target), from) as { id: number } | undefined;
    return found?.id ?? null;
  }

  #targetProblems(target: PlanTarget): PlanProblem[] {
    if (target.kind === 'site') return [];
    const table = target.kind === 'person' ? 'employee' : 'department';
    const isKnown = this.#connection.sql(`SELECT 1 FROM ${table} WHERE ext_id = ?`).get(target.extId) !== undefined;
    return isKnown
      ? []
      : [{ path: ['target'], ...planErrors.say('no_such_target', { kind: target.kind, id: target.extId }) }];
  }
}

const targetWords = (target: PlanTarget): string =>
  target.kind === 'site' ? 'the site' : `${target.kind} ${target.extId}`;

const whoOf = (target: PlanTarget) => ({ kind: target.kind, id: target.kind === 'site' ? '' : target.extId });
