import { expect, test } from 'vitest';
import { integrations } from '../../../src/admin/ui/integrations.ts';
import { plainMistake, type SignedRequest } from '../../../src/platform/signed-request.ts';

const at = 1_763_600_000_000;

const aRequest = (caller: string, more: Partial<SignedRequest> = {}): SignedRequest => ({
  ...{ caller, identified: true, address: '10.0.0.7', method: 'POST', path: '/v2.0/employee/query', command: '' },
  ...{ status: 200, code: 0, why: null, parts: [], at, since: at, ms: 1, ms_max: 1, count: 1 },
  ...more,
});
const aUse = (more: object = {}) => ({ at, address: '10.0.0.7', call: '/v2.0/employee/query', ...more });

function reportOf({
  attendance = [] as SignedRequest[],
  services = [] as SignedRequest[],
  stored = [] as object[],
  seen = new Map<string, object>(),
  grants = [] as object[],
  engine = 'sqlite',
} = {}) {
  const site = { attendance_callers: [{ app_key: 'ak1' }], oauth_clients: [{ client_id: 'canteen' }] };
  return integrations({
    admin: {
      site: async () => site,
      grants: { list: async () => ({ grants }) },
      services: { report: async () => ({ waiting: {}, marked_calls: [] }) },
    },
    attendance: { requests: () => attendance, uses: () => seen },
    services: { requests: () => services, uses: () => new Map() },
    store: { read: { callerUses: async () => ({ attendance: stored, services: [] }) } },
    config: { store: { engine } },
  } as never).report();
}

test('rejected requests of both APIs come before accepted ones, each newest first', async () => {
  const why = plainMistake('bad_body', 'users: is missing');
  const { requests } = await reportOf({
    attendance: [aRequest('a', { at: at + 1 }), aRequest('b', { at: at + 3, why })],
    services: [aRequest('c', { at: at + 2, why }), aRequest('d', { at: at + 4 })],
  });
  expect(requests.map(({ kind, caller }) => `${kind} ${caller}`)).toEqual([
    'attendance b',
    'services c',
    'services d',
    'attendance a',
  ]);
});

test('the last use is the later one of what is stored, by whatever process, and what was seen here', async () => {
  const usedOf = async (options: Parameters<typeof reportOf>[0]) => (await reportOf(options)).callers[0]!.used;
  const elsewhere = { id: 'ak1', ...aUse({ at: at + 1, address: '10.0.0.9' }) };
  expect(await usedOf({})).toBeNull();
  expect(await usedOf({ stored: [elsewhere] })).toMatchObject({ address: '10.0.0.9' });
  expect(await usedOf({ stored: [elsewhere], seen: new Map([['ak1', aUse()]]) })).toMatchObject({ at: at + 1 });
  expect(await usedOf({ stored: [elsewhere], seen: new Map([['ak1', aUse({ at: at + 2 })]]) })).toMatchObject({
    at: at + 2,
  });
});

test('an app that people sign in to was last used when one of them last used it', async () => {
  const grants = [2, 1].map(later => ({ client_id: 'canteen', used_at: at + later }));
  const { callers } = await reportOf({ grants });
  expect(callers[1]).toMatchObject({ kind: 'oauth', used: { at: at + 2, address: '', call: '' } });
});

test('in a region the report says that it is of one process', async () => {
  expect((await reportOf()).of_process).toBe(false);
  expect((await reportOf({ engine: 'postgres' })).of_process).toBe(true);
});
