import { randomBytes } from 'node:crypto';
import { z } from '@hono/zod-openapi';
import type { SiteFile } from '../../config/index.ts';
import {
  attendancePartsToSign,
  attendanceSignature,
  servicePartsToSign,
  serviceSignature,
} from '../../platform/signature.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { OrganizationReads, ReadPart, SignedCallReads } from '../../store/index.ts';
import { auditSubjects } from '../../words/audit.ts';
import { described } from '../../words/described.ts';
import { byCommand, operation, type Report, type Running } from '../operation.ts';
import type { BoxAdmin } from '../port.ts';
import { refused } from '../problem.ts';
import { done, requestShape } from '../shapes.ts';

const callerKinds = ['attendance', 'services', 'oauth'] as const;
export type CallerKind = (typeof callerKinds)[number];

const kind = z.enum(callerKinds);
const id = z.string().min(1).max(64);
const one = z.object({ kind, id });

export const callerReport = z.object({
  kind,
  id: z.string(),
  name: z.string(),
  redirect_uris: z
    .array(z.string())
    .describe(described('Of OAuth clients; empty for the others', 'OAuth 客户端的；其他为空')),
  used: z
    .object({
      at: z.number(),
      address: z.string().describe(described('Empty: not known', '空：未知')),
      call: z
        .string()
        .describe(described('Path, and the command where there is one; empty: not known', '路径及命令；空：未知')),
    })
    .nullable()
    .describe(
      described(
        'The last request with a right signature; of an OAuth client when people last used it. Null: none yet',
        '最近一次签名正确的请求；OAuth 客户端为用户最近一次使用。null：尚无',
      ),
    ),
});
const newSecretReport = z
  .object({ kind, id: z.string(), secret: z.string() })
  .describe(described('A secret that was just made: it is told once', '刚生成的密钥：只返回这一次'));
const signedHeaders = z.object({
  headers: z.record(z.string(), z.string()),
  parts: requestShape.parts.describe(
    described('What was signed, in its parts; the secret masked', '签名的文本，分成各部分；密钥已遮盖'),
  ),
});
export type CallerReport = Report<typeof callerReport>;
export type NewSecret = Report<typeof newSecretReport>;
/** The headers of one call. They are good for 10 minutes. */
export type SignedHeaders = Report<typeof signedHeaders>;

const failures = {
  404: described('No such caller', '没有此调用方'),
  422: described('It is there already, or the site refuses it', '已存在，或站点不接受'),
};

export const callerOperations = {
  add: operation({
    method: 'post',
    path: '/integrations/callers',
    role: 'admin',
    audited: described('added a program', '添加对接程序'),
    summary: described(
      'Adds a caller; its secret is made here and answered this once, its id too where none is given',
      '添加程序；密钥由网关生成，只返回这一次，未指定标识时也由网关生成',
    ),
    body: one.extend({
      id: z.string().max(64).default('').describe(described('Empty: the box makes one', '空：由网关生成')),
      name: z.string().max(100).default(''),
      redirect_uris: z.array(z.string()).max(20).default([]),
    }),
    returns: described('The secret', '密钥'),
    answer: newSecretReport,
    failures,
  }),
  rotate: operation({
    method: 'post',
    path: '/integrations/callers/rotate',
    role: 'admin',
    audited: described('gave a program a new secret', '更换对接程序的密钥'),
    summary: described(
      'Makes a new secret for a caller, answered this once; the old one is refused from now on',
      '为程序更换密钥，新密钥只返回这一次，旧密钥立即失效',
    ),
    body: one,
    returns: described('The secret', '密钥'),
    answer: newSecretReport,
    failures,
  }),
  remove: operation({
    method: 'post',
    path: '/integrations/callers/remove',
    role: 'admin',
    audited: described('removed a program', '删除对接程序'),
    summary: described('Removes a caller: it is refused from now on', '删除程序，此后拒绝其调用'),
    body: one,
    returns: described('Done', '已完成'),
    answer: done,
    failures,
  }),
  sign: operation({
    method: 'post',
    path: '/integrations/sign',
    role: 'admin',
    audited: described('signed a call to try it', '签名并试用接口'),
    summary: described(
      'The headers with which a caller signs a call (SPEC 5.6, 5.7), good for 10 minutes; its secret stays here',
      '生成程序调用时的签名请求头（规范 5.6、5.7），10 分钟内有效；密钥不会返回',
    ),
    body: z.object({
      kind: z.enum(['attendance', 'services']),
      id,
      path: z
        .string()
        .regex(/^\/[!-~]*$/, 'a path: it begins with / and has no spaces')
        .max(500),
    }),
    returns: described('The headers, and what was signed with the secret masked', '请求头，以及遮盖了密钥的签名文本'),
    answer: signedHeaders,
    failures,
  }),
};

/** Where the callers of each kind stand in a site file. */
const sections = {
  attendance: { section: 'attendance_callers', id: 'app_key', secret: 'app_secret' },
  services: { section: 'apps', id: 'app_id', secret: 'app_key' },
  oauth: { section: 'oauth_clients', id: 'client_id', secret: 'client_secret' },
} as const satisfies Record<CallerKind, { section: keyof SiteFile; id: string; secret: string }>;

/** 128 bits, in digits that survive any form and any shell. */
const newSecret = (): string => randomBytes(16).toString('hex');
const newId = (kind: CallerKind): string => `${kind}-${randomBytes(4).toString('hex')}`;
const masked = '********';

type Item = Readonly<Record<string, unknown>>;

async function itemsOf(admin: Pick<BoxAdmin, 'site'>, kind: CallerKind): Promise<readonly Item[]> {
  const site = await admin.site({ withSecrets: false });
  return (site[sections[kind].section] ?? []) as readonly Item[];
}

type Use = NonNullable<CallerReport['used']>;
/** By kind and id. */
type LastUses = Readonly<Record<CallerKind, ReadonlyMap<string, Use>>>;

/** Names, ids and last uses. */
export async function callersOf(admin: Pick<BoxAdmin, 'site'>, uses: LastUses): Promise<CallerReport[]> {
  const site = await admin.site({ withSecrets: false });
  return callerKinds.flatMap(kind =>
    ((site[sections[kind].section] ?? []) as readonly Item[]).map(item => ({
      kind,
      id: String(item[sections[kind].id]),
      name: String(item.name ?? ''),
      redirect_uris: (item.redirect_uris as string[] | undefined) ?? [],
      used: uses[kind].get(String(item[sections[kind].id])) ?? null,
    })),
  );
}

/** Programs that call the box: added, given a new secret, removed, and signed for. */
export function callers({
  admin,
  store,
  clock,
}: {
  readonly admin: Pick<BoxAdmin, 'site' | 'apply'>;
  readonly store: ReadPart<OrganizationReads & SignedCallReads>;
  readonly clock: Clock;
}): Running<typeof callerOperations> {
  const isThere = async (of: { kind: CallerKind; id: string }) =>
    (await itemsOf(admin, of.kind)).some(item => item[sections[of.kind].id] === of.id);
  const unknown = (of: { id: string }) => refused(404, 'unknown', `there is no caller ${of.id}`);
  const put = async (of: CallerKind, items: readonly Item[], prune = false) => {
    const { section } = sections[of];
    const outcome = await admin.apply({ site: { [section]: items } as SiteFile, prune, dryRun: false });
    if (outcome.ok) return;
    const { problems } = outcome;
    throw refused(422, 'refused', `${problems[0]?.path.at(-1)}: ${problems[0]?.reason}`, { problems });
  };

  return {
    async add({ name, redirect_uris, kind, id: wanted }, call = byCommand) {
      const of = { kind, id: wanted.trim() === '' ? newId(kind) : wanted };
      call.subject(auditSubjects.say('caller', { of: of.kind, id: of.id }));
      if (await isThere(of)) throw refused(422, 'exists', `there is a caller ${of.id} already`);
      if (of.kind === 'oauth' && !(redirect_uris.length > 0 && redirect_uris.every(isWebAddress)))
        throw refused(422, 'redirect_uris', 'name at least one callback address, https:// or http://');
      const secret = newSecret();
      const { id: idField, secret: secretField } = sections[of.kind];
      const item = {
        [idField]: of.id,
        [secretField]: secret,
        ...(name === '' ? {} : { name }),
        ...(of.kind === 'oauth' ? { redirect_uris } : {}),
      };
      await put(of.kind, [item]);
      return { ...of, secret };
    },
    async rotate(of, call = byCommand) {
      call.subject(auditSubjects.say('caller', { of: of.kind, id: of.id }));
      const { id: idField, secret: secretField } = sections[of.kind];
      const held = (await itemsOf(admin, of.kind)).find(item => item[idField] === of.id);
      if (!held) throw unknown(of);
      const secret = newSecret();
      await put(of.kind, [{ ...held, [secretField]: secret }]);
      return { ...of, secret };
    },
    async remove(of, call = byCommand) {
      call.subject(auditSubjects.say('caller', { of: of.kind, id: of.id }));
      const items = await itemsOf(admin, of.kind);
      const staying = items.filter(item => item[sections[of.kind].id] !== of.id);
      if (staying.length === items.length) throw unknown(of);
      await put(of.kind, staying, true);
      return { done: true };
    },
    async sign(of, call = byCommand) {
      call.subject(auditSubjects.say('caller_path', { of: of.kind, id: of.id, path: of.path }));
      const path = of.path.split('?')[0]!;
      const timestamp = String(clock.now());
      if (of.kind === 'attendance') {
        const caller = await store.read.attendanceCaller(of.id);
        if (!caller) throw unknown(of);
        const parts = { path, timestamp, appKey: of.id, appSecret: caller.secret };
        const headers = { 'App-Key': of.id, 'App-Timestamp': timestamp, 'App-Sig': attendanceSignature(parts) };
        return { headers, parts: attendancePartsToSign({ ...parts, appSecret: masked }) };
      }
      const caller = await store.read.app(of.id);
      if (!caller) throw unknown(of);
      const nonce = randomBytes(3).toString('hex');
      const parts = { appId: of.id, appKey: caller.key, nonce, timestamp };
      const headers = { app_id: of.id, timestamp, nonce, sig: serviceSignature(parts) };
      return { headers, parts: servicePartsToSign({ ...parts, appKey: masked }) };
    },
  };
}

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
