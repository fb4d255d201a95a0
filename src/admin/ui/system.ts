import { z } from '@hono/zod-openapi';
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { licences } from '../../runtime/licences.ts';
import { programVersion } from '../../runtime/version.ts';
import { dayOf } from '../../runtime/wall-time.ts';
import type { Services } from '../../services/index.ts';
import { described } from '../../words/described.ts';
import { operation, type Report, type Running } from '../operation.ts';

const holidaysReport = z.object({
  years: z
    .array(
      z.object({
        year: z.number(),
        holidays: z.array(
          z.object({
            code: z
              .string()
              .describe(
                described('Lasting, the same each year: spring-festival', '固定不变、每年相同：spring-festival'),
              ),
            name: z.string(),
            days: z.array(z.object({ day: z.string(), name: z.string(), type: z.enum(['WORK', 'BREAK']) })),
          }),
        ),
        source: z.enum(['site', 'cloud', 'built-in', 'unpublished']),
      }),
    )
    .describe(described('This year and the next, as the box has them', '网关所知的今年和明年')),
});
const aboutReport = z.object({
  version: z.string(),
  node: z.string(),
  target: z.string(),
  licences: z.array(z.object({ name: z.string(), licence: z.string() })),
});
export type HolidaysReport = Report<typeof holidaysReport>;

export const systemOperations = {
  holidays: operation({
    method: 'get',
    path: '/holidays',
    role: 'viewer',
    summary: described(
      'Holidays and make-up workdays of this year and the next, and who said so',
      '今年和明年的节假日、调休上班日及其来源',
    ),
    returns: described('The years', '各年'),
    answer: holidaysReport,
  }),
  about: operation({
    method: 'get',
    path: '/about',
    role: 'viewer',
    summary: described('The version, and the licences of what is in the program', '程序版本，以及所含组件的许可证'),
    returns: described('The program', '程序'),
    answer: aboutReport,
  }),
};

interface SystemParts {
  readonly clock: Clock;
  readonly config: Pick<Config, 'site'>;
  readonly services: Pick<Services, 'holidays'>;
}

export const system = ({ clock, config, services }: SystemParts): Running<typeof systemOperations> => ({
  async holidays() {
    const year = Number(dayOf(clock.now(), config.site.timezone).day.slice(0, 4));
    return { years: await Promise.all([services.holidays(year), services.holidays(year + 1)]) };
  },
  about: async () => ({
    version: programVersion,
    node: process.versions.node,
    target: `${process.platform}-${process.arch}`,
    licences,
  }),
});
