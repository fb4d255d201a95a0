import { expect, test } from 'vitest';
import { Once } from '../../../src/services/signing/once.ts';
import { HandClock } from '../../support/clock.ts';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, openedPostgresStore } from '../../support/postgres-store.ts';

const caller = { appId: 'hr-portal', timestamp: '1763600000000', nonce: 'n1', isAhead: false };

suiteWithPostgres('a signed call that comes to two processes of a region', () => {
  const postgres = postgresOfFile();

  test('at the same time is done once, and both get the same answer', async () => {
    const url = aDatabase(await postgres());
    await using first = await openedPostgresStore(url);
    await using second = await openedPostgresStore(url);
    const clock = new HandClock(Number(caller.timestamp));
    const begun: string[] = [];
    const mayEnd = Promise.withResolvers<void>();
    const done = Promise.withResolvers<void>();
    const acting = (name: string) => async () => {
      begun.push(name);
      done.resolve();
      await mayEnd.promise;
      return { by: name };
    };
    const one = new Once({ store: first, clock }).run(caller, 'body', acting('first'));
    await done.promise;
    const other = new Once({ store: second, clock });
    const again = other.run(caller, 'body', acting('second'));
    const otherBody = other.run(caller, 'other body', acting('second')).catch((error: Error) => error.message);
    // It has asked, and waits.
    await second.shared.alone('anything else', async () => {});
    mayEnd.resolve();
    expect(await one).toEqual({ by: 'first' });
    expect(await again).toEqual({ by: 'first' });
    expect(await otherBody).toContain('used for another call');
    expect(begun).toEqual(['first']);
  });

  test('after an error is done by the other one, and so after the first has ended', async () => {
    const url = aDatabase(await postgres());
    await using second = await openedPostgresStore(url);
    const clock = new HandClock(Number(caller.timestamp));
    {
      await using first = await openedPostgresStore(url);
      const failing = async () => Promise.reject(new Error('no room'));
      await expect(new Once({ store: first, clock }).run(caller, 'body', failing)).rejects.toThrow('no room');
      // Never comes to an end: its process does.
      void first.shared.alone(
        `signed call\u0000hr-portal\u0000${caller.timestamp}\u0000n1`,
        () => new Promise(() => {}),
      );
      await first.shared.alone('behind it on the same connection', async () => {});
    }
    const answer = await new Once({ store: second, clock }).run(caller, 'body', async () => ({ by: 'second' }));
    expect(answer).toEqual({ by: 'second' });
  });
});
