import { inCycle, versionsByCode } from '../../../platform/shifts.ts';
import type { PlanTarget } from '../../port/schedules.ts';
import { kindAndId, storedOverrides, storedRules, storedShifts } from '../../readers/plan-rows.ts';
import type { Connection } from '../../schema/database.ts';

const midnight = 1440;

/**
 * Until when a person may still check out after a day, in minutes after 00:00 of that day: 24:00,
 * or the end of the window of a shift that ends on the next day. The national calendar is not
 * asked: who works by the week and rests on a holiday may stay some hours longer.
 */
export function lastMinuteOf(connection: Connection, extId: string, date: string): number {
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
