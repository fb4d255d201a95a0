import { randomBytes } from 'node:crypto';
import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { SiteFile } from '../../config/index.ts';
import {
  attendancePartsToSign,
  attendanceSignature,
  type SignedPart,
  servicePartsToSign,
  serviceSignature,
} from '../../platform/signature.ts';
import type { AdminContext, AdminEnvironment } from '../guard.ts';
import type { BoxAdmin } from '../port.ts';
import { failures, problem, problemSchema, problemType } from '../problem.ts';
import type { UiParts } from './parts.ts';

export const callerKinds = ['attendance', 'services', 'oauth'] as const;
export type CallerKind = (typeof callerKinds)[number];

export interface CallerReport {
  readonly kind: CallerKind;
  readonly id: string;
  readonly name: string;
  /** Of OAuth clients; empty for the others. */
  readonly redirect_uris: readonly string[];
}

/** A secret that was just made: it is told once. */
export interface NewSecret {
  readonly kind: CallerKind;
  readonly id: string;
  readonly secret: string;
}

/** The headers of one call. They are good for 10 minutes. */
export interface SignedHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** What was signed, in its parts; the secret masked. */
  readonly parts: readonly SignedPart[];
}

/** Where the callers of each kind stand in a site file. */
const sections = {
  attendance: { section: 'attendance_callers', id: 'app_key', secret: 'app_secret' },
  services: { section: 'apps', id: 'app_id', secret: 'app_key' },
  oauth: { section: 'oauth_clients', id: 'client_id', secret: 'client_secret' },
} as const satisfies Record<CallerKind, { section: keyof SiteFile; id: string; secret: string }>;

/** 128 bits, in digits that survive any form and any shell. */
const newSecret = (): string => randomBytes(16).toString('hex');
const masked = '********';

type Item = Readonly<Record<string, unknown>>;

async function itemsOf(admin: Pick<BoxAdmin, 'site'>, kind: CallerKind): Promise<readonly Item[]> {
  const site = await admin.site({ withSecrets: false });
  return (site[sections[kind].section] ?? []) as readonly Item[];
}

/** Names and ids alone. */
export async function callersOf(admin: Pick<BoxAdmin, 'site'>): Promise<CallerReport[]> {
  const site = await admin.site({ withSecrets: false });
  return callerKinds.flatMap(kind =>
    ((site[sections[kind].section] ?? []) as readonly Item[]).map(item => ({
      kind,
      id: String(item[sections[kind].id]),
      name: String(item.name ?? ''),
      redirect_uris: (item.redirect_uris as string[] | undefined) ?? [],
    })),
  );
}

const json = <Schema extends z.ZodType>(schema: Schema) => ({ 'application/json': { schema } });
const refused = (description: string) => ({ description, content: { [problemType]: { schema: problemSchema } } });
const answers = (description: string) => ({
  200: { description, content: json(z.any()) },
  404: refused('No such caller'),
  422: refused('It is there already, or the site refuses it'),
  ...failures,
});
const kind = z.enum(callerKinds);
const id = z.string().min(1).max(64);
const one = z.object({ kind, id });

const addRoute = createRoute({
  method: 'post',
  path: '/integrations/callers',
  summary: 'Adds a caller; its secret is made here and answered this once',
  request: {
    body: {
      required: true,
      content: json(
        one.extend({ name: z.string().max(100).default(''), redirect_uris: z.array(z.string()).max(20).default([]) }),
      ),
    },
  },
  responses: answers('The secret'),
});
const rotateRoute = createRoute({
  method: 'post',
  path: '/integrations/callers/rotate',
  summary: 'Makes a new secret for a caller, answered this once; the old one is refused from now on',
  request: { body: { required: true, content: json(one) } },
  responses: answers('The secret'),
});
const removeRoute = createRoute({
  method: 'post',
  path: '/integrations/callers/remove',
  summary: 'Removes a caller: it is refused from now on',
  request: { body: { required: true, content: json(one) } },
  responses: answers('Done'),
});
const signRoute = createRoute({
  method: 'post',
  path: '/integrations/sign',
  summary: 'The headers with which a caller signs a call (SPEC 5.6, 5.7), good for 10 minutes; its secret stays here',
  request: {
    body: {
      required: true,
      content: json(
        z.object({
          kind: z.enum(['attendance', 'services']),
          id,
          path: z
            .string()
            .regex(/^\/[!-~]*$/, 'a path: it begins with / and has no spaces')
            .max(500),
        }),
      ),
    },
  },
  responses: answers('The headers, and what was signed with the secret masked'),
});

/** Programs that call the box: added, given a new secret, removed, and signed for. */
export function callerRoutes(app: OpenAPIHono<AdminEnvironment>, { admin, store, clock }: UiParts): void {
  const isThere = async (of: z.infer<typeof one>) =>
    (await itemsOf(admin, of.kind)).some(item => item[sections[of.kind].id] === of.id);
  const unknown = (context: AdminContext, of: { id: string }) =>
    problem(context, 404, 'unknown', `there is no caller ${of.id}`) as never;
  const put = async (context: AdminContext, of: CallerKind, items: readonly Item[], prune = false) => {
    const { section } = sections[of];
    const outcome = await admin.apply({ site: { [section]: items } as SiteFile, prune, dryRun: false });
    if (outcome.ok) return null;
    const [first] = outcome.problems;
    return problem(context, 422, 'refused', `${first?.path.at(-1)}: ${first?.reason}`, outcome.problems) as never;
  };

  app.openapi(addRoute, async context => {
    const { name, redirect_uris, ...of } = context.req.valid('json');
    context.set('subject', `${of.kind} ${of.id}`);
    if (await isThere(of)) return problem(context, 422, 'exists', `there is a caller ${of.id} already`) as never;
    if (of.kind === 'oauth' && !(redirect_uris.length > 0 && redirect_uris.every(isWebAddress)))
      return problem(context, 422, 'redirect_uris', 'name at least one callback address, https:// or http://') as never;
    const secret = newSecret();
    const { id: idField, secret: secretField } = sections[of.kind];
    const item = {
      [idField]: of.id,
      [secretField]: secret,
      ...(name === '' ? {} : { name }),
      ...(of.kind === 'oauth' ? { redirect_uris } : {}),
    };
    return (await put(context, of.kind, [item])) ?? context.json({ ...of, secret } satisfies NewSecret, 200);
  });
  app.openapi(rotateRoute, async context => {
    const of = context.req.valid('json');
    context.set('subject', `${of.kind} ${of.id}`);
    const { id: idField, secret: secretField } = sections[of.kind];
    const held = (await itemsOf(admin, of.kind)).find(item => item[idField] === of.id);
    if (!held) return unknown(context, of);
    const secret = newSecret();
    const failed = await put(context, of.kind, [{ ...held, [secretField]: secret }]);
    return failed ?? context.json({ ...of, secret } satisfies NewSecret, 200);
  });
  app.openapi(removeRoute, async context => {
    const of = context.req.valid('json');
    context.set('subject', `${of.kind} ${of.id}`);
    const items = await itemsOf(admin, of.kind);
    const staying = items.filter(item => item[sections[of.kind].id] !== of.id);
    if (staying.length === items.length) return unknown(context, of);
    return (await put(context, of.kind, staying, true)) ?? context.json({ done: true }, 200);
  });
  app.openapi(signRoute, async context => {
    const of = context.req.valid('json');
    context.set('subject', `${of.kind} ${of.id} ${of.path}`);
    const path = of.path.split('?')[0]!;
    const timestamp = String(clock.now());
    if (of.kind === 'attendance') {
      const caller = await store.read.attendanceCaller(of.id);
      if (!caller) return unknown(context, of);
      const parts = { path, timestamp, appKey: of.id, appSecret: caller.secret };
      const headers = { 'App-Key': of.id, 'App-Timestamp': timestamp, 'App-Sig': attendanceSignature(parts) };
      const signed: SignedHeaders = { headers, parts: attendancePartsToSign({ ...parts, appSecret: masked }) };
      return context.json(signed, 200);
    }
    const caller = await store.read.app(of.id);
    if (!caller) return unknown(context, of);
    const nonce = randomBytes(3).toString('hex');
    const parts = { appId: of.id, appKey: caller.key, nonce, timestamp };
    const headers = { app_id: of.id, timestamp, nonce, sig: serviceSignature(parts) };
    const signed: SignedHeaders = { headers, parts: servicePartsToSign({ ...parts, appKey: masked }) };
    return context.json(signed, 200);
  });
}

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
