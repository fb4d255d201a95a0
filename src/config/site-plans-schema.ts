import { z } from 'zod';
import { readSpan } from '../platform/shift-times.ts';
import { shiftLimits } from '../platform/shifts.ts';
import { weekdayNames } from '../platform/site-plans.ts';
import { isDay } from '../runtime/calendar-date.ts';
import { oneOf, optionalText, personNumber, text, whole, yesOrNo } from './kinds.ts';

/** The sections of the site file for plans: shifts, who works which, single days. */

const shiftCode = () =>
  text('the code of a shift', 32).refine(value => /^[\p{L}\p{N}._-]+$/u.test(value), {
    error: 'not a code: letters, digits, ".", "_" and "-"',
  });
const date = () => text('a date such as 2026-11-16', 10).refine(isDay, { error: 'no date: write it as 2026-11-16' });
/** Empty: without one. */
export const optionalDate = () =>
  optionalText(10, 'a date such as 2026-11-16').refine(value => value === '' || isDay(value), {
    error: 'no date: write it as 2026-11-16, or "" for none',
  });

const time = () =>
  text('a time such as 09:00-18:00', 20).refine(value => readSpan(value) !== null, {
    error: 'no time: write start and end, such as 09:00-18:00 or 22:00-06:00',
  });
const minutes = (max: number = shiftLimits.minutesMax) => whole(0, max, 'minutes');

const segment = z.union(
  [
    time(),
    z.strictObject({
      time: time(),
      before: minutes().optional(),
      after: minutes().optional(),
      need_in: yesOrNo().optional(),
      need_out: yesOrNo().optional(),
    }),
  ],
  {
    error:
      'no time: write start and end, such as 09:00-18:00 or 22:00-06:00, or { time: 22:00-06:00, before: 120, after: 240 }',
  },
);
const pause = z.union([time(), z.strictObject({ time: time(), paid: yesOrNo().optional() })], {
  error: 'no break: write start and end, such as 12:00-13:00, or { time: 12:00-13:00, paid: true }',
});

export const shiftSchema = z.strictObject({
  code: shiftCode(),
  name: text('a name', 30),
  from: date().optional(),
  kind: oneOf(['fixed', 'flexible', 'free']).optional(),
  times: z
    .array(segment)
    .max(shiftLimits.segmentsMax, { error: `at most ${shiftLimits.segmentsMax} times` })
    .optional(),
  breaks: z
    .array(pause)
    .max(shiftLimits.breaksMax, { error: `at most ${shiftLimits.breaksMax} breaks` })
    .optional(),
  late_grace: minutes(240).optional(),
  early_grace: minutes(240).optional(),
  flex_late: minutes(720).optional(),
  flex_early: minutes(720).optional(),
  late_off_late_on: z
    .array(z.strictObject({ stayed: minutes(), later: minutes() }))
    .max(shiftLimits.lateOffMax)
    .optional(),
  required_minutes: minutes().optional(),
  overtime: z
    .strictObject({
      before: yesOrNo().optional(),
      after: yesOrNo().optional(),
      min: minutes().optional(),
      step: whole(1, shiftLimits.minutesMax, 'minutes').optional(),
    })
    .optional(),
  counting: oneOf(['first_last', 'pairs']).optional(),
});

const extId = () => personNumber('an external id', 32);
const who = z.union([z.literal('site'), z.strictObject({ department: extId() }), z.strictObject({ person: extId() })], {
  error: 'write site, { department: an ext_id } or { person: an ext_id }',
});
/** A code of a shift; a day off is `off`, or nothing. */
const dayOfCycle = z.union([shiftCode(), z.null()], { error: 'write the code of a shift, or off' });

export const scheduleSchema = z
  .strictObject({
    who,
    shift: shiftCode().optional(),
    week: z
      .array(dayOfCycle)
      .length(7, { error: 'a week has seven days, from Monday: write off for a day off' })
      .optional(),
    cycle: z.array(dayOfCycle).min(1).max(shiftLimits.cycleMax).optional(),
    anchor: date().optional(),
    from: date(),
    to: optionalDate().optional(),
  })
  .superRefine(({ shift, week, cycle, anchor, from, to }, context) => {
    const issue = (key: string, message: string) => context.addIssue({ code: 'custom', path: [key], message });
    const written = [shift, week, cycle].filter(one => one !== undefined).length;
    if (written !== 1)
      issue('week', 'write one of shift (Monday to Friday), week (seven days) or cycle (any number of days)');
    if (anchor !== undefined && cycle === undefined) issue('anchor', 'only a cycle has one: the date of its first day');
    if (to !== undefined && to !== '' && to < from) issue('to', `lies before from ${from}`);
  });

export const calendarSchema = z.strictObject({
  date: date(),
  who: who.optional(),
  what: z.union(
    [
      oneOf(['rest', 'workday', 'legal_holiday']),
      z.strictObject({ makeup: oneOf(weekdayNames) }),
      z.strictObject({ shift: shiftCode() }),
    ],
    { error: 'write rest, workday, legal_holiday, { makeup: wednesday } or { shift: a code }' },
  ),
  reason: optionalText(100).optional(),
});
