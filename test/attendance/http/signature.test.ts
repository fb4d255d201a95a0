import { createHash, createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { anAttendanceBox, payroll, signed } from '../../support/attendance.ts';
import { aClient } from '../../support/every-caller.ts';

const path = '/v2.0/department/query';
const minute = 60_000;

test.each([
  ['no key', { 'App-Key': null }, 102, 'user key missing'],
  [
    'no key and nothing else either',
    { 'App-Key': null, 'App-Timestamp': null, 'App-Sig': null },
    102,
    'user key missing',
  ],
  ['no timestamp', { 'App-Timestamp': null }, 105, 'request timestamp missing'],
  ['no timestamp and no signature', { 'App-Timestamp': null, 'App-Sig': null }, 105, 'request timestamp missing'],
  ['no signature', { 'App-Sig': null }, 104, 'request signature missing'],
  ['an unknown key', { 'App-Key': 'nobody' }, 101, 'wrong user key'],
  ['a signature of something else', { 'App-Sig': '0'.repeat(32) }, 103, 'wrong request signature'],
  ['a signature that is none', { 'App-Sig': 'x' }, 103, 'wrong request signature'],
] as const)('%s is answered with its code', async (_name, headers, code, msg) => {
  await using box = await anAttendanceBox();
  const answer = await box.caller.call(path, {}, { headers });
  expect(answer).toMatchObject({ status: 200, code });
  expect(answer.msg).toMatch(new RegExp(`^${msg}`));
  expect(answer.data).toBeUndefined();
});

test('missing headers are reported before wrong ones, and the key before the time before the signature', async () => {
  await using box = await anAttendanceBox();
  const wrong = { 'App-Key': 'nobody', 'App-Timestamp': '1', 'App-Sig': 'x' };
  expect((await box.caller.call(path, {}, { headers: { ...wrong, 'App-Sig': null } })).code).toBe(104);
  expect((await box.caller.call(path, {}, { headers: wrong })).code).toBe(101);
  expect((await box.caller.call(path, {}, { headers: { ...wrong, 'App-Key': 'ak1' } })).code).toBe(109);
});

test.each([
  ['10 minutes behind', -10 * minute, 0],
  ['just over 10 minutes behind', -10 * minute - 1, 109],
  ['10 minutes ahead', 10 * minute, 0],
  ['just over 10 minutes ahead', 10 * minute + 1, 109],
])('a call signed %s', async (_name, off, code) => {
  await using box = await anAttendanceBox();
  const headers = signed(path, payroll.app_key, payroll.app_secret, String(box.gateway.clock.now() + off));
  expect((await box.caller.call(path, {}, { headers })).code).toBe(code);
});

test.each([
  ['seconds', (now: number) => String(Math.floor(now / 1000))],
  ['no number', () => 'today'],
])('a timestamp in %s is a timeout', async (_name, stamp) => {
  await using box = await anAttendanceBox();
  const headers = signed(path, payroll.app_key, payroll.app_secret, stamp(box.gateway.clock.now()));
  expect((await box.caller.call(path, {}, { headers })).code).toBe(109);
});

test('the signature is read in upper case too, and the query is no part of the path', async () => {
  await using box = await anAttendanceBox();
  const right = signed(path, payroll.app_key, payroll.app_secret, String(box.gateway.clock.now()));
  expect((await box.caller.call(path, {}, { headers: { 'App-Sig': right['App-Sig']!.toUpperCase() } })).code).toBe(0);
  expect((await box.caller.call(`${path}?trace=1`)).code).toBe(0);
});

test('the module and the command are checked after the signature and before the body', async () => {
  await using box = await anAttendanceBox();
  const ask = (headers: Record<string, string | null>, raw = '{') =>
    box.caller.call('/v2.0/cloudappapi', {}, { headers, raw });
  expect(await ask({})).toMatchObject({ code: 107, msg: expect.stringMatching(/^App-Module wrong: Api-Module/) });
  expect((await ask({ 'Api-Module': 'PAYROLL', 'Api-Cmd': 'checkin_query' })).code).toBe(107);
  expect(await ask({ 'Api-Module': 'CHECKIN', 'Api-Cmd': 'checkin_drop' })).toMatchObject({
    code: 107,
    msg: expect.stringContaining('Api-Cmd must be one of checkin_query_init, checkin_query,'),
  });
  expect((await ask({ 'Api-Module': 'PAYROLL', 'App-Sig': 'x' })).code).toBe(103);
  expect((await ask({ 'Api-Module': 'checkin', 'Api-Cmd': ' Checkin_Query ' }, '')).code).toBe(0);
});

test('calls over the limit are answered 110 with Retry-After, for each caller separately, and accepted a second later', async () => {
  const other = { app_key: 'ak2', app_secret: 'as2', name: 'Canteen' };
  await using box = await anAttendanceBox({ callsPerSecond: 5, site: { attendance_callers: [payroll, other] } });
  for (let turn = 0; turn < 5; turn++) expect((await box.caller.call(path)).code).toBe(0);
  const refused = await box.caller.call(path);
  expect(refused).toMatchObject({ status: 200, code: 110, msg: 'call count exceeded: at most 5 calls a second' });
  expect(refused.headers['retry-after']).toBe('1');
  expect((await box.callerOf('ak2', 'as2').call(path)).code).toBe(0);
  await box.gateway.clock.advance(1000);
  expect((await box.caller.call(path)).code).toBe(0);
});

test('a walk from page to page is not held up by the limit, a repeated page is', async () => {
  await using box = await anAttendanceBox({ callsPerSecond: 2 });
  await box.caller.run('checkin_query_init');
  for (let turn = 0; turn < 10; turn++) await box.punch('e1', 1_763_600_000 + turn);
  const { records } = await box.caller.walk(0, 1).catch(error => error);
  expect(records).toHaveLength(10);
  await box.gateway.clock.advance(1000);
  const codes = [];
  for (let turn = 0; turn < 4; turn++) codes.push((await box.caller.run('checkin_query', { next_id: 3 })).code);
  expect(codes).toEqual([0, 0, 110, 110]);
});

const rightParts = (now: string) => [
  { name: 'path', text: path },
  { name: 'App-Timestamp', text: now },
  { name: 'App-Key', text: 'ak1' },
  { name: 'App-Secret', text: '********' },
];

test('guesses at signatures are slowed down by key and address, and the pages show what was wrong with them', async () => {
  await using box = await anAttendanceBox();
  for (let turn = 0; turn < 20; turn++) await box.callerOf('ak1', `guess ${turn}`).call(path);
  expect((await box.callerOf('ak1', 'guess').call(path)).code).toBe(110);
  await box.gateway.clock.advance(1000);
  const now = String(box.gateway.clock.now());
  const swapped = signed(path, payroll.app_secret, payroll.app_key, now)['App-Sig']!;
  await box.caller.call(path, {}, { headers: { 'App-Sig': swapped } });
  const [last] = box.attendance.status().refusedCalls;
  expect(last).toMatchObject({
    code: 103,
    why: { message: 'App-Key and App-Secret are the wrong way round' },
    parts: rightParts(now),
    count: 1,
  });
  const [, slowed, guesses] = box.attendance.status().refusedCalls;
  expect(slowed).toMatchObject({ code: 110, why: { mistake: 'too_many_calls' }, count: 1 });
  expect(guesses).toMatchObject({ why: { mistake: 'other_secret' }, count: 20 });
  expect(JSON.stringify(box.attendance.status())).not.toContain(payroll.app_secret);
});

test('a caller that signs wrongly blocks neither other callers at its address nor the same key elsewhere', async () => {
  const canteen = { app_key: 'ak2', app_secret: 'as2' };
  await using box = await anAttendanceBox({ site: { attendance_callers: [payroll, canteen] } });
  for (let turn = 0; turn < 20; turn++) await box.callerOf('ak1', `guess ${turn}`).call(path);
  for (let turn = 0; turn < 20; turn++) await box.callerOf(`nobody ${turn}`, 'guess').call(path);
  expect((await box.callerOf('nobody else', 'guess').call(path)).code).toBe(110);
  expect((await box.callerOf('ak1', 'guess').call(path)).code).toBe(110);
  expect((await box.callerOf('ak2', 'as2').call(path)).code).toBe(0);
  using elsewhere = aClient({ address: new URL(box.url).host }, '127.0.0.9');
  const headers = signed(path, payroll.app_key, payroll.app_secret, String(box.gateway.clock.now()));
  const { body } = await elsewhere.ask({ method: 'POST', path, headers, body: '{}' });
  expect(JSON.parse(body)).toMatchObject({ code: 0 });
});

test('a path with an escape in it, or a whole address in its place, is the path that it means', async () => {
  await using box = await anAttendanceBox();
  const now = String(box.gateway.clock.now());
  using client = aClient({ address: new URL(box.url).host });
  const ask = async (target: string, signedPath: string) => {
    const headers = signed(signedPath, payroll.app_key, payroll.app_secret, now);
    const { status, body } = await client.ask({ method: 'POST', path: target, headers, body: '{}' });
    return [status, JSON.parse(body).code];
  };
  expect(await ask('/v2.0/d%65partment/query', '/v2.0/d%65partment/query')).toEqual([200, 0]);
  expect(await ask(`${box.url}${path}`, path)).toEqual([200, 0]);
  // An escaped slash is a letter of a name, and no such name is there.
  expect(await ask('/v2.0/department%2Fquery', '/v2.0/department%2Fquery')).toEqual([404, 404]);
  expect(await ask('/v2.0/%zz/query', '/v2.0/%zz/query')).toEqual([404, 404]);
});

test('another method and another path are no attendance calls', async () => {
  await using box = await anAttendanceBox();
  const get = await fetch(`${box.url}${path}`);
  expect([get.status, get.headers.get('allow'), await get.json()]).toEqual([
    405,
    'POST',
    { code: 405, msg: 'send this as a POST' },
  ]);
  const post = await fetch(`${box.url}/v2.1/department/query`, { method: 'POST' });
  expect(post.status).toBe(404);
  const unknown = await fetch(`${box.url}/v2.0/payroll`, { method: 'POST' });
  expect([unknown.status, await unknown.json()]).toEqual([404, { code: 404, msg: 'no such path' }]);
});

const digest = (text: string, hash = 'md5') => createHash(hash).update(text).digest('hex');
const body = '{"limit":5,"offset":0}';
/** String that was signed, as it is shown: a name alone has the right text. */
const [PATH, TIME, KEY, SECRET] = ['path', 'App-Timestamp', 'App-Key', 'App-Secret'];
const mistakes: readonly (readonly [
  string,
  string,
  (url: string, now: string) => string,
  (string | undefined)[],
  differsAt: number | null,
])[] = [
  [
    'the whole address',
    'full_url',
    (url, now) => digest(`${url}${path}${now}ak1as1`),
    ['address', PATH, TIME, KEY, SECRET],
    0,
  ],
  ['the query', 'query', (_, now) => digest(`${path}?trace=1${now}ak1as1`), [PATH, 'query ?…', TIME, KEY, SECRET], 1],
  ['another order', 'order', (_, now) => digest(`ak1${now}${path}as1`), [KEY, TIME, PATH, SECRET], 0],
  [
    'the body behind it',
    'body',
    (_, now) => digest(`${path}${now}ak1as1${body}`),
    [PATH, TIME, KEY, SECRET, 'body …'],
    4,
  ],
  ['separators', 'separators', (_, now) => digest(`${path}&${now}&ak1&as1`), [PATH, '&', '&', '&'], 1],
  ['no time', 'part_missing', () => digest(`${path}ak1as1`), [PATH, KEY, SECRET], 1],
  [
    'no slash',
    'no_first_slash',
    (_, now) => digest(`${path.slice(1)}${now}ak1as1`),
    ['path v2.0/department/query', TIME, KEY, SECRET],
    0,
  ],
  ['seconds', 'seconds', (_, now) => digest(`${path}${now.slice(0, 10)}ak1as1`), [PATH, '', KEY, SECRET], 1],
  [
    "another caller's secret",
    'secret_of_other',
    (_, now) => digest(`${path}${now}ak1as2`),
    [PATH, TIME, KEY, SECRET],
    3,
  ],
  [
    'a line end',
    'line_end',
    (_, now) => digest(`${path}${now}ak1as1\n`),
    [PATH, TIME, KEY, 'App-Secret ********\n'],
    3,
  ],
  ['SHA-256', 'other_digest', (_, now) => digest(`${path}${now}ak1as1`, 'sha256'), [], null],
  [
    'base64',
    'base64',
    (_, now) => Buffer.from(digest(`${path}${now}ak1as1`), 'hex').toString('base64'),
    [PATH, TIME, KEY, SECRET],
    null,
  ],
  ['HMAC', 'hmac', (_, now) => createHmac('md5', 'as1').update(`${path}${now}ak1`).digest('hex'), [PATH, TIME, KEY], 3],
  ['something else', 'other_secret', () => digest('something else'), [], null],
];

test.each(mistakes)(
  'a signature over %s is shown beside the right one, without secret, query and body',
  async (_, mistake, sign, signed, differs_at) => {
    const canteen = { app_key: 'ak2', app_secret: 'as2', name: 'Canteen' };
    await using box = await anAttendanceBox({ site: { attendance_callers: [payroll, canteen] } });
    const now = String(box.gateway.clock.now());
    const headers = { 'App-Timestamp': now, 'App-Sig': sign(box.url, now) };
    const answer = await box.caller.call(`${path}?trace=1`, {}, { headers, raw: body });
    expect(answer).toMatchObject({ code: 103, msg: expect.not.stringContaining('order') });
    const [call] = box.attendance.status().refusedCalls;
    expect(call).toMatchObject({ caller: 'ak1', why: { mistake, differs_at }, parts: rightParts(now), count: 1 });
    expect(call!.why!.signed).toHaveLength(signed.length);
    const right = new Map(rightParts(now).map(({ name, text }) => [name, text]));
    for (const [index, expected] of signed.entries()) {
      const { name, text } = call!.why!.signed[index]!;
      if (right.has(expected!)) expect({ name, text }).toEqual({ name: expected, text: right.get(expected!) });
      else expect(`${name} ${text}`).toContain(expected);
    }
    expect(JSON.stringify(box.attendance.requests())).not.toMatch(/trace|limit/);
    expect(JSON.stringify(box.attendance.status())).not.toMatch(/as1|as2/);
  },
);

test('a secret that is sent in place of the key is not shown', async () => {
  await using box = await anAttendanceBox();
  expect((await box.callerOf(payroll.app_secret, 'x').call(path)).code).toBe(101);
  expect(box.attendance.status().refusedCalls).toMatchObject([{ caller: 'ak1', why: { mistake: 'secret_as_key' } }]);
  expect(JSON.stringify(box.attendance.status())).not.toContain(payroll.app_secret);
});

test('callers that name nobody do not push the mistakes of a caller of the site out of sight', async () => {
  await using box = await anAttendanceBox();
  await box.callerOf('ak1', 'guess').call(path);
  for (let turn = 0; turn < 100; turn++) {
    await box.callerOf(`nobody ${turn}`, 'guess').call(path);
    if (turn % 19 === 18) await box.gateway.clock.advance(1000);
  }
  const { refusedCalls } = box.attendance.status();
  expect(refusedCalls.filter(({ caller }) => caller === 'ak1')).toHaveLength(1);
  expect(refusedCalls.length).toBeLessThan(60);
});

test('a right signature with a secret that nobody guesses is taken beside wrong ones with the same key', async () => {
  const rotated = { app_key: 'ak2', app_secret: '9f86d081884c7d659a2feaa0c55ad015' };
  await using box = await anAttendanceBox({ site: { attendance_callers: [payroll, rotated] } });
  for (let turn = 0; turn < 20; turn++) await box.callerOf('ak2', 'the secret before').call(path);
  expect((await box.callerOf('ak2', 'the secret before').call(path)).code).toBe(110);
  expect((await box.callerOf('ak2', rotated.app_secret).call(path)).code).toBe(0);
});
