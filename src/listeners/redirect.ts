import { parseAddress } from '../runtime/address.ts';
import type { Fetch } from './served.ts';

/** Redirects clients of the plain port to the same path over HTTPS. */
export function redirectTo(https: string | null): Fetch {
  const port = https === null ? null : parseAddress(https)?.port;
  return request => {
    const url = new URL(request.url);
    if (port === null || port === undefined)
      return new Response('this box serves https alone, and it is off\n', { status: 404 });
    url.protocol = 'https:';
    url.port = port === 443 ? '' : String(port);
    return new Response(null, { status: 308, headers: { location: url.href } });
  };
}
