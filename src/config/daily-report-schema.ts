import { z } from 'zod';
import { dailyReportChannels } from '../platform/daily-report.ts';
import { mailAddress } from './alerts-schema.ts';
import { documented, oneOf, pattern, text, url } from './kinds.ts';

/**
 * A daily attendance report, of the config or of the page. The address and the secret of a robot or
 * a webhook are those of the channel of alerts, unless the entry has its own.
 */
export const dailyReport = z
  .strictObject({
    name: pattern(/^(?!\.{1,2}$)[^\x00-\x1f\x7f/]{1,64}$/, 'a name without slashes', 64),
    at: documented(pattern(/^([01]\d|2[0-3]):[0-5]\d$/, 'a time such as 08:45').default('08:45'), 'Time of the site', {
      besideSecret: true,
    }),
    departments: documented(z.array(text('an external id', 64)).max(50).default([]), 'With those below; none: all', {
      besideSecret: true,
    }),
    language: documented(oneOf(['en', 'zh']).optional(), 'Absent: that of the site', { besideSecret: true }),
    channel: oneOf([...dailyReportChannels]),
    to: documented(z.array(mailAddress()).min(1).max(20).optional(), 'Of mail; absent: the recipients of alerts', {
      besideSecret: true,
    }),
    url: documented(url('https', 'http').optional(), 'Absent: the address of the channel of alerts', {
      secret: true,
    }),
    secret: documented(text('the secret', 200).optional(), 'Goes with url', { secret: true, besideSecret: true }),
  })
  .refine(({ channel, to }) => to === undefined || channel === 'mail', {
    path: ['to'],
    error: 'recipients go with the channel mail: leave them out, or choose mail',
  })
  .refine(({ channel, url: own }) => own === undefined || channel !== 'mail', {
    path: ['url'],
    error: 'mail goes by the server of alerts.mail: leave the address out',
  })
  .refine(({ url: own, secret }) => secret === undefined || own !== undefined, {
    path: ['secret'],
    error: 'the secret goes with an address: give its url, too',
  });

export const dailyReports = z
  .array(dailyReport)
  .max(20)
  .refine(all => new Set(all.map(({ name }) => name)).size === all.length, {
    error: 'two daily reports have one name: which day each was sent for is kept by its name',
  })
  .default([]);
