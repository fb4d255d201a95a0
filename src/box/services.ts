import type { openAccounts } from '../accounts/index.ts';
import type { Config } from '../config/index.ts';
import { BoxError } from '../listeners/index.ts';
import type { Clock } from '../runtime/clock.ts';
import { GrowingBuffer } from '../runtime/growing-buffer.ts';
import { dayOf } from '../runtime/wall-time.ts';
import { HolidayTableRefused, type openServices, readHolidayTable } from '../services/index.ts';
import { httpCaller, type Trust } from '../upstream/index.ts';
import { openOutgoing } from './outgoing.ts';

/** The trust store for calls to the cloud. */

type Options = Parameters<typeof openServices>[0];

/**
 * The options of the public services: how to reach the cloud, and the addresses that its answers
 * name.
 */
export function serviceParts(
  config: Config,
  trust: Trust,
  clock: Clock,
  parts: AsyncDisposableStack,
): Pick<Options, 'cloud' | 'download' | 'openPackage' | 'holidays' | 'place' | 'speechCommand' | 'today'> {
  const psp = config.upstream?.psp;
  // The cloud's packages and spoken texts may be on the operator's own server, wherever that is.
  const rules = { trust, named: psp ? [new URL(psp.url).origin] : [] };
  const { place, speech_command: speechCommand } = config.services;
  return {
    cloud: psp ? { send: cloudSender(psp.url, trust, parts), appId: psp.app_id, appKey: psp.app_key } : null,
    async download(url, bytesMax, signal) {
      const { status, stream } = await openOutgoing(url, {}, rules, signal);
      const answer = new GrowingBuffer();
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        if (answer.length + chunk.length > bytesMax) throw new Error(`${url}: larger than ${bytesMax} bytes`);
        answer.add(chunk);
      }
      if (status !== 200) throw new Error(`${url}: HTTP ${status}`);
      return answer.take();
    },
    async openPackage(url, { offset }, signal) {
      const { status, stream, headers } = await openOutgoing(
        url,
        offset > 0 ? { range: `bytes=${offset}-` } : {},
        rules,
        signal,
      );
      const range = headers['content-range'];
      const length = headers['content-length'];
      const total = range ? Number(range.split('/')[1]) : length === undefined ? null : Number(length);
      return { status, stream, bytesTotal: total !== null && Number.isFinite(total) ? total : null };
    },
    holidays: ownHolidays(config),
    ...(place === undefined ? {} : { place: /^[\d.,\s-]+$/.test(place) ? { location: place } : { city: place } }),
    ...(speechCommand === undefined ? {} : { speechCommand }),
    today: () => dayOf(clock.now(), config.site.timezone).day,
  };
}

/** The cloud as the OAuth server for its own people; null: they cannot sign in here. */
export function cloudOAuth(
  { upstream }: Config,
  trust: Trust,
  parts: AsyncDisposableStack,
): Parameters<typeof openAccounts>[0]['cloud'] {
  if (!upstream?.oauth || !upstream.oauth_client) return null;
  const caller = parts.adopt(httpCaller(upstream.oauth, { trust, sockets: 4, timeoutMs: 8000 }), one => one.close());
  return {
    url: upstream.oauth.replace(/\/$/, ''),
    clientId: upstream.oauth_client.client_id,
    clientSecret: upstream.oauth_client.client_secret,
    call: (path, options) => caller.call(path, options),
  };
}

/** Sends short calls over one kept connection and each file over a connection of its own. */
function cloudSender(url: string, trust: Trust, parts: AsyncDisposableStack): NonNullable<Options['cloud']>['send'] {
  const calls = parts.adopt(httpCaller(url, { trust, sockets: 4, timeoutMs: 10_000 }), one => one.close());
  const files = parts.adopt(httpCaller(url, { trust, timeoutMs: 60_000, takesPages: true }), one => one.close());
  return (path, options) => (typeof options.body === 'object' ? files : calls).call(path, options);
}

function ownHolidays({ services }: Config) {
  if (services.holidays === undefined) return undefined;
  try {
    return readHolidayTable('services.holidays', services.holidays);
  } catch (error) {
    if (error instanceof HolidayTableRefused) throw new BoxError(error.message);
    throw error;
  }
}
