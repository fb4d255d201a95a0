import { z } from '@hono/zod-openapi';
import { siteIssue, siteSchema } from '../config/index.ts';
import type { SiteData } from '../store/index.ts';
import { byCommand, operation, type Running } from './operation.ts';
import type { BoxAdmin } from './port.ts';
import { refused } from './problem.ts';

/** As large as a site file may be. */
const siteBytesMax = 64 << 20;

const siteChange = z.object({
  action: z.enum(['add', 'change', 'remove']),
  section: z.string(),
  key: z.string(),
  fields: z.array(z.string()),
});

export const siteOperations = {
  read: operation({
    method: 'get',
    path: '/site',
    role: 'viewer',
    summary: 'What a site file holds; secrets only when asked for, and only to an admin',
    query: z.object({ with_secrets: z.enum(['true', 'false']).default('false') }),
    returns: 'The site',
    answer: z.custom<SiteData>().openapi({
      type: 'object',
      description: 'The sections of a site file, each a list',
      additionalProperties: { type: 'array', items: { type: 'object' } },
    }),
  }),
  apply: operation({
    method: 'post',
    path: '/site',
    role: 'admin',
    summary: 'Loads a site; a dry run answers the plan',
    body: z.object({ site: z.unknown(), prune: z.boolean().default(false), dry_run: z.boolean().default(false) }),
    bodyBytesMax: siteBytesMax,
    returns: 'What was changed',
    answer: z.object({ changes: z.array(siteChange) }),
    failures: { 422: 'The site is refused; `problems` says where' },
  }),
};

/**
 * As the API offers them: a site that is sent is checked, and secrets are for admins alone.
 */
export const siteOf = (admin: Pick<BoxAdmin, 'site' | 'apply'>): Running<typeof siteOperations> => ({
  async read({ with_secrets }, call = byCommand) {
    const withSecrets = with_secrets === 'true';
    if (withSecrets) call.subject('with secrets');
    if (withSecrets && call.caller.role !== 'admin')
      throw refused(403, 'Not allowed', 'secrets are for the role admin');
    const site = await admin.site({ withSecrets });
    if (call.caller.role !== 'viewer' || !site.employees) return site;
    // Left out, not masked: this file may be applied again.
    const employees = site.employees.map(({ mobile: _, ...employee }) => employee);
    return { ...site, employees } as SiteData;
  },
  async apply({ site, prune, dry_run: dryRun }) {
    const parsed = siteSchema.safeParse(site);
    const outcome = parsed.success
      ? await admin.apply({ site: parsed.data, prune, dryRun })
      : { ok: false as const, problems: parsed.error.issues.flatMap(siteIssue) };
    if (outcome.ok) return { changes: outcome.changes };
    const { problems } = outcome;
    throw refused(422, 'The site is refused', 'problems says where and why', { problems });
  },
});
