import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Config } from '../../config/index.ts';
import type { Clock } from '../../runtime/clock.ts';
import { dayOf } from '../../runtime/day-bounds.ts';
import { licences } from '../../runtime/licences.ts';
import { programVersion } from '../../runtime/version.ts';
import type { Services } from '../../services/index.ts';
import type { AdminEnvironment } from '../guard.ts';
import { operation, type Report, type Running } from '../operation.ts';
import type { BoxAdmin } from '../port.ts';
import { serve } from '../serve.ts';
import { uploadOperations, uploads } from '../updates.ts';
import { backupFileOperations, backupFiles } from './backups.ts';
import { certificateOperations, certificatesOf } from './certificates.ts';
import { ownAccount, ownAccountOperations } from './own-account.ts';
import { overview, overviewOperations } from './system-overview.ts';

const holidaysReport = z.object({
  years: z
    .array(
      z.object({
        year: z.number(),
        holidays: z.array(
          z.object({
            code: z.string().describe('Lasting, the same each year: spring-festival'),
            name: z.string(),
            days: z.array(z.object({ day: z.string(), name: z.string(), type: z.enum(['WORK', 'BREAK']) })),
          }),
        ),
        source: z.enum(['site', 'cloud', 'built-in', 'unpublished']),
      }),
    )
    .describe('This year and the next, as the box has them'),
});
const aboutReport = z.object({
  version: z.string(),
  node: z.string(),
  target: z.string(),
  licences: z.array(z.object({ name: z.string(), licence: z.string() })),
});
export type HolidaysReport = Report<typeof holidaysReport>;
export type AboutReport = Report<typeof aboutReport>;

const systemOperations = {
  holidays: operation({
    method: 'get',
    path: '/holidays',
    role: 'viewer',
    summary: 'Holidays and make-up workdays of this year and the next, and who said so',
    returns: 'The years',
    answer: holidaysReport,
  }),
  about: operation({
    method: 'get',
    path: '/about',
    role: 'viewer',
    summary: 'The version, and the licences of what is in the program',
    returns: 'The program',
    answer: aboutReport,
  }),
};

interface SystemParts {
  readonly clock: Clock;
  readonly config: Pick<Config, 'site'>;
  readonly services: Pick<Services, 'holidays'>;
}

/** What the pages about users, certificates, network test, backup ask. */
export function systemUiRoutes(
  app: OpenAPIHono<AdminEnvironment>,
  parts: SystemParts & { readonly admin: Pick<BoxAdmin, 'users'> } & Parameters<typeof overview>[0] &
    Parameters<typeof certificatesOf>[0] &
    Omit<Parameters<typeof ownAccount>[0], 'users'> &
    Parameters<typeof backupFiles>[0] &
    Parameters<typeof uploads>[0],
): void {
  serve(app, overviewOperations, overview(parts));
  serve(app, certificateOperations, certificatesOf(parts));
  serve(app, ownAccountOperations, ownAccount({ users: parts.admin.users, accounts: parts.accounts }));
  serve(app, backupFileOperations, backupFiles(parts));
  serve(app, uploadOperations, uploads(parts));
  serve(app, systemOperations, system(parts));
}

const system = ({ clock, config, services }: SystemParts): Running<typeof systemOperations> => ({
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
