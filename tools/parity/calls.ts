import type { ParityCall, ParityKeys } from './side.ts';

/**
 * An API of the platform, and the calls by which it is compared. None of them writes anything:
 * those that would are wrong in a way that must be refused.
 */
export interface ParityApi {
  readonly name: string;
  readonly calls: readonly ParityCall[];
  /** Only the HTTP status is compared: SPEC shows no body. */
  readonly statusOnly?: boolean;
}

export const attendanceCall = (path: string, body: object, more: Partial<ParityCall> = {}): ParityCall => ({
  method: 'POST',
  path,
  body,
  sign: 'attendance',
  ...more,
});
export const commandCall = (name: string, body: object, more: Partial<ParityCall> = {}): ParityCall =>
  attendanceCall('/v2.0/cloudappapi', body, { command: name, ...more });
export const serviceCall = (path: string, more: Partial<ParityCall> = {}): ParityCall => ({
  method: 'GET',
  path,
  sign: 'services',
  ...more,
});
const service = (path: string, more: Partial<ParityCall> = {}): ParityCall => serviceCall(`/api/1.0.0/${path}`, more);

const octets = { raw: 'parity', headers: { 'Content-Type': 'application/octet-stream' } };
const query = '/v2.0/employee/query';
const wrongDigest = '0'.repeat(32);

const nobody = 'parity-nobody-has-this';
const tooLong = 'x'.repeat(33);

/** Every refusal of SPEC 7.3 that can be had without writing, and a wrong call of each path. */
const attendanceRefusals: readonly ParityCall[] = [
  attendanceCall(query, {}, { headers: { 'App-Key': null } }),
  attendanceCall(query, {}, { headers: { 'App-Key': 'nobody-has-this-key' } }),
  attendanceCall(query, {}, { headers: { 'App-Timestamp': null } }),
  attendanceCall(query, {}, { headers: { 'App-Sig': null } }),
  attendanceCall(query, {}, { headers: { 'App-Sig': wrongDigest } }),
  attendanceCall(query, { limit: 101 }),
  attendanceCall(query, { limit: 0 }),
  commandCall('no_such_command', {}),
  commandCall('checkin_query', {}, { headers: { 'Api-Module': 'ACS' } }),
  commandCall('checkin_query', { page_size: 'many' }),
  // Ids that are too long: no cloud can take these calls.
  attendanceCall('/v2.0/department/init', { department_ext_id: tooLong }),
  attendanceCall('/v2.0/department', { department_ext_id: tooLong, name: 'Parity' }),
  attendanceCall('/v2.0/department/ext', { id: nobody, ext_id: tooLong }),
  attendanceCall('/v2.0/department/delete', { department_ext_id: tooLong }),
  attendanceCall('/v2.0/employee', { employee_ext_id: tooLong, name: 'Parity' }),
  attendanceCall('/v2.0/employee/ext', { id: nobody, ext_id: tooLong }),
  attendanceCall('/v2.0/employee/delete', { employee_ext_id: tooLong }),
  commandCall('feature_update', {}),
  commandCall('checkin_feature_query', { user_ext_id: nobody, feature_type: 'card', feature_alg: 'base64' }),
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
          service('message/app', { method: 'POST', body: {} }),
          service('message/short-message', { method: 'POST', body: {} }),
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
        calls: [
          serviceCall('/api/v1.0.0/file/no-such-file'),
          serviceCall('/api/v1.0.0/file?name=parity.txt', { method: 'POST', ...octets }),
          serviceCall('/api/v1.0.0/file?client=parity', { method: 'POST', ...octets }),
        ],
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
  commandCall('checkin_query', { next_id: nextId, page_size: 500 });
export const accessPage = (nextId: number): ParityCall =>
  commandCall('checkin_acs_query', { next_id: nextId, page_size: 50, pass_only: false });
export const listPage = (path: string, offset: number): ParityCall => attendanceCall(path, { limit: 100, offset });
export const featureCall = (extId: string, type: string): ParityCall =>
  commandCall('checkin_feature_query', { user_ext_id: extId, feature_type: type, feature_alg: 'base64' });
