import { expect, test } from 'vitest';
import { hashPassword } from '../../src/accounts/index.ts';
import { applySite } from '../../src/admin/apply-site.ts';
import type { SiteFile } from '../../src/config/index.ts';
import { HandClock } from '../support/clock.ts';
import { lightHash } from '../support/hash-strength.ts';
import { aStore } from '../support/store.ts';

test('a public client needs no secret, stays public, and gets a secret when it is public no more', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const apply = (change: Record<string, unknown>) =>
    applySite(
      store,
      {
        site: { oauth_clients: [{ client_id: 'kiosk', redirect_uris: ['https://kiosk.example/cb'], ...change }] },
        prune: false,
        dryRun: false,
      },
      { production: true, clock: new HandClock(), hashStrength: lightHash },
    );
  expect(await apply({})).toMatchObject({ ok: false, problems: [{ path: ['oauth_clients', 0, 'client_secret'] }] });
  expect(await apply({ public: true })).toMatchObject({ ok: true });
  expect(await apply({ public: true })).toEqual({ ok: true, changes: [] });
  expect(await apply({})).toEqual({ ok: true, changes: [] });
  expect((await store.read.site({ withSecrets: true })).oauth_clients).toEqual([
    { client_id: 'kiosk', public: true, redirect_uris: ['https://kiosk.example/cb'] },
  ]);
  expect(await apply({ client_secret: 'made up' })).toMatchObject({ ok: false });
  expect(await apply({ public: false })).toMatchObject({
    ok: false,
    problems: [{ path: ['oauth_clients', 0, 'public'] }],
  });
  expect(await apply({ public: false, client_secret: 'one of its own' })).toMatchObject({ ok: true });
  expect((await store.read.oauthClient('kiosk'))?.secret).toBe('one of its own');
});

test('a site file has the rule for passwords that pages and commands have, and one that is in force stays', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const apply = (password: string) =>
    applySite(
      store,
      { site: { users: [{ name: 'mei', password, role: 'admin' }] }, prune: false, dryRun: false },
      { production: true, clock: new HandClock(), hashStrength: lightHash, siteName: 'Harbour Mill' },
    );
  for (const weak of ['password123', 'woaini1314', 'harbourmill'])
    expect(await apply(weak)).toEqual({
      ok: false,
      problems: [{ path: ['users', 0, 'password'], reason: expect.stringContaining('guessed too soon') }],
    });
  expect(await store.read.users()).toEqual([]);
  expect(await apply('three unlikely words')).toMatchObject({ ok: true, changes: [{ action: 'add' }] });
  expect(await apply('three unlikely words')).toEqual({ ok: true, changes: [] });
  // From before the rule: the box starts all the same.
  await store.write.putUser({ name: 'mei', passwordHash: await hashPassword('password123', lightHash) });
  expect(await apply('password123')).toEqual({ ok: true, changes: [] });
});

test('a site file never takes the last admin, by a role or by pruning, also where another goes at the same time', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const apply = (users: NonNullable<SiteFile['users']>, { prune = false, dryRun = false } = {}) =>
    applySite(
      store,
      { site: { users, message_templates: [{ template: 'late', title: 'Late', body: '' }] }, prune, dryRun },
      { production: true, clock: new HandClock(), hashStrength: lightHash },
    );
  const refused = { ok: false, problems: [{ path: ['users'], reason: expect.stringContaining('without an admin') }] };
  const passwordHash = await hashPassword('three unlikely words', lightHash);
  for (const name of ['mei', 'li']) await store.write.putUser({ name, role: 'admin', passwordHash });
  // The file takes one role while a person takes the other.
  const [file, page] = await Promise.all([
    store.write.applySite({ site: { users: [{ name: 'mei', role: 'staff' }] }, prune: false, dryRun: false, at: 1 }),
    store.write.putUser({ name: 'li', role: 'viewer', keepsAdmin: true }),
  ]);
  expect([file === 'last_admin', page]).toEqual([false, false]);

  expect(await apply([{ name: 'li', role: 'viewer' }])).toEqual(refused);
  expect(await apply([{ name: 'li', role: 'viewer' }], { dryRun: true })).toEqual(refused);
  expect(await apply([{ name: 'mei', role: 'staff' }], { prune: true })).toEqual(refused);
  // Nobody signs in without a password.
  expect(await apply([{ name: 'wang', role: 'admin' }], { prune: true })).toEqual(refused);
  expect((await store.read.users()).map(({ name, role }) => [name, role])).toEqual([
    ['li', 'admin'],
    ['mei', 'staff'],
  ]);
  expect((await store.read.site({ withSecrets: false })).message_templates).toBeUndefined();

  expect(
    await apply(
      [
        { name: 'mei', role: 'admin' },
        { name: 'li', role: 'viewer' },
      ],
      { prune: true },
    ),
  ).toMatchObject({ ok: true });
});
