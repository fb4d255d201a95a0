import { expect, test } from 'vitest';
import type { BoxAdmin } from '../../src/admin/index.ts';
import { anAdminApi, anIdentity } from '../support/admin.ts';

/** Longer than what is never compressed. */
const long = 'the same again, '.repeat(1000);
const admin = {
  site: async () => ({ departments: [{ ext_id: 'd1', name: long }] }),
  tokens: { list: async () => ({ rows: [], cursor: null, long }), make: async () => ({ token: long }) },
} as unknown as BoxAdmin;

async function encodingOf(method: string, path: string, body?: object): Promise<string | null> {
  const api = anAdminApi(admin, anIdentity('admin'));
  const headers = { 'accept-encoding': 'gzip', ...(body && { 'content-type': 'application/json' }) };
  const answer = await api.fetch(
    new Request(`http://box${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) }),
  );
  expect(answer.status).toBe(200);
  return answer.headers.get('content-encoding');
}

test('a long answer without secrets is compressed', async () => {
  expect(await encodingOf('GET', '/tokens')).toBe('gzip');
});

test.each([
  ['GET', '/site', undefined],
  ['GET', '/site?with_secrets=true', undefined],
  ['POST', '/tokens', { name: 'a', role: 'viewer' }],
])('the answer of %s %s may hold secrets, and is not', async (method, path, body) => {
  expect(await encodingOf(method, path, body)).toBe(null);
});
