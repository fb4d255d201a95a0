import { expect, test } from 'vitest';
import { takeOffTerminals } from '../../src/attendance/index.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock } from '../../src/runtime/real-world.ts';
import type { Store } from '../../src/store/index.ts';
import { postgresOfFile, suiteWithPostgres } from '../support/postgres.ts';
import { aDatabase, openedPostgresStore } from '../support/postgres-store.ts';
import { until } from '../support/until.ts';

suiteWithPostgres('a background job of a region', () => {
  const postgres = postgresOfFile();

  test('runs in one process, and in the next one as soon as that ends', async () => {
    const url = aDatabase(await postgres());
    const runs: string[] = [];
    const working = (name: string, store: Store) =>
      takeOffTerminals(
        {
          once: store.once,
          write: {
            async leaveTerminals(input) {
              runs.push(name);
              return store.write.leaveTerminals(input);
            },
          },
        },
        { timezone: 'Asia/Shanghai' },
        { clock: realClock, log: silentLog },
      );
    const first = await openedPostgresStore(url);
    const job = working('first', first);
    await until('the first does it', () => runs.length > 0);
    await using second = await openedPostgresStore(url);
    await using _job = working('second', second);
    await job[Symbol.asyncDispose]();
    await first[Symbol.asyncDispose]();
    await until('the second does it', () => runs.includes('second'));
    expect(runs).toEqual(['first', 'second']);
  });
});
