import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { formOfBody } from '../../platform/text-body.ts';
import { readBody } from '../../runtime/read-body.ts';

export type Call = Context<{ Bindings: HttpBindings }>;

const formBytesMax = 16 * 1024;

export const isSecure = (call: Call): boolean => 'encrypted' in call.env.incoming.socket;

export const originOf = (call: Call): string => {
  return `${isSecure(call) ? 'https' : 'http'}://${call.env.incoming.headers.host ?? 'localhost'}`;
};

/** Names the address without TLS from which the browser was sent on. */
export const cameFrom = 'came_from';

export const hostOf = (origin: string): string => {
  const { hostname } = new URL(origin);
  return hostname === '' ? 'localhost' : hostname;
};

/**
 * This box, by the address at which the client began: the one without TLS counts when it is of the
 * same host.
 */
function issuerOf(call: Call, goOn: string): string {
  const own = originOf(call);
  const asked = new URLSearchParams(goOn).get(cameFrom);
  if (asked === null || !URL.canParse(asked)) return own;
  const { protocol, origin } = new URL(asked);
  return protocol === 'http:' && origin === asked && hostOf(asked) === hostOf(own) ? asked : own;
}

/** Rejects with NotText for a form that is not UTF-8. */
export async function formOf(call: Call): Promise<URLSearchParams> {
  return formOfBody(await readBody(call.env.incoming, formBytesMax));
}

/**
 * Back to the client, with the code or the error, its state, and the issuer (RFC 9207: a client of
 * several servers can distinguish them).
 */
export function back(
  call: Call,
  status: 302 | 303,
  { redirectUri, state }: { redirectUri: string; state: string | null },
  goOn: string,
  answer: Record<string, string>,
): Response {
  const target = new URL(redirectUri);
  for (const [name, value] of Object.entries(answer)) target.searchParams.set(name, value);
  if (state !== null) target.searchParams.set('state', state);
  target.searchParams.set('iss', issuerOf(call, goOn));
  return call.body(null, status, {
    Location: target.href,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
  });
}
