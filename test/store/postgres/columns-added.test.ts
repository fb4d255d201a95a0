import type { SQLInputValue } from 'node:sqlite';
import { expect, test } from 'vitest';
import { connectToPostgres } from '../../../src/store/postgres/database.ts';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase } from '../../support/postgres-store.ts';
import { preparedByStore, type Statement } from '../../support/statements/index.ts';
import { prepareAll } from '../../support/statements/on-postgres.ts';

/** A value of each type that parameters have. */
const values: Readonly<Record<string, SQLInputValue>> = {
  ...{ bigint: 1, integer: 1, text: '[]', bytea: Buffer.from([0]) },
};

interface Runnable {
  readonly statement: Statement;
  readonly asked: readonly SQLInputValue[];
}

suiteWithPostgres('the statements of a process that runs', () => {
  const postgres = postgresOfFile();

  test('go on when a newer version adds a column to every table', async () => {
    const server = await postgres();
    const url = aDatabase(server);
    const database = /@\/(\w+)/.exec(url)![1]!;
    // The columns of all others are named.
    const mayChange = ({ text }: Statement) => text?.includes('*') && !text.startsWith('PRAGMA');
    const prepared = prepareAll(server, database, preparedByStore().filter(mayChange));
    const all = prepared
      .filter(({ error }) => error === null)
      .map(({ statement, types }) => ({ statement, asked: types.map(type => values[type] ?? null) }));
    expect(all.length).toBeGreaterThan(100);
    expect(all.some(({ statement: { text } }) => /SELECT \* FROM \w/.test(text!))).toBe(true);
    const connection = connectToPostgres({ url, sealKey: Buffer.alloc(32) });
    try {
      const say = ({ statement: { file, line, text }, asked }: Runnable): string | null => {
        connection.database.exec('BEGIN');
        try {
          connection.sql(text!).all(...asked);
          return null;
        } catch (error) {
          return `${file}:${line}: ${(error as Error).message}: ${text}`;
        } finally {
          connection.database.exec('ROLLBACK');
        }
      };
      const before = all.map(say);
      server.run(
        database,
        `DO $$ DECLARE own text; BEGIN
           FOR own IN SELECT oid::regclass::text FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace LOOP
             EXECUTE format('ALTER TABLE %s ADD added_later text DEFAULT %L NOT NULL', own, 'newer');
           END LOOP; END $$;`,
      );
      const after = all.map(say);
      const changed = after.filter((said, index) => said !== before[index]);
      expect(changed).toEqual([]);
    } finally {
      connection.database.close();
    }
  });
});
