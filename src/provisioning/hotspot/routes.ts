import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Site } from '../../platform/site.ts';
import { bytesOfSsid, type Ssid, ssidBytesMax } from '../../platform/ssid.ts';
import { formOfBody, jsonTextOfBody, NotText } from '../../platform/text-body.ts';
import { keyProblem, readWifiSecurity } from '../../platform/wifi-security.ts';
import type { Clock, UnixMs } from '../../runtime/clock.ts';
import type { SetupAttempt } from '../../store/index.ts';
import type { GivenReason } from '../../words/sentences.ts';
import { siteDeviceFailures } from '../../words/site-devices.ts';
import { wifiKeyProblems } from '../../words/wifi-keys.ts';
import type { WifiJoin, WifiNetwork } from '../wifi/port.ts';
import { isForeign, isOfType, namesTheBox, ownHost } from './own-callers.ts';
import { pageHeaders, setupPage, tryingPage } from './page.ts';
import { type HotspotWords, hotspotWords } from './words.ts';

/** Parts of the set-up that the hotspot's routes need. */
interface HotspotDesk {
  readonly device: { readonly sn: string; readonly model: string; readonly version: string };
  /** As they were before the hotspot was opened: meanwhile the radio cannot scan. */
  networks(): { readonly networks: readonly WifiNetwork[]; readonly at: UnixMs };
  lastAttempt(): SetupAttempt | null;
  /**
   * Takes the settings; it is tried once the answer is out. False: another attempt is under way.
   */
  take(settings: WifiJoin): boolean;
}

interface HotspotRoutesOptions {
  readonly desk: HotspotDesk;
  readonly clock: Clock;
  /** Of the site: for phones that name no language. */
  readonly site: Pick<Site, 'locale'>;
}

const bodyBytesMax = 4096;
/**
 * Addresses that phones request to find out whether there is internet; an unexpected answer opens
 * their sign-in sheet.
 */
const probes = [
  '/generate_204',
  '/gen_204',
  '/hotspot-detect.html',
  '/library/test/success.html',
  '/success.txt',
  '/canonical.html',
  '/connecttest.txt',
  '/ncsi.txt',
  '/redirect',
  '/check_network_status.txt',
  '/wifi/generate_204',
] as const;

const answerOf = <Data extends z.ZodType>(data: Data) => z.object({ code: z.string(), msg: z.string(), data });
const documented = (path: string, summary: string, schema: z.ZodType) =>
  createRoute({
    method: 'post',
    path,
    summary,
    responses: { 200: { description: 'code "0" means success', content: { 'application/json': { schema } } } },
  });

const listRoute = documented(
  '/wifi/list',
  'The networks that the box saw before it opened its hotspot',
  answerOf(z.array(z.object({ ssid: z.string(), anthenc: z.string(), quality: z.string() }))),
);
const queryRoute = documented(
  '/device/query',
  'What the device is; after a failed attempt also how it failed',
  answerOf(z.object({ sn: z.string(), model: z.string(), version: z.string() })),
);
const settingRoute = documented(
  '/wifi/setting',
  'Takes {ssid, authenc, key}: the box answers, leaves its hotspot and joins',
  z.object({ code: z.string(), msg: z.string() }),
);

/** SPEC 4.3 and the captive page, served in the box's hotspot while it is being set up. */
export function hotspotRoutes({ desk, clock, site }: HotspotRoutesOptions): OpenAPIHono {
  const app = new OpenAPIHono();
  app.onError((error, context) => {
    if (error instanceof NotText) return context.json({ code: '400', msg: error.message }, 400);
    throw error;
  });
  const saidTo = (context: Context) => hotspotWords(context.req.header('accept-language'), site.locale);

  const list = (context: Context) =>
    context.json({
      code: '0',
      msg: 'ok',
      data: desk
        .networks()
        .networks.map(({ ssid, security, quality }) => ({ ssid, anthenc: security, quality: String(quality) })),
    });
  const query = (context: Context) => {
    const last = desk.lastAttempt();
    const failed =
      last && last.status !== 0
        ? { last_status: String(last.status), last_error: String(last.error ?? ''), last_msg: last.why.reason }
        : {};
    return context.json({ code: '0', msg: 'ok', data: { ...desk.device, ...failed } });
  };
  const setting = async (context: Context) => {
    const read = readSettings(await bodyOf(context), desk.networks().networks);
    if ('problem' in read) return context.json({ code: '400', msg: `${read.field}: ${read.problem.reason}` });
    return context.json(
      desk.take(read.settings)
        ? { code: '0', msg: 'ok' }
        : {
            code: '409',
            msg: 'other settings were taken before: the box is trying them, and opens again if they fail',
          },
    );
  };
  // Only the box's own page, and apps, which send JSON without an Origin (SPEC 4.3).
  for (const path of ['/wifi/list', '/wifi/setting', '/device/query'])
    app.use(path, async (context, next) => {
      if (isForeign(context))
        return context.json({ code: '403', msg: 'asked for by a page of another site, or under another name' }, 403);
      if (context.req.method === 'POST' && !isOfType(context, 'application/json'))
        return context.json({ code: '415', msg: 'Content-Type: send application/json' }, 415);
      return next();
    });
  app.openapi(listRoute, list as never);
  app.openapi(queryRoute, query as never);
  app.openapi(settingRoute, setting as never);
  app.get('/wifi/list', list);
  app.get('/device/query', query);

  const page = (said: HotspotWords, problem: string | null) => {
    const { networks, at } = desk.networks();
    const last = desk.lastAttempt();
    return setupPage(said, {
      networks,
      minutes: Math.max(0, Math.floor((clock.now() - at) / 60_000)),
      device: desk.device,
      failed: last && last.status !== 0 ? last : null,
      problem,
    });
  };
  const show = async (context: Context) =>
    namesTheBox(context)
      ? context.body(await page(saidTo(context), null), 200, pageHeaders)
      : context.redirect(ownAddress(context), 302);
  app.get('/', show);
  app.get('/setup', show);
  app.post('/setup', async context => {
    const said = saidTo(context);
    if (isForeign(context)) return context.body(await page(said, said.words.foreign), 403, pageHeaders);
    if (!isOfType(context, 'application/x-www-form-urlencoded'))
      return context.json({ code: '415', msg: 'Content-Type: send application/x-www-form-urlencoded' }, 415);
    const form = formOfBody(await bodyOf(context));
    const ssid = (form.get('ssid') || form.get('typed')) ?? '';
    const read = settingsOf({ ssid, key: form.get('key') ?? '' }, desk.networks().networks);
    if ('problem' in read) return context.body(await page(said, said.reason(read.problem)), 400, pageHeaders);
    if (!desk.take(read.settings)) return context.body(await page(said, said.words.busy), 409, pageHeaders);
    return context.body(await tryingPage(said, ssid), 200, pageHeaders);
  });
  // A phone asks under names of its maker: whatever the Host, it is sent to the page.
  for (const path of probes) app.get(path, context => context.redirect(ownAddress(context), 302));
  app.notFound(context =>
    context.req.method === 'GET'
      ? context.redirect(ownAddress(context), 302)
      : context.json({ code: '404', msg: `${context.req.path}: no such path` }, 404),
  );
  return app;
}

/**
 * The page by the address at which the phone reached the box, never by the name that it asked for.
 */
function ownAddress(context: Context): string {
  const host = ownHost(context);
  return host === null ? '/setup' : `http://${host}/setup`;
}

async function bodyOf(context: Context): Promise<Uint8Array> {
  const reader = context.req.raw.body?.getReader();
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for (;;) {
    const read = await reader?.read();
    if (!read || read.done) break;
    bytes += read.value.length;
    if (bytes > bodyBytesMax) {
      await reader?.cancel();
      return new Uint8Array();
    }
    chunks.push(read.value);
  }
  return Buffer.concat(chunks);
}

type Field = 'ssid' | 'authenc' | 'key';
type Read = { readonly settings: WifiJoin } | { readonly problem: GivenReason; readonly field: Field };

/**
 * `authenc` is the request's spelling, `anthenc` the answer's: both are read (DESIGN 5), and
 * `auth`. Other keys mean nothing.
 */
function readSettings(body: Uint8Array, networks: readonly WifiNetwork[]): Read {
  let said: unknown;
  try {
    said = JSON.parse(jsonTextOfBody(body));
  } catch (error) {
    if (error instanceof NotText) return refuse('ssid', error.message);
    return refuse('ssid', 'the body is no JSON: send {"ssid": …, "authenc": …, "key": …}');
  }
  if (said === null || typeof said !== 'object' || Array.isArray(said))
    return refuse('ssid', 'the body is no JSON object: send {"ssid": …, "authenc": …, "key": …}');
  const { ssid, authenc, anthenc, auth, key } = said as Record<string, unknown>;
  if (typeof ssid !== 'string') return refuse('ssid', 'text is missing');
  if (key !== undefined && key !== null && typeof key !== 'string') return refuse('key', 'not text');
  const security = authenc ?? anthenc ?? auth;
  if (security !== undefined && typeof security !== 'string') return refuse('authenc', 'not text');
  return settingsOf({ ssid, key: key ?? '', ...(security ? { authenc: security } : {}) }, networks);
}

const refuse = (field: Field, reason: string): Read => ({ problem: { reason }, field });

/**
 * Settings of a network: findings of the scan win over the app's. But a password means a protected
 * network: an open one of the same name is another network, and joining it fails.
 */
export function settingsOf(
  { ssid, bytes: sent, key, authenc }: Ssid & { readonly key: string; readonly authenc?: string },
  networks: readonly WifiNetwork[],
): Read {
  const seen = networks.find(one => one.ssid === ssid);
  // As the router sends it, whatever the app makes of it.
  const bytes = seen ? seen.bytes : sent;
  const { length } = bytesOfSsid({ ssid, ...(bytes ? { bytes } : {}) });
  if (length === 0 || length > ssidBytesMax)
    return { field: 'ssid', problem: siteDeviceFailures.say('ssid_length', { bytes: length, max: ssidBytesMax }) };
  const stated = authenc === undefined ? undefined : readWifiSecurity(authenc);
  if (!seen && authenc && !stated) return { field: 'authenc', problem: wifiKeyProblems.say('wifi_kind_unknown') };
  const open = stated === 'none' || key === '';
  const heard = seen && (seen.security !== 'none' || open) ? seen.security : undefined;
  const security = heard ?? (open ? 'none' : stated);
  const usable = security === 'none' ? '' : key;
  const problem = keyProblem(security, usable);
  if (problem) return { field: 'key', problem };
  return { settings: { ssid, ...(bytes ? { bytes } : {}), key: usable, security, hidden: !seen } };
}
