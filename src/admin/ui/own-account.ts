import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import type { AdminEnvironment } from '../guard.ts';
import { problem } from '../problem.ts';
import type { UiParts } from './parts.ts';

const passwordRoute = createRoute({
  method: 'post',
  path: '/me/password',
  summary: 'A new password for whoever is signed in, who says the old one; the sessions end',
  request: {
    body: {
      required: true,
      content: { 'application/json': { schema: z.object({ old: z.string().max(1000), new: z.string().max(1000) }) } },
    },
  },
  responses: { 200: { description: 'Done', content: { 'application/json': { schema: z.any() } } } },
});

/** What everybody may change of themselves, whatever the role. */
export function ownAccountRoutes(app: OpenAPIHono<AdminEnvironment>, { admin, accounts }: UiParts): void {
  app.openapi(passwordRoute, async context => {
    const { actor, role, address, via } = context.get('caller');
    if (via !== 'session')
      return problem(context, 403, 'not_a_person', 'a token has no password: sign in with a name') as never;
    const { old, new: wanted } = context.req.valid('json');
    const checked = await accounts.checkPassword({ name: actor, password: old, address });
    if (!checked.ok) {
      const noted = { actor, role, address, action: 'POST /me/password', subject: checked.why };
      await accounts.access.audit({ ...noted, outcome: 'refused' });
      if (checked.why === 'wrong')
        return problem(context, 422, 'wrong', 'the password that you have now is another') as never;
      context.header('Retry-After', String(checked.retryAfterSeconds));
      const status = checked.why === 'busy' ? 503 : 429;
      return problem(context, status, checked.why, `try again in ${checked.retryAfterSeconds} s`) as never;
    }
    context.set('subject', actor);
    const refused = await admin.putUser({ name: actor, password: wanted });
    if (refused) return problem(context, 422, refused.title, refused.says) as never;
    return context.json({ done: true }, 200);
  });
}
