import { createHash } from 'node:crypto';
import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type RequestOptions } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Box } from '../../src/box/box.ts';
import { mqttPassword } from '../../src/platform/signature.ts';
import { hiddenFields } from './accounts.ts';
import { signed } from './attendance.ts';
import { checkAnswer } from './openapi.ts';

/** Who may call a route: the columns of test/security/matrix.ts. */
export const callers = [
  'nobody',
  'wrong',
  'viewer',
  'staff',
  'admin',
  'oauth',
  'device',
  'box',
  'signed',
  'employee',
] as const;
export type CallerName = (typeof callers)[number];

export const password = 'plum-Ladder-49-cobalt';
export const portal = { app_id: 'hr-portal', app_key: 'k1-of-the-portal' };
export const payroll = { app_key: 'ak1-of-payroll', app_secret: 'as1-of-payroll' };
export const canteen = {
  client_id: 'canteen',
  client_secret: 's3cret of the canteen',
  name: 'Canteen',
  redirect_uris: ['https://canteen.example/cb'],
};
const boxKey = 'key-of-the-boxes';
const faceKey = 'key-of-the-product';
export const deviceId = 'FACE-T1_A0001';
export const boxId = 'GATEHOUSE_000002';

/** A site in which each of the callers has its credentials. */
export const siteOfAllCallers = {
  products: [
    { product_id: 'FACE-T1', product_key: faceKey, model: 'FT1', access: 'both' as const },
    { product_id: 'GATEHOUSE', product_key: boxKey, model: 'GH1', access: 'both' as const },
  ],
  boxes: [{ box_id: boxId }],
  apps: [portal],
  attendance_callers: [payroll],
  oauth_clients: [canteen],
  users: (['viewer', 'staff', 'admin'] as const).map(role => ({ name: `the-${role}`, password, role })),
  departments: [{ ext_id: 'd-callers', name: 'Callers' }],
  employees: [{ ext_id: 'the-employee', name: 'Li Mei', mobile: '', department: { ext_id: 'd-callers' } }],
};

/** One way in which a caller identifies itself: headers for a call of this path. */
export type Way = (path: string) => Record<string, string>;

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface HttpCall {
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: string | Uint8Array;
}

/** Where a listener is: `127.0.0.1:8443`, or the path of a socket. */
export interface Target {
  readonly address: string;
  readonly ca?: string;
}

/**
 * Calls from an address of its own (of the loopback), over one connection that stays open, so that
 * limits by address apply to it alone.
 */
export function aClient({ address, ca }: Target, localAddress = '127.0.0.1') {
  const unix = address.startsWith('/');
  const [host, port] = address.split(':');
  const agent = ca
    ? new HttpsAgent({ keepAlive: true, maxSockets: 1, ca })
    : new HttpAgent({ keepAlive: true, maxSockets: 1 });
  const where: RequestOptions = unix ? { socketPath: address } : { host: host!, port: Number(port), localAddress };
  return {
    ask: ({ method, path, headers = {}, body }: HttpCall) =>
      new Promise<HttpAnswer>((resolve, reject) => {
        const outgoing = (ca ? httpsRequest : httpRequest)({ ...where, agent, method, path, headers }, response => {
          const answer = (text: string) =>
            resolve({ status: response.statusCode!, headers: response.headers, body: text });
          // An event stream does not end: it is enough that it was opened.
          if (response.headers['content-type']?.startsWith('text/event-stream')) {
            response.destroy();
            return answer('');
          }
          const chunks: Buffer[] = [];
          response.on('data', chunk => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            try {
              if (path.startsWith('/admin/v1/') && response.headers['content-type'] === 'application/json')
                checkAnswer(method, path.slice('/admin/v1'.length), response.statusCode!, JSON.parse(text));
              answer(text);
            } catch (error) {
              reject(error);
            }
          });
        });
        outgoing.on('error', reject);
        outgoing.end(body);
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}

const cookieOf = ({ headers }: HttpAnswer, name: RegExp): string => {
  const found = headers['set-cookie']?.map(one => one.split(';')[0]!).find(one => name.test(one));
  if (!found) throw new Error(`no cookie ${name} in ${JSON.stringify(headers['set-cookie'])}`);
  return found;
};

/**
 * Signs everybody in at a box with `siteOfAllCallers`, and returns how each identifies itself: the
 * first way is the usual one.
 */
export async function signInEverybody(box: Box): Promise<Readonly<Record<CallerName, readonly Way[]>>> {
  const address = box.addresses.https!;
  const origin = `https://${address}`;
  const fromHere = { origin, 'sec-fetch-site': 'same-origin' };
  using client = aClient({ address, ca: box.caPem });

  const staff = async (role: string): Promise<Way[]> => {
    const answer = await client.ask({
      method: 'POST',
      path: '/admin/v1/session',
      headers: { ...fromHere, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `the-${role}`, password }),
    });
    const cookie = cookieOf(answer, /^__Host-gatehouse=/);
    return [() => ({ ...fromHere, cookie })];
  };
  /** Who opened "My attendance"; the cookie, also under the name of the pages' cookie. */
  const employee = async (): Promise<Way[]> => {
    const json = { ...fromHere, 'content-type': 'application/json' };
    const path = '/admin/v1/access-codes';
    const made = await client.ask({
      ...{ method: 'POST', path, headers: { ...json, ...(await staff('staff'))[0]!(path) } },
      body: JSON.stringify({ ext_ids: ['the-employee'] }),
    });
    const [{ code }] = JSON.parse(made.body).codes;
    const body = JSON.stringify({ code });
    const opened = await client.ask({ method: 'POST', path: '/admin/v1/own-page/session', headers: json, body });
    const cookie = cookieOf(opened, /^__Host-gatehouse-me=/);
    const asStaff = `__Host-gatehouse=${cookie.split('=')[1]}`;
    return [() => ({ ...fromHere, cookie }), () => ({ ...fromHere, cookie: asStaff })];
  };
  const device = async (id: string, productKey: string): Promise<Way[]> => {
    const answer = await client.ask({ method: 'POST', path: `/api/connect/${id}`, body: loginOf(id, productKey) });
    const authorization = String(answer.headers.authorization);
    return [() => ({ authorization })];
  };
  const wrong = 'x'.repeat(43);
  return {
    nobody: [() => ({})],
    wrong: [
      () => ({ authorization: `Bearer ${wrong}` }),
      () => ({ ...fromHere, cookie: `__Host-gatehouse=${wrong}; __Host-gatehouse-oauth=${wrong}` }),
      path => ({ ...signatures(path, { ...portal, app_key: 'wrong' }, { ...payroll, app_secret: 'wrong' }) }),
    ],
    viewer: await staff('viewer'),
    staff: await staff('staff'),
    admin: await staff('admin'),
    oauth: await oauth(client.ask, origin),
    device: await device(deviceId, faceKey),
    box: await device(boxId, boxKey),
    signed: [path => signatures(path, portal, payroll)],
    employee: await employee(),
  };
}

/** The body of a device's correct login. */
export const loginOf = (id: string, productKey = id === boxId ? boxKey : faceKey): string => {
  const productId = id.split('_')[0]!;
  const login = mqttPassword({ deviceId: id, productId, accessKey: productKey });
  return JSON.stringify({ clientId: id, userName: productId, password: login, keepAliveTime: 60 });
};

/**
 * A person who has signed in for the canteen's program: the cookie of that login, also under the
 * name of the pages' cookie, and the access token.
 */
async function oauth(ask: (call: HttpCall) => Promise<HttpAnswer>, origin: string): Promise<Way[]> {
  const fromHere = { origin, 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' };
  const form = (path: string, page: HttpAnswer, cookie: string, typed: Record<string, string>) =>
    ask({
      method: 'POST',
      path,
      headers: { ...fromHere, cookie },
      body: String(new URLSearchParams({ ...hiddenFields({ text: page.body } as never), ...typed })),
    });
  const path = `/oauth/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: canteen.client_id,
    redirect_uri: canteen.redirect_uris[0]!,
  })}`;
  const page = await ask({ method: 'GET', path });
  const loggedIn = await form('/oauth/login', page, cookieOf(page, /./), { name: 'the-viewer', password });
  const cookie = cookieOf(loggedIn, /^__Host-gatehouse-oauth=/);
  const consent = await ask({ method: 'GET', path, headers: { cookie } });
  const wasAllowedBefore = consent.status === 302;
  const allowed = wasAllowedBefore ? consent : await form('/oauth/consent', consent, cookie, { decision: 'allow' });
  const token = await ask({
    method: 'POST',
    path: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(
      new URLSearchParams({
        grant_type: 'authorization_code',
        code: new URL(String(allowed.headers.location)).searchParams.get('code')!,
        redirect_uri: canteen.redirect_uris[0]!,
        client_id: canteen.client_id,
        client_secret: canteen.client_secret,
      }),
    ),
  });
  const bearer = { authorization: `Bearer ${JSON.parse(token.body).access_token}` };
  const asStaff = `__Host-gatehouse=${cookie.split('=')[1]}`;
  return [() => ({ ...fromHere, cookie }), () => ({ ...fromHere, cookie: asStaff }), () => bearer];
}

let nonces = 0;

/** A call that is signed for the public services and for the attendance API at once. */
function signatures(path: string, app: typeof portal, caller: typeof payroll): Record<string, string> {
  const timestamp = String(Date.now());
  const nonce = `n${++nonces}`;
  const text = `app_id=${app.app_id}&app_key=${app.app_key}&nonce=${nonce}&timestamp=${timestamp}`;
  return {
    ...signed(path.split('?')[0]!, caller.app_key, caller.app_secret, timestamp),
    app_id: app.app_id,
    nonce,
    timestamp,
    sig: createHash('md5').update(text).digest('hex'),
  };
}
