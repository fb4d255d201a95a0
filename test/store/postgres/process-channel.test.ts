import { expect, test } from 'vitest';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, openedPostgresStore } from '../../support/postgres-store.ts';
import { until } from '../../support/until.ts';

suiteWithPostgres('what the processes of a region tell each other', () => {
  const postgres = postgresOfFile();

  test('all others hear, in order, and the one that told it does not', async () => {
    const url = aDatabase(await postgres());
    await using one = await openedPostgresStore(url);
    await using other = await openedPostgresStore(url);
    const heard = { one: [] as string[], other: [] as string[] };
    one.processes.onMessage('push', text => void heard.one.push(text));
    other.processes.onMessage('push', (text, from) => void heard.other.push(`${text} ${typeof from}`));
    other.processes.onMessage('alerts', () => void heard.other.push('of another topic'));
    for (const text of ['first', '', "it's:\n1,2 考勤"]) await one.processes.tell('push', text);
    await until('the other has heard all', () => heard.other.length === 3);
    expect(heard).toEqual({ one: [], other: ['first number', ' number', "it's:\n1,2 考勤 number"] });
    await expect(one.processes.tell('push', 'x'.repeat(7501))).rejects.toThrow('push: 7501 bytes');
    // The connection still works.
    await one.processes.tell('push', 'x'.repeat(7500));
    await until('the other has heard it', () => heard.other.length === 4);
  });
});
