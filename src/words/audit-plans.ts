import { kind, split, state, type Value } from './audit-names.ts';
import { sentences } from './sentences.ts';

/**
 * Plans, absence and employment in the audit log. Spans of days and rosters come as data of their
 * own, since each language writes them differently.
 */

/** `from/to` of each period of employment, with a space between two; an open end is empty. */
const stints = (list: Value, to: string, always: string, join: string, begin: string): string =>
  split(list, ' ')
    .map(stint => {
      const [first = '', last = ''] = stint.split('/');
      if (first === '' && last === '') return always;
      return `${first === '' ? begin : `${first} `}${to} ${last || '…'}`;
    })
    .join(join);
const stintsEn = (list: Value): string => stints(list, 'to', 'always', ', ', '… ');
const stintsZh = (list: Value): string => stints(list, '至', '一直', '、', '');

/** A plan before its change, with the names of its fields behind `was_`, beside what it is now. */
type Was<T> = T & { readonly [Key in keyof T & string as `was_${Key}`]: T[Key] };
const both = <T>(one: (of: T) => string, was: T, is: T): string => `${one(was)} → ${one(is)}`;

interface Leave {
  readonly kind: string;
  readonly from: string;
  readonly to: string;
  readonly state: string;
}
const leaveEn = (of: Leave): string => `${of.kind} ${of.from} to ${of.to}, ${of.state}`;
const leaveZh = (of: Leave): string => `${of.kind} ${of.from} 至 ${of.to}，${state(of.state)}`;
const leaveBefore = (of: Was<Leave>): Leave => ({
  ...{ kind: of.was_kind, from: of.was_from, to: of.was_to, state: of.was_state },
});

interface Rule {
  /** Codes of shifts with a space between two; `off`: a day off. */
  readonly cycle: string;
  readonly from: string;
  /** Empty: it has no end. */
  readonly to: string;
}
const ruleEn = ({ cycle, from, to }: Rule): string => `${cycle} from ${from}${to === '' ? '' : ` to ${to}`}`;
const ruleZh = ({ cycle, from, to }: Rule): string => {
  const days = split(cycle, ' ').map(code => (code === 'off' ? '休' : code));
  return `${days.join(' ')}，${from} 起${to === '' ? '' : `至 ${to}`}`;
};
const ruleBefore = (of: Was<Rule>): Rule => ({ cycle: of.was_cycle, from: of.was_from, to: of.was_to });

/** For whom a plan is; the whole site has no id. */
interface Whose {
  readonly whose: 'site' | 'person' | 'department';
  readonly id: string;
}
const whoseEn = ({ whose, id }: Whose): string => (whose === 'site' ? 'the site' : `${whose} ${id}`);
const whoseZh = ({ whose, id }: Whose): string => (whose === 'site' ? '全站点' : `${kind(whose)} ${id}`);

/** A kind of day, or `shift` or `makeup` and which. */
interface Day {
  readonly day: string;
  /** The code of the shift, or the weekday; else empty. */
  readonly which: Value;
}
const dayEn = ({ day, which }: Day): string => {
  if (day === 'makeup') return `makeup for weekday ${which}`;
  return which === '' ? day : `${day} ${which}`;
};
const dayZh = ({ day, which }: Day): string => {
  if (day === 'makeup') return `按星期 ${which} 上班`;
  return which === '' ? kind(day) : `${kind(day)} ${which}`;
};
const dayBefore = (of: Was<Day>): Day => ({ day: of.was_day, which: of.was_which });

interface ShiftTimes {
  readonly name: string;
  /** `on-off` of each, with a space between two. */
  readonly segments: string;
  readonly breaks: string;
  /** Minutes late and early, `5/5`; empty: the shift has no times. */
  readonly grace: string;
  /** Those that a shift without times requires. */
  readonly minutes: number;
}
const shift =
  (pause: string, grace: string, minutes: string) =>
  (of: ShiftTimes): string =>
    [
      of.name,
      ...split(of.segments, ' '),
      ...split(of.breaks, ' ').map(one => `${pause} ${one}`),
      of.grace === '' ? `${of.minutes} ${minutes}` : `${grace} ${of.grace}`,
    ].join(' ');
const shiftEn = shift('break', 'grace', 'min');
const shiftZh = shift('休息', '宽限', '分钟');
const shiftBefore = (of: Was<ShiftTimes>): ShiftTimes => ({
  ...{ name: of.was_name, segments: of.was_segments, breaks: of.was_breaks },
  ...{ grace: of.was_grace, minutes: of.was_minutes },
});

interface Version {
  readonly code: string;
  /** Empty: its first. */
  readonly valid_from: string;
}
const versionEn = ({ code, valid_from: from }: Version): string => `shift ${code}${from === '' ? '' : ` from ${from}`}`;
const versionZh = ({ code, valid_from: from }: Version): string => `班次 ${code}${from === '' ? '' : `，${from} 起`}`;

export const auditPlans = sentences({
  employment: {
    en: ({ who, was, is }: { who: string; was: string; is: string }) =>
      `employment of ${who}: ${stintsEn(was)} → ${stintsEn(is)}`,
    zh: ({ who, was, is }) => `${who} 的在职日期：${stintsZh(was)} → ${stintsZh(is)}`,
  },
  leave: {
    en: (of: { who: string } & Leave) => `leave of ${of.who}: ${leaveEn(of)}`,
    zh: of => `${of.who} 的请假：${leaveZh(of)}`,
  },
  leave_changed: {
    en: (of: { who: string } & Was<Leave>) => `leave of ${of.who}: ${both(leaveEn, leaveBefore(of), of)}`,
    zh: of => `${of.who} 的请假：${both(leaveZh, leaveBefore(of), of)}`,
  },
  leave_decided: {
    en: (of: { who: string; decided: string } & Leave) => `leave of ${of.who}: ${leaveEn(of)} → ${of.decided}`,
    zh: of => `${of.who} 的请假：${leaveZh(of)} → ${state(of.decided)}`,
  },
  leave_unknown: {
    en: ({ leave, decided }: { leave: number; decided: string }) => `leave ${leave}: ${decided}`,
    zh: ({ leave, decided }) => `请假 ${leave}：${state(decided)}`,
  },

  roster: {
    en: (of: Whose & Rule) => `assignment of ${whoseEn(of)}: ${ruleEn(of)}`,
    zh: of => `${whoseZh(of)} 的排班规则：${ruleZh(of)}`,
  },
  roster_changed: {
    en: (of: Whose & Was<Rule>) => `assignment of ${whoseEn(of)}: ${both(ruleEn, ruleBefore(of), of)}`,
    zh: of => `${whoseZh(of)} 的排班规则：${both(ruleZh, ruleBefore(of), of)}`,
  },
  day: {
    en: (of: Whose & Day & { date: string }) => `${of.date} of ${whoseEn(of)}: ${dayEn(of)}`,
    zh: of => `${whoseZh(of)} 的 ${of.date}：${dayZh(of)}`,
  },
  day_changed: {
    en: (of: Whose & Was<Day> & { date: string }) => `${of.date} of ${whoseEn(of)}: ${both(dayEn, dayBefore(of), of)}`,
    zh: of => `${whoseZh(of)} 的 ${of.date}：${both(dayZh, dayBefore(of), of)}`,
  },
  shift: {
    en: (of: Version & ShiftTimes) => `${versionEn(of)}: ${shiftEn(of)}`,
    zh: of => `${versionZh(of)}：${shiftZh(of)}`,
  },
  shift_changed: {
    en: (of: Version & Was<ShiftTimes>) => `${versionEn(of)}: ${both(shiftEn, shiftBefore(of), of)}`,
    zh: of => `${versionZh(of)}：${both(shiftZh, shiftBefore(of), of)}`,
  },
  shift_code: { en: ({ code }: { code: string }) => `shift ${code}`, zh: ({ code }) => `班次 ${code}` },
});
