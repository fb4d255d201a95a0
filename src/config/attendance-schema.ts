import { z } from 'zod';
import { dailyReports } from './daily-report-schema.ts';
import { documented, oneOf, yesOrNo } from './kinds.ts';

export const attendance = z.strictObject({
  daily_reports: documented(
    dailyReports,
    'Daily attendance reports (docs/daily-report.md). Each has name and channel (mail, dingtalk, feishu, wecom, webhook), and may have at (08:45), departments (external ids; none: the whole site), language (en, zh), to (mail), url and secret',
    { secret: true, kind: 'list of daily reports' },
  ),
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
