import { type Stint, type Stints, stintProblem, stintsAfter } from '../../../platform/stints.ts';
import { addDays } from '../../../runtime/calendar-date.ts';
import { planErrors } from '../../../words/plans.ts';
import type { Employment, PlanOutcome, ScheduleWrites } from '../../port/schedules.ts';
import { storedEmployments } from '../../readers/plan-rows.ts';
import type { Connection } from '../../schema/database.ts';
import { People } from '../organization/people.ts';
import { lastMinuteOf } from './last-shift.ts';
import { done, refused } from './plans.ts';

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

  put({ extId, from, to, earlier }: Parameters<ScheduleWrites['setEmployment']>[0]['employment']): PlanOutcome {
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
