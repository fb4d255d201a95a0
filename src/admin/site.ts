import { z } from '@hono/zod-openapi';
import { siteIssue, siteSchema } from '../config/index.ts';
import type { SiteData } from '../store/index.ts';
import { auditSubjects } from '../words/audit.ts';
import { described } from '../words/described.ts';
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
    audited: described('read the site file', '读取站点文件'),
    summary: described(
      'What a site file holds; secrets only when asked for, and only to an admin',
      '站点文件的内容；密钥只在要求时给出，且只给管理员',
    ),
    query: z.object({ with_secrets: z.enum(['true', 'false']).default('false') }),
    holdsSecrets: true,
    returns: described('The site', '站点'),
    answer: z.custom<SiteData>().openapi({
      type: 'object',
      description: described('The sections of a site file, each a list', '站点文件的各部分，每部分为一个列表'),
      additionalProperties: { type: 'array', items: { type: 'object' } },
    }),
  }),
  apply: operation({
    method: 'post',
    path: '/site',
    role: 'admin',
    audited: described('loaded a site file', '导入站点文件'),
    summary: described('Loads a site; a dry run answers the plan', '导入站点文件；预演时返回将做的更改'),
    body: z.object({ site: z.unknown(), prune: z.boolean().default(false), dry_run: z.boolean().default(false) }),
    bodyBytesMax: siteBytesMax,
    returns: described('What was changed', '更改的内容'),
    answer: z.object({ changes: z.array(siteChange) }),
    failures: { 422: described('The site is refused; `problems` says where', '站点文件不被接受；`problems` 说明何处') },
  }),
};

/**
 * As the API offers them: a site that is sent is checked, and secrets are for admins alone.
 */
export const siteOf = (admin: Pick<BoxAdmin, 'site' | 'apply'>): Running<typeof siteOperations> => ({
  async read({ with_secrets }, call = byCommand) {
    const withSecrets = with_secrets === 'true';
    if (withSecrets) call.subject(auditSubjects.say('with_secrets'));
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
