import type { HttpBindings } from '@hono/node-server';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Accounts } from './accounts/index.ts';
import { type AdminIdentity, adminRoutes, type BoxAdmin, LiveFeed, type UiParts, uiRoutes } from './admin/index.ts';
import { webUi } from './box-ui.ts';

/** Whoever may open the box's Unix socket is an admin; what the commands change is written down like everything else. */
const onTheSocket = (accounts: Accounts): AdminIdentity => ({
  callerOf: async () => ({
    ok: true,
    caller: { actor: 'command', account: 'command', role: 'admin', via: 'socket', address: '' },
  }),
  audit: entry => accounts.access.audit(entry),
});

const overHttps = (accounts: Accounts): AdminIdentity => ({
  callerOf: context => accounts.access.identify((context.env as HttpBindings).incoming),
  audit: entry => accounts.access.audit(entry),
});

/** The admin API for the commands, on the Unix socket. */
export function socketRoutes(admin: BoxAdmin, accounts: Accounts): OpenAPIHono {
  const app = new OpenAPIHono();
  app.route('/admin/v1', adminRoutes(admin, onTheSocket(accounts)));
  return app;
}

/** The admin API for browsers and tokens, signing in, and the web UI: over TLS alone. */
export function staffSide(
  parts: UiParts,
  accounts: Accounts,
): AsyncDisposable & { api(): OpenAPIHono; pages(): OpenAPIHono } {
  const feed = new LiveFeed(parts);
  return {
    api() {
      const app = new OpenAPIHono();
      app.route('/admin/v1', accounts.staff as never);
      app.route(
        '/admin/v1',
        adminRoutes(parts.admin, overHttps(accounts), admin => uiRoutes(admin, parts, feed)),
      );
      return app;
    },
    pages: webUi,
    [Symbol.asyncDispose]: () => feed[Symbol.asyncDispose](),
  };
}
