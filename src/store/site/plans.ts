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
import { storedOverrides, storedRules, storedShifts } from '../domains/plans/reads.ts';
import { Plans } from '../domains/plans/roster.ts';
import type { DayOverride, PlanTarget } from '../domains/plans/tables.ts';
import { type Section, text } from './section.ts';

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
