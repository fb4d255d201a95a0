import { expect, test } from 'vitest';
import { hashPassword } from '../../src/accounts/index.ts';
import { applySite } from '../../src/admin/apply-site.ts';
import { HandClock } from '../support/clock.ts';
import { aStore } from '../support/store.ts';

test('a site file has the rule for passwords that pages and commands have, and one that is in force stays', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const apply = (password: string) =>
    applySite(
      store,
      { site: { users: [{ name: 'mei', password, role: 'admin' }] }, prune: false, dryRun: false },
      { production: true, clock: new HandClock(), siteName: 'Harbour Mill' },
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
  await store.write.putUser({ name: 'mei', passwordHash: await hashPassword('password123') });
  expect(await apply('password123')).toEqual({ ok: true, changes: [] });
});
