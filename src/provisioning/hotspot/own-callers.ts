import type { IncomingMessage } from 'node:http';
import type { Context } from 'hono';

/**
 * Where the phone reached the box: `10.192.168.1`, with the port where it is not 80; null: not over
 * a connection.
 */
export function ownHost(context: Context): string | null {
  const { incoming } = (context.env ?? {}) as { incoming?: IncomingMessage };
  const host = incoming?.socket?.localAddress?.replace(/^::ffff:/, '');
  if (!host) return null;
  const port = incoming?.socket?.localPort;
  return `${host.includes(':') ? `[${host}]` : host}${port === 80 ? '' : `:${port}`}`;
}

/**
 * Whether the call names the box by its address. A foreign page can make its own name resolve to
 * the box's address (DNS rebinding): then Host and Origin contain that name.
 */
export function namesTheBox(context: Context): boolean {
  const own = ownHost(context);
  const host = context.req.header('host')?.replace(/:80$/, '');
  return own === null || host === own;
}

/** Whether a page from elsewhere sent this, which a phone may have open. An app sends no Origin. */
export function isForeign(context: Context): boolean {
  const site = context.req.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  if (!namesTheBox(context)) return true;
  const origin = context.req.header('origin');
  if (origin === undefined) return false;
  return origin.replace(/:80$/, '') !== `http://${context.req.header('host')?.replace(/:80$/, '')}`;
}

/**
 * Whether the body is declared as this type. A foreign page may send plain text and forms without a
 * preflight, but not JSON. Some apps name no type at all, which a page cannot do without sending
 * its Origin.
 */
export function isOfType(context: Context, type: 'application/json' | 'application/x-www-form-urlencoded'): boolean {
  const said = context.req.header('content-type');
  return said === undefined || said.split(';', 1)[0]!.trim().toLowerCase() === type;
}
