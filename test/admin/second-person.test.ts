import { afterAll, beforeAll, expect, test } from 'vitest';
import { aBox, type LocalBox } from '../support/box.ts';
import { aClient } from '../support/every-caller.ts';

/** Who may decide where a second person is needed: over the real listener, by session and by token. */

const password = 'nobody-guesses-this';
let box: LocalBox;
/** Headers of each caller. */
const callers: Record<string, Record<string, string>> = {};

beforeAll(async () => {
  const site = {
    departments: [{ ext_id: 'd1', name: 'Assembly' }],
    employees: [{ ext_id: 'e1', name: 'Li Mei', department: { ext_id: 'd1' } }],
  };
  box = await aBox({ attendance: { corrections: { second_person: true } } }, site);
  for (const name of ['mei', 'li']) {
    await box.runWith({ input: `${password}\n` }, 'user', 'add', name, '--role', 'admin');
    callers[name] = await signedIn(name);
  }
  const made = await box.ask('token', 'create', '--role', 'staff', '--name', 'script');
  callers['the token of a command'] = { authorization: `Bearer ${made.trim()}` };
  const own = await ask('mei', 'POST', '/tokens', { name: 'mine', role: 'staff' });
  callers['the token of mei'] = { authorization: `Bearer ${own.json.token}` };
});
afterAll(() => box?.[Symbol.asyncDispose]());

async function call(headers: Record<string, string>, method: string, path: string, body?: object) {
  using client = aClient({ address: box.addresses.https!, ca: box.opened.caPem });
  const origin = { origin: `https://${box.addresses.https}`, 'content-type': 'application/json' };
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return await client.ask({ method, path: `/admin/v1${path}`, headers: { ...origin, ...headers }, ...sent });
}

async function signedIn(name: string): Promise<Record<string, string>> {
  const { headers } = await call({}, 'POST', '/session', { name, password });
  return { cookie: headers['set-cookie']!.map(one => one.split(';')[0]).join('; ') };
}

async function ask(caller: string, method: string, path: string, body?: object) {
  const { status, body: text } = await call(callers[caller]!, method, path, body);
  return { status, json: JSON.parse(text) };
}

const needsPerson = { status: 403, json: { title: 'person_needed' } };
const corrections = '/attendance/corrections';
const add = (time: string) => ({ kind: 'add', items: [{ ext_id: 'e1', time }], reason: 'forgot' });

test.each(['the token of a command', 'the token of mei'])('%s decides nothing', async token => {
  const asked = await ask('mei', 'POST', corrections, add(`2025-11-20T08:0${token.length % 10}`));
  expect(asked.json).toMatchObject({ state: 'asked' });
  const { id } = asked.json;
  for (const decision of ['approve', 'refuse'])
    expect(await ask(token, 'POST', `${corrections}/${id}/${decision}`)).toMatchObject(needsPerson);
  expect(await ask('mei', 'POST', `${corrections}/${id}/approve`)).toMatchObject({ json: { title: 'same_person' } });
  expect(await ask('li', 'POST', `${corrections}/${id}/approve`)).toMatchObject({ json: { state: 'approved' } });
});

test('what a token of a command asks for, its author could approve by name: it asks for nothing', async () => {
  const token = 'the token of a command';
  expect(await ask(token, 'POST', corrections, add('2025-11-20T09:00'))).toMatchObject(needsPerson);
  expect(await ask(token, 'POST', `${corrections}/1/undo`, { reason: 'it was right' })).toMatchObject(needsPerson);
});

test('a correction by the token of a person is that of the person', async () => {
  const { id } = (await ask('the token of mei', 'POST', corrections, add('2025-11-20T10:00'))).json;
  expect(await ask('mei', 'POST', `${corrections}/${id}/approve`)).toMatchObject({ json: { title: 'same_person' } });
  expect(await ask('li', 'POST', `${corrections}/${id}/approve`)).toMatchObject({ status: 200 });
});

test('a correction in the store that no person asked for is approved by nobody', async () => {
  const { store } = box.opened;
  const asked = { kind: 'add', reason: 'old', by: 'command', at: 1, approve: false } as const;
  const done = await store.write.askCorrection({ ...asked, items: [{ extId: 'e1', at: 1_763_600_000 }] });
  const { id } = done as { id: number };
  expect(await ask('mei', 'POST', `${corrections}/${id}/approve`)).toMatchObject({ json: { title: 'same_person' } });
  expect(await ask('mei', 'POST', `${corrections}/${id}/refuse`)).toMatchObject({ json: { state: 'refused' } });
});

test('a month is opened again by two people who are signed in', async () => {
  const closed = await ask('mei', 'POST', '/attendance/closings', { month: '2025-11', force: 'for the test' });
  expect(closed.status).toBe(200);
  const reopen = `/attendance/closings/${closed.json.id}/reopen`;
  const token = 'the token of a command';
  expect(await ask(token, 'POST', reopen, { reason: 'late' })).toMatchObject(needsPerson);
  expect(await ask('mei', 'POST', reopen, { reason: 'late' })).toMatchObject({ json: { state: 'reopen_asked' } });
  for (const decision of ['approve', 'refuse'])
    expect(await ask(token, 'POST', `${reopen}/${decision}`)).toMatchObject(needsPerson);
  expect(await ask('mei', 'POST', `${reopen}/approve`)).toMatchObject({ json: { title: 'same_person' } });
  expect(await ask('li', 'POST', `${reopen}/approve`)).toMatchObject({ json: { state: 'reopened' } });
});
