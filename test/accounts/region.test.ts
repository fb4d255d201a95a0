import { expect, test } from 'vitest';
import { Logins } from '../../src/accounts/logins.ts';
import { hashPassword } from '../../src/accounts/passwords.ts';
import { SetupCode } from '../../src/accounts/staff/setup-code.ts';
import { GuessWindows } from '../../src/runtime/guess-windows.ts';
import type { Store } from '../../src/store/index.ts';
import { HandClock } from '../support/clock.ts';
import { lightHash } from '../support/hash-strength.ts';
import { postgresOfFile, suiteWithPostgres } from '../support/postgres.ts';
import { aDatabase, openedPostgresStore } from '../support/postgres-store.ts';
import { applied } from '../support/store.ts';
import { until } from '../support/until.ts';

const right = 'correct horse';
const hash = await hashPassword(right, lightHash);

/** How a login at a process of a region ends. */
function loginsOf({ read, shared }: Store) {
  const logins = new Logins({ read, clock: new HandClock(), hashStrength: lightHash, counts: shared?.guesses });
  return async (password: string, address = '192.0.2.66') => {
    const outcome = await logins.login({ name: 'mei', password, address, known: null });
    return outcome.ok ? 'in' : outcome.why;
  };
}

suiteWithPostgres('guesses at two processes of a region', () => {
  const postgres = postgresOfFile();

  test('of a password are counted together, and a right login forgets them at both', async () => {
    const url = aDatabase(await postgres());
    await using first = await openedPostgresStore(url);
    await using second = await openedPostgresStore(url);
    await applied(first, { users: [{ name: 'mei', password_hash: hash, role: 'admin' }] });
    const [one, other] = [loginsOf(first), loginsOf(second)];
    for (const login of [one, other, one, other]) expect(await login('guess')).toBe('wrong');
    expect(await one(right)).toBe('in');
    // What was forgotten at one is forgotten at the other.
    await first.shared.alone('behind it on the same connection', async () => {});
    const third = loginsOf(second);
    for (let guess = 0; guess < 3; guess++) expect(await third('guess')).toBe('wrong');
    for (let guess = 0; guess < 2; guess++) expect(await one('guess')).toBe('wrong');
    // Five by now: neither is let through, also with the right one, and others are not kept out.
    expect([await one('guess'), await third('guess'), await third(right)]).toEqual(['wait', 'wait', 'wait']);
    expect(await third(right, '192.0.2.7')).toBe('in');
  });

  test('of the setup code that come at the same time are not let through by both', async () => {
    const url = aDatabase(await postgres());
    await using first = await openedPostgresStore(url);
    await using second = await openedPostgresStore(url);
    const codes = [first, second].map(({ shared }) => new SetupCode(new HandClock(), 'ABCD-EFGH', shared.guesses));
    const checks = Array.from({ length: 16 }, (_, turn) => codes[turn % 2]!.check('AAAA-AAAA', '192.0.2.66'));
    const looked = (await Promise.all(checks)).filter(outcome => outcome === 'wrong');
    expect(looked).toHaveLength(10);
  });

  test('of signatures are told of with the next one, and a right one asks nobody', async () => {
    const url = aDatabase(await postgres());
    await using first = await openedPostgresStore(url);
    await using second = await openedPostgresStore(url);
    const rule = { name: 'a signature', limit: 4, windowMs: 60_000 };
    const [one, other] = [first, second].map(({ shared }) => new GuessWindows(rule, shared.guesses)) as [
      GuessWindows,
      GuessWindows,
    ];
    for (let wrong = 0; wrong < 3; wrong++) one.take('app', 0);
    await first.shared.alone('behind them on the same connection', async () => {});
    expect(other.wait('app', 0)).toBe(0);
    other.take('app', 0);
    await until('it knows', () => other.wait('app', 0) > 0);
    expect(other.wait('another app', 0)).toBe(0);
    expect(one.wait('app', 0)).toBe(0);
    one.take('app', 0);
    await until('the first knows too', () => one.wait('app', 0) > 0);
  });

  test('in a flood are counted by the process itself, and what is quiet for an hour is removed', async () => {
    const server = await postgres();
    const url = aDatabase(server);
    await using store = await openedPostgresStore(url);
    const { guesses } = store.shared!;
    const rule = { free: 5, freeNow: 5, waitMaxMs: 1000 };
    const answers = await Promise.all(Array.from({ length: 500 }, (_, key) => guesses.begin(`key ${key}`, rule)));
    const asked = answers.filter(answer => answer !== null).length;
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThanOrEqual(200);
    const database = /\/(test_\d+)\?/.exec(url)![1]!;
    const rows = () => Number(server.run(database, 'SELECT count(*) FROM guess'));
    expect(rows()).toBe(asked);
    server.run(database, 'UPDATE guess SET heard = heard - 3600001, until = until - 3600001');
    await (guesses as unknown as { clean(): Promise<void> }).clean();
    expect(rows()).toBe(0);
  });
});
