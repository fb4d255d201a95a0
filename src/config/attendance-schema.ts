import { z } from 'zod';
import { documented, oneOf, yesOrNo } from './kinds.ts';

export const attendance = z.strictObject({
  corrections: documented(
    z
      .strictObject({
        second_person: documented(
          yesOrNo().default(false),
          'yes: a correction counts only after another person than the one who asked for it has approved it',
        ),
      })
      .prefault({}),
    'Corrections of check-ins (docs/month.md)',
  ),
  hours: documented(
    z
      .strictObject({
        clock: documented(
          oneOf(['as_said', 'corrected']).default('as_said'),
          'as_said: a check-in counts at the time that its terminal said; corrected: at the corrected time, where the clock is proved to be more than a minute wrong',
        ),
        holidays: documented(
          oneOf(['work_date', 'calendar_day']).default('work_date'),
          'work_date: a night that begins before a legal holiday is no holiday time; calendar_day: what lies after midnight is',
        ),
      })
      .prefault({}),
    'How hours are counted by schedule (docs/hours.md)',
  ),
});
