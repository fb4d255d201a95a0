import {
  changed,
  cycleOfSite,
  isWeek,
  type SiteDay,
  type SiteSchedule,
  type SiteShift,
  type SiteWho,
  shiftOfSite,
  sitePlanKeys,
  siteShiftDefaults,
  siteShiftOf,
  weekdayNames,
} from '../../platform/site-plans.ts';
import { siteStintsAfter, siteStintsOf, stintsOfSite } from '../../platform/stints.ts';
import { Employments } from '../domains/plans/employments.ts';
import { storedOverrides, storedRules, storedShifts } from '../domains/plans/reads.ts';
import { Plans } from '../domains/plans/roster.ts';
import type { DayOverride, PlanTarget } from '../domains/plans/tables.ts';
import { Departments } from '../people/departments.ts';
import { Employees } from '../people/employees.ts';
import { mobileOf } from '../people/mobile.ts';
import type { Connection } from '../schema/database.ts';
import { type Item, type Section, text } from './data.ts';

/** Whether it has stood elsewhere before: a file names the date of such a move alone. */
const hasMoved = (kind: 'person' | 'department', table: string): string =>
  `EXISTS (SELECT 1 FROM former_place f WHERE f.kind = '${kind}' AND f.subject_id = ${table}.id) AS has_moved`;

/** Every store has the root; it is exported once somebody has named it. */
const rootIsNamed = (connection: Connection): boolean => {
  const { name, ext_id } = new Departments(connection).root();
  return name !== '' || ext_id !== '0';
};

export const departments: Section = {
  name: 'departments',
  secrets: [],
  defaults: {},
  key: item => text(item.ext_id),
  read(connection) {
    const named = rootIsNamed(connection);
    const rows = connection
      .sql(
        `SELECT d.ext_id, d.name, p.ext_id AS p_ext_id, d.parent_id IS NULL AS is_root, d.parent_since, ${hasMoved('department', 'd')}
           FROM department d LEFT JOIN department p ON p.id = d.parent_id WHERE d.ext_id IS NOT NULL ORDER BY d.id`,
      )
      .all() as Item[];
    return rows.filter(row => named || row.is_root !== 1).map(({ is_root: _, ...item }) => item);
  },
  /** Without the unnamed root: departments under it have no parent in the file. */
  forFile: items => {
    const listed = new Set(items.map(item => item.ext_id));
    return items.map(({ p_ext_id, has_moved, parent_since, ...item }) => ({
      ...item,
      ...(listed.has(p_ext_id) ? { p_ext_id } : {}),
      ...(has_moved === 1 ? { parent_since } : {}),
    }));
  },
  /** Parents first: none is placed before the one above it is where the file has it. */
  inOrder(items, present) {
    const listed = new Map(items.map(item => [text(item.ext_id), item]));
    const parents = new Map([...present, ...items].map(({ ext_id, p_ext_id }) => [text(ext_id), text(p_ext_id)]));
    const ordered = new Set<Item>();
    for (const extId of listed.keys()) {
      const above: string[] = [];
      for (let one: string | undefined = extId; one !== undefined && !above.includes(one); one = parents.get(one))
        above.unshift(one);
      for (const one of above) if (listed.has(one)) ordered.add(listed.get(one)!);
    }
    return [...ordered];
  },
  write(connection, item, { today, said }) {
    const tree = new Departments(connection);
    const extId = text(item.ext_id);
    const isRoot = tree.root().ext_id === extId;
    const parent = isRoot || text(item.p_ext_id) === '' ? null : text(item.p_ext_id);
    const put = tree.put(extId, text(item.name), parent, today, text(said.parent_since) || undefined);
    if (!put.ok) throw new Error(`departments ${extId}: ${put.refusal.reason}`);
  },
  remove(connection, key) {
    const row = new Departments(connection).byExtId(key);
    if (!row) return;
    if (row.parent_id === null)
      connection.sql("UPDATE department SET name = '', ext_id = '0' WHERE id = ?").run(row.id);
    else new Departments(connection).drop(new Set([row.id]));
  },
};

export const employees: Section = {
  name: 'employees',
  secrets: [],
  defaults: {},
  key: item => text(item.ext_id),
  read: ({ sql, seal }) =>
    // Hand-written SQL, with the names of the site file.
    (
      sql(
        `SELECT e.id, e.sealed_mobile, e.ext_id, e.name, e.employee_num, e.title, d.ext_id AS department,
             j.from_date AS "from", j.to_date AS "to", j.earlier,
             e.department_since, ${hasMoved('person', 'e')} FROM employee e
           JOIN department d ON d.id = e.department_id LEFT JOIN employment j ON j.ext_id = e.ext_id WHERE e.ext_id IS NOT NULL ORDER BY e.id`,
      ).all() as (Item & { id: number; sealed_mobile: Uint8Array | null; earlier: string | null })[]
    ).map(({ department, title, id, sealed_mobile: sealedMobile, earlier, ...item }) => ({
      ...item,
      earlier: siteStintsOf({ from: null, to: null, earlier: JSON.parse(earlier ?? '[]') }).earlier,
      mobile: mobileOf(seal, { id, sealedMobile }),
      department: { ext_id: department, ...(title === '' ? {} : { title }) },
    })),
  forFile: items =>
    items.map(({ has_moved, department_since, ...item }) => (has_moved === 1 ? { ...item, department_since } : item)),
  after: (item, before) => ({ ...item, ...siteStintsOf(siteStintsAfter(stintsOfSite(before), item)) }),
  write(connection, { department, ...item }, { today, said }) {
    const { ext_id, title } = (department ?? {}) as Item;
    const change = {
      extId: text(item.ext_id),
      name: text(item.name),
      mobile: text(item.mobile),
      employeeNum: text(item.employee_num),
      department: { extId: text(ext_id), title: text(title), since: text(said.department_since) || undefined },
    };
    const put = new Employees(connection).put(change, today);
    if (!put.ok) throw new Error(`employees ${text(item.ext_id)}: ${put.refusal.reason}`);
    new Employments(connection).write({ extId: text(item.ext_id), ...stintsOfSite(item) });
  },
  /**
   * Leaving a person out of a file by mistake deletes no check-ins: they come back with the person.
   */
  remove(connection, key) {
    const people = new Employees(connection);
    const row = people.byExtId(key);
    if (row) people.forget(row);
  },
};

/** Author of entries that come from a site file. */
const by = 'site file';

/** Each version is an entry; the first has no `from`. */
export const shifts: Section = {
  name: 'shifts',
  secrets: [],
  defaults: siteShiftDefaults,
  key: item => sitePlanKeys.shifts(item as unknown as SiteShift),
  // Written as a whole: what the file leaves out has its default.
  compared: item => ({ ...siteShiftOf(shiftOfSite(item as unknown as SiteShift)) }),
  read: connection => storedShifts(connection).map(shift => ({ ...siteShiftOf(shift) })),
  forFile: items =>
    items.map(({ overtime, ...item }) => {
      const more = changed(overtime as object, siteShiftDefaults.overtime);
      return { ...changed(item, siteShiftDefaults), ...(Object.keys(more).length > 0 && { overtime: more }) };
    }),
  write: (connection, item, { at }) =>
    new Plans(connection).writeShift(shiftOfSite(item as unknown as SiteShift), { at, by }),
  remove({ sql }, key) {
    const [code = '', from = '0000-01-01'] = key.split(' from ');
    sql('DELETE FROM shift_version WHERE code = ? AND valid_from = ?').run(code, from);
  },
};

const targetOf = (who: SiteWho | undefined): PlanTarget => {
  if (who === undefined || who === 'site') return { kind: 'site' };
  return 'department' in who ? { kind: 'department', extId: who.department } : { kind: 'person', extId: who.person };
};

const whoOf = (target: PlanTarget): SiteWho => {
  if (target.kind === 'site') return 'site';
  return target.kind === 'department' ? { department: target.extId } : { person: target.extId };
};

export const schedules: Section = {
  name: 'schedules',
  secrets: [],
  defaults: {},
  key: item => sitePlanKeys.schedules(item as unknown as SiteSchedule),
  compared: item => {
    const { who, from, to } = item as unknown as SiteSchedule;
    return { who, ...cycleOfSite(item as unknown as SiteSchedule), from, to };
  },
  read: connection =>
    storedRules(connection, {}).map(({ target, cycle, anchor, from, to }) => ({
      who: whoOf(target),
      cycle,
      anchor,
      from,
      to: to ?? undefined,
    })),
  forFile: items =>
    items.map(({ who, cycle, anchor, ...item }) => {
      const days = (cycle as (string | null)[]).map(code => code ?? 'off');
      const week = isWeek({ cycle: days, anchor: text(anchor) });
      return { who, ...(week ? { week: days } : { cycle: days, anchor }), ...item };
    }),
  write(connection, item, { at }) {
    const { who, from, to } = item as unknown as SiteSchedule;
    const target = targetOf(who);
    const rule = { target, ...cycleOfSite(item as unknown as SiteSchedule), from, to: to || null };
    const plans = new Plans(connection);
    plans.writeRule(plans.ruleOf(target, from), rule, { at, by });
  },
  remove({ sql }, key) {
    const [, kind = '', extId = '', from = ''] = /^(\S+)(?: (.*))? from (\S+)$/.exec(key) ?? [];
    sql('DELETE FROM roster_rule WHERE target_kind = ? AND target_id = ? AND from_date = ?').run(kind, extId, from);
  },
};

const whatOf = (what: SiteDay['what']): DayOverride['what'] => {
  if (typeof what === 'string') return { kind: what };
  return 'makeup' in what
    ? { kind: 'makeup', weekday: weekdayNames.indexOf(what.makeup) + 1 }
    : { kind: 'shift', code: what.shift };
};

const writtenWhat = (what: DayOverride['what']): SiteDay['what'] => {
  if (what.kind === 'makeup') return { makeup: weekdayNames[what.weekday - 1] ?? 'monday' };
  return what.kind === 'shift' ? { shift: what.code } : what.kind;
};

export const calendar: Section = {
  name: 'calendar',
  secrets: [],
  defaults: {},
  key: item => sitePlanKeys.calendar(item as unknown as SiteDay),
  compared: item => ({ ...item, who: item.who ?? 'site' }),
  read: connection =>
    storedOverrides(connection, {}).map(({ date, target, what, reason }) => ({
      date,
      who: whoOf(target),
      what: writtenWhat(what),
      reason,
    })),
  forFile: items => items.map(({ who, ...item }) => (who === 'site' ? item : { ...item, who })),
  write(connection, item, { at }) {
    const { date, who, what, reason } = item as unknown as SiteDay;
    new Plans(connection).writeOverride(
      { date, target: targetOf(who), what: whatOf(what), reason: reason ?? '' },
      { at, by },
    );
  },
  remove({ sql }, key) {
    const [, date = '', kind = '', extId = ''] = /^(\S+) (\S+)(?: (.*))?$/.exec(key) ?? [];
    sql('DELETE FROM day_override WHERE date = ? AND target_kind = ? AND target_id = ?').run(date, kind, extId);
  },
};
