import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { SignedPart } from '../../platform/signature.ts';
import type { AdminEnvironment } from '../guard.ts';
import type { GrantReport } from '../port.ts';
import { type CallerReport, callerRoutes, callersOf } from './callers.ts';
import { commissionRoutes } from './commission.ts';
import { logRoutes } from './logs.ts';
import type { UiParts } from './parts.ts';

/** A call that was refused for its signature, of either API. */
export interface RefusedCallReport {
  readonly kind: 'attendance' | 'services';
  readonly at: number;
  readonly address: string;
  readonly path: string;
  readonly caller: string;
  /** The likely mistake, as a word for the page and as a sentence. */
  readonly mistake: string;
  readonly says: string;
  /** What should have been signed, the secret masked; empty where that is not the matter. */
  readonly parts: readonly SignedPart[];
  readonly differs: SignedPart['name'] | null;
  readonly count: number;
}

export interface IntegrationsReport {
  readonly callers: readonly CallerReport[];
  /** Newest first. */
  readonly refused: readonly RefusedCallReport[];
  /** The last used first. */
  readonly grants: readonly GrantReport[];
  /** What the cloud has yet to be given of the public services, and what it refused. */
  readonly waiting: { readonly files: number; readonly messages: number; readonly refused: number };
}

const integrationsRoute = createRoute({
  method: 'get',
  path: '/integrations',
  summary: 'Programs that call the box, the last calls that were refused and why, and what people have allowed',
  responses: { 200: { description: 'The report', content: { 'application/json': { schema: z.any() } } } },
});

/** What the pages about callers, logs and commissioning ask. */
export function integrationsUiRoutes(app: OpenAPIHono<AdminEnvironment>, parts: UiParts): void {
  app.openapi(integrationsRoute, async context => context.json(await integrationsReport(parts), 200));
  callerRoutes(app, parts);
  commissionRoutes(app, parts);
  logRoutes(app, parts);
}

async function integrationsReport({ admin, attendance, services }: UiParts): Promise<IntegrationsReport> {
  const [callers, grants, { waiting }] = await Promise.all([callersOf(admin), admin.grants(null), admin.services()]);
  const refused: RefusedCallReport[] = [
    ...attendance.status().refusedCalls.map(({ app_key, code: _code, string_to_sign: _text, ...call }) => ({
      ...call,
      kind: 'attendance' as const,
      caller: app_key,
    })),
    ...services.refusedCalls().map(({ app_id, string_to_sign: _text, ...call }) => ({
      ...call,
      kind: 'services' as const,
      caller: app_id,
    })),
  ];
  return { callers, refused: refused.sort((one, other) => other.at - one.at), grants, waiting };
}
