import { request } from 'node:https';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBox, type LocalBox } from '../support/box.ts';

/** People and tokens by the commands, on a box that runs and on one that does not. */

let box: LocalBox;
beforeAll(async () => {
  box = await aBox({}, {});
});
afterAll(() => box?.[Symbol.asyncDispose]());

const withPassword = (password: string, ...args: string[]) =>
  box.runWith({ input: `${password}\nwhat stands behind is not read\n` }, ...args);

const statusWith = (token: string, method = 'GET', path = '/status'): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    request(`https://${box.addresses.https}/admin/v1${path}`, { method, headers, rejectUnauthorized: false }, answer =>
      resolve(answer.resume().statusCode!),
    )
      .on('error', reject)
      .end(method === 'GET' ? undefined : '{"seq":null}');
  });

const signIn = (name: string, password: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const url = `https://${box.addresses.https}`;
    const headers = { origin: url, 'content-type': 'application/json' };
    request(`${url}/admin/v1/session`, { method: 'POST', headers, rejectUnauthorized: false }, answer =>
      resolve(answer.resume().statusCode!),
    )
      .on('error', reject)
      .end(JSON.stringify({ name, password }));
  });

test('a person is added with the password from standard input, and signs in with it', async () => {
  const added = await withPassword('nobody-guesses-this', 'user', 'add', 'mei', '--role', 'admin');
  expect(added).toMatchObject({ status: 0, stdout: 'mei may sign in as admin\n' });
  expect(await signIn('mei', 'nobody-guesses-this')).toBe(200);
  expect(await signIn('mei', 'nobody-guesses-that')).toBe(401);
  const again = await withPassword('another-good-one', 'user', 'add', 'mei', '--role', 'viewer');
  expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('gatehouse user passwd mei') });
  expect(await box.ask('user', 'list')).toMatch(/^mei +admin +1 +/m);
});

test.each([
  ['short', 'at least 8 characters'],
  ['1234567890', 'guessed too soon'],
  ['aaaaaaaaaaaaaa', 'guessed too soon'],
  ['li-likes-wanghong', 'does not contain the name'],
  ['', 'at least 8 characters'],
  ['x7'.repeat(101), 'at most 200 characters'],
])('the weak password "%s" is refused, with the reason', async (password, reason) => {
  const outcome = await withPassword(password, 'user', 'add', 'wanghong');
  expect(outcome).toMatchObject({ status: 1, stderr: expect.stringContaining(reason) });
  expect(await box.ask('user', 'list')).not.toContain('wanghong');
});

test.each(['command', 'Command', 'token x', 'system', 'ｇatehouse', 'a\u200bb'])(
  'nobody is called %j: the audit log uses it for what is no person',
  async name => {
    const outcome = await withPassword('nobody-guesses-this', 'user', 'add', name);
    expect(outcome).toMatchObject({ status: 1, stderr: expect.stringContaining('the audit log uses this name') });
  },
);

test('a role is given and taken by a command; without one nobody signs in to the pages', async () => {
  await withPassword('nobody-guesses-this', 'user', 'add', 'chen');
  expect(await box.ask('user', 'role', 'chen', '--role', 'none')).toBe('chen has the role none\n');
  expect(await signIn('chen', 'nobody-guesses-this')).toBe(403);
  expect(await box.ask('user', 'list')).toMatch(/^chen +none /m);
  await box.ask('user', 'role', 'chen', '--role', 'staff');
  expect(await signIn('chen', 'nobody-guesses-this')).toBe(200);
  expect((await box.run('user', 'role', 'nobody-here', '--role', 'staff')).stderr).toContain('gatehouse user list');
  expect(await box.run('user', 'role', 'chen')).toMatchObject({ status: 2 });
  await box.ask('user', 'rm', 'chen');
});

/** Opens the stream of events; resolves with its status, and when it has ended. */
const listen = (token: string) =>
  new Promise<{ status: number; ended: Promise<unknown> }>((resolve, reject) => {
    const options = { headers: { authorization: `Bearer ${token}` }, rejectUnauthorized: false, agent: false };
    request(`https://${box.addresses.https}/admin/v1/live`, options, answer => {
      const ended = new Promise(done => answer.once('close', done));
      answer.resume();
      resolve({ status: answer.statusCode!, ended });
    })
      .on('error', reject)
      .end();
  });

test('a stream of events ends with its token, and an account has eight at most', async () => {
  const token = (await box.ask('token', 'create', '--role', 'viewer', '--name', 'wall')).trim();
  const streams = await Promise.all(Array.from({ length: 8 }, () => listen(token)));
  expect(streams.map(one => one.status)).toEqual(Array(8).fill(200));
  expect((await listen(token)).status).toBe(429);
  const { id } = JSON.parse(await box.ask('token', 'list', '--json')).find(
    (one: { name: string }) => one.name === 'wall',
  );
  await box.ask('token', 'rm', String(id));
  await Promise.all(streams.map(one => one.ended));
  expect((await listen(token)).status).toBe(401);
});

test('a new password ends the sessions; somebody unknown has none', async () => {
  await withPassword('nobody-guesses-this', 'user', 'add', 'li');
  expect(await signIn('li', 'nobody-guesses-this')).toBe(200);
  const changed = await withPassword('another-good-one', 'user', 'passwd', 'li');
  expect(changed).toMatchObject({ status: 0, stdout: expect.stringContaining('signed out everywhere') });
  expect(await signIn('li', 'nobody-guesses-this')).toBe(401);
  expect(await signIn('li', 'another-good-one')).toBe(200);
  const unknown = await withPassword('another-good-one', 'user', 'passwd', 'nobody');
  expect(unknown).toMatchObject({ status: 1, stderr: expect.stringContaining('gatehouse user list') });
});

test('the last admin stays', async () => {
  const last = await box.run('user', 'rm', 'mei');
  expect(last).toMatchObject({ status: 1, stderr: expect.stringContaining('last admin') });
  await withPassword('nobody-guesses-this', 'user', 'add', 'zhao', '--role', 'admin');
  expect(await box.ask('user', 'rm', 'mei')).toContain('mei is removed');
  expect(await signIn('mei', 'nobody-guesses-this')).toBe(401);
  expect((await box.run('user', 'rm', 'mei')).stderr).toContain('nobody with this name');
});

test('a token is printed alone, works as Bearer with its role and no more, and ends', async () => {
  const printed = await box.ask('token', 'create', '--role', 'viewer', '--expires', '30d', '--name', 'monitoring');
  expect(printed).toMatch(/^[\w-]{40,}\n$/);
  const token = printed.trim();
  expect(await statusWith(token)).toBe(200);
  expect(await statusWith(token, 'POST', '/parked/send-again')).toBe(403);
  expect(await statusWith(`${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`)).toBe(401);
  const admin = (await box.ask('token', 'create', '--role', 'admin')).trim();
  expect(await statusWith(admin, 'POST', '/parked/send-again')).toBe(200);
  const listed = JSON.parse(await box.ask('token', 'list', '--json'));
  expect(listed).toMatchObject([{ name: 'monitoring', role: 'viewer', made_by: 'command' }, { role: 'admin' }]);
  expect(JSON.stringify(listed)).not.toContain(token);
  expect(await box.ask('token', 'list')).toMatch(/^\d+ +monitoring +viewer +in (29|30) d/m);
  // Nobody said how long: a year.
  expect(listed[1].ends_at - listed[1].made_at).toBe(365 * 24 * 3600_000);
  const { id } = listed[0];
  expect(await box.ask('token', 'rm', String(id))).toBe(`token ${id} has ended\n`);
  expect(await statusWith(token)).toBe(401);
  expect((await box.run('token', 'rm', String(id))).status).toBe(1);
});

test.each([
  [['token', 'create'], '--role is missing'],
  [['token', 'create', '--role', 'viewer', '--expires', 'soon'], 'write days, such as 30d'],
  [['token', 'create', '--role', 'king'], 'king'],
  [['user', 'add'], 'NAME'],
])('%j is called wrongly', async (args, reason) => {
  expect(await box.run(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(reason) });
});

test('what the commands changed is in the audit log, and a stopped box takes the same commands', async () => {
  const admin = (await box.ask('token', 'create', '--role', 'admin', '--name', 'reader')).trim();
  const entries = await new Promise<string>((resolve, reject) => {
    const options = { headers: { authorization: `Bearer ${admin}` }, rejectUnauthorized: false };
    request(`https://${box.addresses.https}/admin/v1/audit?actor=command`, options, answer => {
      let text = '';
      answer.setEncoding('utf8').on('data', chunk => {
        text += chunk;
      });
      answer.on('end', () => resolve(text));
    })
      .on('error', reject)
      .end();
  });
  expect(
    JSON.parse(entries).rows.map((one: { action: string; subject: string }) => `${one.action} ${one.subject}`),
  ).toEqual(
    expect.arrayContaining([
      'PUT /users/mei mei',
      'DELETE /users/mei mei',
      'POST /tokens monitoring',
      'DELETE /tokens/1 1',
    ]),
  );
  await box.stop();
  expect((await withPassword('nobody-guesses-this', 'user', 'add', 'sun')).status).toBe(0);
  expect(await box.ask('user', 'list')).toContain('sun');
  const stopped = (await box.ask('token', 'create', '--role', 'viewer')).trim();
  await box.start();
  expect(await statusWith(stopped)).toBe(200);
  expect(await signIn('sun', 'nobody-guesses-this')).toBe(200);
});
