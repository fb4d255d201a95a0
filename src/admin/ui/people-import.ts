import { z } from '@hono/zod-openapi';
import type { Attendance } from '../../attendance/index.ts';
import { importOrganization } from '../import-organization.ts';
import { byCommand, operation, type Report, type Running } from '../operation.ts';
import type { BoxAdmin } from '../port.ts';
import { refused } from '../problem.ts';

const importReport = z.object({
  dry_run: z.boolean(),
  rows: z.number(),
  wrong: z.number().describe('How many are wrong; `problems` lists the first of them'),
  problems: z.array(z.object({ line: z.number(), column: z.string(), value: z.string(), reason: z.string() })),
  added: z.number(),
  changed: z.number(),
  same: z.number(),
  changes: z
    .array(z.object({ action: z.string(), key: z.string(), fields: z.array(z.string()) }))
    .describe('The first of them'),
});
export type ImportReport = Report<typeof importReport>;

const bytesMax = 5 << 20;
const shownMax = 200;

export const peopleImportOperations = {
  take: operation({
    method: 'post',
    path: '/people/import',
    role: 'staff',
    summary: `Takes employees or departments from a CSV file of at most ${bytesMax >> 20} MiB, the body: all of it or nothing`,
    query: z.object({
      what: z.enum(['employees', 'departments']),
      dry_run: z.enum(['true', 'false']).default('false'),
    }),
    upload: { bytesMax },
    returns: 'What is wrong, by line, and what was changed or would be',
    answer: importReport,
    failures: { 422: 'The cloud is the authority of the organization' },
  }),
};

export const peopleImport = ({
  admin,
  attendance,
}: {
  readonly admin: Pick<BoxAdmin, 'apply'>;
  readonly attendance: Pick<Attendance, 'status'>;
}): Running<typeof peopleImportOperations> => ({
  async take({ what, dry_run }, call = byCommand) {
    const dryRun = dry_run === 'true';
    if (attendance.status().authority === 'cloud')
      throw refused(422, 'cloud_is_authority', 'the organization is the cloud’s: import it there');
    const bytes = (await call.upload?.whole()) ?? new Uint8Array();
    const { rows, fine, problems, changes } = await importOrganization(admin, what, bytes, dryRun);
    const count = (action: string) => changes.filter(change => change.action === action).length;
    const isDone = !dryRun && problems.length === 0;
    call.subject(`${what}: ${isDone ? `${changes.length} of ${rows} rows changed` : 'looked at only'}`);
    return {
      dry_run: !isDone,
      rows,
      wrong: problems.length,
      problems: problems.slice(0, shownMax),
      added: count('add'),
      changed: count('change'),
      same: Math.max(0, fine - changes.length),
      changes: changes.slice(0, shownMax).map(({ action, key, fields }) => ({ action, key, fields })),
    };
  },
});
