import { inCycle, versionsByCode } from '../../../platform/shifts.ts';
import { type Stint, type Stints, stintProblem, stintsAfter } from '../../../platform/stints.ts';
import { addDays } from '../../../runtime/calendar-date.ts';
import { planErrors } from '../../../words/plans.ts';
import { People } from '../../people/people.ts';
import type { Connection } from '../../schema/database.ts';
import { kindAndId, storedEmployments, storedOverrides, storedRules, storedShifts } from './reads.ts';
import { done, refused } from './roster.ts';
import type { Employment, PlanOutcome, PlanTarget } from './tables.ts';

/** Without `earlier` the stints before stay. */
export type NewEmployment = Stint & { readonly extId: string; readonly earlier?: readonly Stint[] | undefined };

/**
 * When people are employed, in the writer thread. Who has left is taken off the terminals when the
 * last day of the last stint is over, and is sent to them again when back.
 */
export class Employments {
  readonly #connection: Connection;
  readonly #people: People;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#people = new People(connection);
  }

  put({ extId, from, to, earlier }: NewEmployment): PlanOutcome {
    if (!this.#people.byExtId(extId))
      return refused({ path: ['extId'], ...planErrors.say('nobody_has_id', { id: extId }) });
    const stints = earlier ? { from, to, earlier } : stintsAfter(this.of(extId), { from, to });
    const problem = stintProblem(stints);
    if (problem) return refused(problem);
    this.write({ extId, ...stints });
    return done;
  }

  /** Stints of a person; null if there are none on record. */
  of(extId: string): Stints | null {
    return storedEmployments(this.#connection, { people: [extId], limit: 1 })[0] ?? null;
  }

  /** The stints were checked. */
  write({ extId, from, to, earlier }: Employment): void {
    const { sql } = this.#connection;
    const before = sql('SELECT to_date, off_terminals FROM employment WHERE ext_id = ?').get(extId) as
      | { to_date: string | null; off_terminals: number }
      | undefined;
    if (from === null && to === null && earlier.length === 0) sql('DELETE FROM employment WHERE ext_id = ?').run(extId);
    else
      sql(
        `INSERT INTO employment (ext_id, from_date, to_date, earlier, off_terminals) VALUES (?, ?, ?, ?, 0)
           ON CONFLICT (ext_id) DO UPDATE SET from_date = excluded.from_date, to_date = excluded.to_date, earlier = excluded.earlier,
             off_terminals = CASE WHEN employment.to_date IS NOT DISTINCT FROM excluded.to_date THEN employment.off_terminals ELSE 0 END`,
      ).run(extId, from, to, JSON.stringify(earlier.map(ofStint)));
    // A last day that is over as well takes the person off again at the next look at the clock.
    if (before?.off_terminals === 1 && before.to_date !== to) this.#people.changed(extId);
  }

  /** Returns how many were taken off. */
  leaveTerminals(today: string, minute: number, limit: number): number {
    const { sql } = this.#connection;
    const over = sql(
      'SELECT ext_id, to_date FROM employment WHERE off_terminals = 0 AND to_date IS NOT NULL AND to_date < ? ORDER BY to_date LIMIT ?',
    ).all(today, limit) as { ext_id: string; to_date: string }[];
    const yesterday = addDays(today, -1);
    const mark = sql('UPDATE employment SET off_terminals = 1 WHERE ext_id = ?');
    let taken = 0;
    for (const { ext_id: extId, to_date: last } of over) {
      // A night shift that began on the last day still has to end with a check-out.
      if (last === yesterday && lastMinuteOf(this.#connection, extId, last) > 1440 + minute) continue;
      mark.run(extId);
      this.#people.changed(extId);
      taken++;
    }
    return taken;
  }
}

const ofStint = ({ from, to }: Stint): Stint => ({ from, to });

const midnight = 1440;

/**
 * Until when a person may still check out after a day, in minutes after 00:00 of that day: 24:00,
 * or the end of the window of a shift that ends on the next day. The national calendar is not
 * asked: who works by the week and rests on a holiday may stay some hours longer.
 */
function lastMinuteOf(connection: Connection, extId: string, date: string): number {
  const query = { from: date, to: date, people: [extId] };
  const targets = targetsOf(connection, extId, date);
  const keyOf = (target: PlanTarget) => kindAndId(target).join(' ');
  const overrides = storedOverrides(connection, query);
  const rules = storedRules(connection, query);
  const nearest = <T extends { readonly target: PlanTarget }>(all: readonly T[]): T | undefined => {
    for (const target of targets) {
      const found = all.findLast(one => keyOf(one.target) === target);
      if (found) return found;
    }
    return undefined;
  };
  const what = nearest(overrides)?.what;
  const rule = nearest(rules);
  const code =
    what?.kind === 'rest' ? null : what?.kind === 'shift' ? what.code : rule && inCycle(rule.cycle, rule.anchor, date);
  if (!code) return midnight;
  const shift = versionsByCode(storedShifts(connection))
    .get(code)
    ?.findLast(({ validFrom }) => validFrom <= date);
  const last = shift?.segments.at(-1);
  return last && last.off > midnight ? last.off + last.after : midnight;
}

/** The person, the departments on that date from the nearest up, the site: the first one counts. */
function targetsOf({ sql }: Connection, extId: string, date: string): string[] {
  const stoodIn = (kind: 'person' | 'department', id: string, now: string) =>
    `coalesce((SELECT f.department_id FROM former_place f WHERE f.kind = '${kind}' AND f.subject_id = ${id}
       AND f.until >= ?2 ORDER BY f.until LIMIT 1), ${now})`;
  const chain = sql(
    `WITH RECURSIVE above(id, depth) AS (SELECT ${stoodIn('person', 'e.id', 'e.department_id')}, 0 FROM employee e
         WHERE e.ext_id = ?1
       UNION SELECT ${stoodIn('department', 'd.id', 'd.parent_id')}, a.depth + 1 FROM department d
         JOIN above a ON d.id = a.id WHERE d.parent_id IS NOT NULL AND a.depth < 100)
     SELECT d.ext_id FROM above a JOIN department d ON d.id = a.id WHERE d.ext_id IS NOT NULL ORDER BY a.depth`,
  ).all(extId, date) as { ext_id: string }[];
  return [`person ${extId}`, ...chain.map(row => `department ${row.ext_id}`), 'site '];
}
