/** Calls to try: each only reads. */
export interface TriedCall {
  readonly name:
    | 'employees'
    | 'departments'
    | 'devices'
    | 'checkins'
    | 'accesses'
    | 'holidays'
    | 'holiday'
    | 'weather'
    | 'speech';
  readonly kind: 'attendance' | 'services';
  readonly method: 'GET' | 'POST';
  /** With its query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Empty: none. */
  readonly body: string;
}

const page = '{"limit": 10, "offset": 0}';
const ask = (name: TriedCall['name'], path: string, body: string, headers = {}): TriedCall => ({
  name,
  kind: 'attendance',
  method: 'POST',
  path,
  body,
  headers: { 'Content-Type': 'application/json', ...headers },
});
const command = (name: TriedCall['name'], of: string): TriedCall =>
  ask(name, '/v2.0/cloudappapi', '{"next_id": 0, "page_size": 10}', { 'Api-Module': 'CHECKIN', 'Api-Cmd': of });
const read = (name: TriedCall['name'], path: string): TriedCall => ({
  name,
  kind: 'services',
  method: 'GET',
  path,
  body: '',
  headers: {},
});

export const triedCalls: readonly TriedCall[] = [
  ask('employees', '/v2.0/employee/query', page),
  ask('departments', '/v2.0/department/query', page),
  ask('devices', '/v2.0/org/device/query', page),
  command('checkins', 'checkin_query'),
  command('accesses', 'checkin_acs_query'),
  read('holiday', '/api/1.0.0/holiday/day'),
  read('holidays', '/api/1.0.0/holiday'),
  read('weather', '/api/1.0.0/weather'),
  read('speech', '/api/1.0.0/tts?text=%E4%BD%A0%E5%A5%BD'),
];

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** The call as a shell command. It uses the trust store that `gatehouse trust export` writes. */
export const curlLine = (
  origin: string,
  { method, path, headers, body }: Pick<TriedCall, 'method' | 'path' | 'headers' | 'body'>,
): string =>
  [
    `curl --cacert trust.pem${method === 'GET' ? '' : ` -X ${method}`} ${quoted(`${origin}${path}`)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === '' ? [] : [`-d ${quoted(body)}`]),
  ].join(' \\\n  ');
