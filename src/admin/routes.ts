import { OpenAPIHono } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { NotText } from '../platform/text-body.ts';
import { StoreError } from '../store/index.ts';
import { type AdminEnvironment, type AdminIdentity, guard } from './guard.ts';
import type { BoxAdmin } from './port.ts';
import { AdminRefused, problem, refusal, storeProblem } from './problem.ts';
import { qrCodes, qrOperations } from './qr.ts';
import { recordOperations, recordsOf } from './records.ts';
import { resources } from './resources.ts';
import { serve } from './serve.ts';
import { siteOf, siteOperations } from './site.ts';

/**
 * The admin API (CONTRACT 6). `identity` is the one place that says who calls, and keeps what they
 * did.
 */
export function adminRoutes(
  admin: BoxAdmin,
  identity: AdminIdentity,
  /** Routes that only some callers have. */
  more: (app: OpenAPIHono<AdminEnvironment>) => void = () => {},
): OpenAPIHono<AdminEnvironment> {
  const app = refusing(identity);
  app.use('*', guard(identity, '/admin/v1'));

  for (const name of Object.keys(resources) as (keyof typeof resources)[])
    serve(app, resources[name].operations, admin[name] as never);
  serve(app, siteOperations, siteOf(admin));
  serve(app, recordOperations, recordsOf(admin));
  more(app);
  serve(app, qrOperations, qrCodes(admin));
  return app;
}

/** An app that answers what is refused or fails with a problem (RFC 9457). */
export function refusing(identity: Pick<AdminIdentity, 'onError'>): OpenAPIHono<AdminEnvironment> {
  const app = new OpenAPIHono<AdminEnvironment>({
    defaultHook: (result, context) => {
      if (result.success) return;
      const [issue] = result.error.issues;
      return problem(context, 400, 'Bad request', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
    },
  });
  app.onError((error, context) => {
    identity.onError?.(error);
    if (error instanceof AdminRefused) return refusal(context, error);
    if (error instanceof StoreError) return storeProblem(context, error);
    // A body that is no JSON.
    if (error instanceof HTTPException || error instanceof NotText)
      return problem(context, 400, 'Bad request', error.message);
    return problem(context, 500, 'Failed', error.message);
  });
  app.notFound(context => problem(context, 404, 'Not found', `${context.req.method} ${context.req.path}`));
  return app;
}
