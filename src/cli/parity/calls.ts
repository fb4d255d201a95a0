import type { ParityCall, ParityKeys } from './side.ts';

/** An API of the platform, and the calls by which it is compared: none of them writes anything. */
export interface ParityApi {
  readonly name: string;
  readonly calls: readonly ParityCall[];
  /** Only the HTTP status is compared: SPEC shows no body. */
  readonly statusOnly?: boolean;
}

const attendance = (path: string, body: object, more: Partial<ParityCall> = {}): ParityCall => ({
  method: 'POST',
  path,
  body,
  sign: 'attendance',
  ...more,
});
const command = (name: string, body: object, more: Partial<ParityCall> = {}): ParityCall =>
  attendance('/v2.0/cloudappapi', body, { command: name, ...more });
const service = (path: string, more: Partial<ParityCall> = {}): ParityCall => ({
  method: 'GET',
  path: `/api/1.0.0/${path}`,
  sign: 'services',
  ...more,
});

const query = '/v2.0/employee/query';
const wrongDigest = '0'.repeat(32);

/** Every refusal of SPEC 7.3 that can be had without writing. */
const attendanceRefusals: readonly ParityCall[] = [
  attendance(query, {}, { headers: { 'App-Key': null } }),
  attendance(query, {}, { headers: { 'App-Key': 'nobody-has-this-key' } }),
  attendance(query, {}, { headers: { 'App-Timestamp': null } }),
  attendance(query, {}, { headers: { 'App-Sig': null } }),
  attendance(query, {}, { headers: { 'App-Sig': wrongDigest } }),
  attendance(query, { limit: 101 }),
  attendance(query, { limit: 0 }),
  command('no_such_command', {}),
  command('checkin_query', {}, { headers: { 'Api-Module': 'ACS' } }),
  command('checkin_query', { page_size: 'many' }),
];

/** The APIs for which there are keys; `day` is today, `YYYY-MM-DD`. */
export function parityApis(keys: ParityKeys, day: string): ParityApi[] {
  const apis: ParityApi[] = [];
  if (keys.attendance) apis.push({ name: 'attendance', calls: attendanceRefusals });
  if (keys.services) {
    const year = Number(day.slice(0, 4));
    apis.push(
      {
        name: 'holidays',
        calls: [
          ...[year, year + 1].map(one => service(`holiday?year=${one}`)),
          ...[day, `${year}-01-01`, `${year}-05-01`, `${year}-10-01`].map(one => service(`holiday/day?date=${one}`)),
          service('holiday/day?date=2026-02-30'),
          service('holiday', { headers: { sig: null } }),
          service('holiday', { headers: { sig: wrongDigest } }),
          service('holiday', { headers: { timestamp: '1600000000000' } }),
        ],
      },
      { name: 'weather', calls: [service('weather?city=beijing'), service('weather?location=121.47,31.23')] },
      { name: 'speech', calls: [service('tts?text=ok'), service('tts'), service(`tts?text=${'x'.repeat(65)}`)] },
      {
        name: 'messages',
        calls: [
          service('message/app?msgIdList=no-such-message'),
          service('message/short-message?msgIdList=no-such-message'),
          service('message/app'),
          service(`message/short-message?msgIdList=${Array.from({ length: 11 }, (_, index) => index).join(',')}`),
        ],
      },
      {
        name: 'upgrades',
        calls: [...keys.appCodes, 'no-such-app'].flatMap(code => [
          service(`app-upgrade/${encodeURIComponent(code)}?version=0.0.0`),
          service(`app/page/${encodeURIComponent(code)}?page=1&size=100`),
        ]),
      },
      {
        name: 'files',
        calls: [{ method: 'GET', path: '/api/v1.0.0/file/no-such-file', sign: 'services' }],
      },
    );
  }
  if (keys.oauth) {
    const { clientId, clientSecret } = keys.oauth;
    const token = (given: Record<string, string>): ParityCall => ({
      method: 'GET',
      path: `/oauth/token?${new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...given })}`,
      sign: 'none',
    });
    const plain = (path: string): ParityCall => ({ method: 'GET', path, sign: 'none' });
    apis.push({
      name: 'oauth',
      calls: [
        token({ grant_type: 'authorization_code', code: 'no-such-code' }),
        token({ grant_type: 'refresh_token', refresh_token: 'no-such-token' }),
        token({ grant_type: 'password' }),
        token({ grant_type: 'authorization_code', code: 'x', client_secret: 'wrong' }),
        plain('/api/getUserInfo'),
        plain('/api/getUserInfo?access_token=no-such-token'),
      ],
    });
  }
  if (keys.deviceId !== null) {
    const id = keys.deviceId;
    const credentials = { clientId: id, userName: id.split('_')[0], password: wrongDigest, keepAliveTime: 60 };
    apis.push({
      name: 'devices',
      statusOnly: true,
      calls: [
        { method: 'POST', path: `/api/connect/${id}`, body: credentials, sign: 'none' },
        { method: 'GET', path: `/api/pull/${id}`, sign: 'none', headers: { Authorization: 'none' } },
      ],
    });
  }
  return apis;
}

export const checkInPage = (nextId: number): ParityCall =>
  command('checkin_query', { next_id: nextId, page_size: 500 });
export const accessPage = (nextId: number): ParityCall =>
  command('checkin_acs_query', { next_id: nextId, page_size: 50, pass_only: false });
export const listPage = (path: string, offset: number): ParityCall => attendance(path, { limit: 100, offset });
export const featureCall = (extId: string, type: string): ParityCall =>
  command('checkin_feature_query', { user_ext_id: extId, feature_type: type, feature_alg: 'base64' });
