import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { postgresMigrations } from '../../../src/store/postgres/ddl.ts';
import { migrations } from '../../../src/store/schema/migrations.generated.ts';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
}

/** Of each table its columns in their order, and the columns of each unique key. */
interface Schema {
  readonly [table: string]: { readonly columns: readonly Column[]; readonly keys: readonly string[] };
}

suiteWithPostgres('the migrations on PostgreSQL', () => {
  const postgres = postgresOfFile();

  test('each is taken, one after another', async () => {
    const server = await postgres();
    const database = server.create();
    for (const { name, statements } of postgresMigrations())
      expect(() => server.run(database, `BEGIN;\n${statements.join(';\n')};\nCOMMIT;`), name).not.toThrow();
  });

  test('they make the tables, columns and unique keys that they make on SQLite', async () => {
    const server = await postgres();
    const database = server.createStore();
    expect(JSON.parse(server.run(database, schemaOfPostgres))).toEqual(schemaOfSqlite());
  });
});

/** What SQLite's types are called there. */
const types: Readonly<Record<string, string>> = { INTEGER: 'bigint', TEXT: 'text', BLOB: 'bytea' };

function schemaOfSqlite(): Schema {
  using database = new DatabaseSync(':memory:');
  for (const { statements } of migrations) for (const statement of statements) database.exec(statement);
  const rows = (text: string) => database.prepare(text).all() as Record<string, string | number>[];
  const tables = rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'");
  return Object.fromEntries(
    tables.map(({ name: table }) => {
      const columns = rows(`PRAGMA table_info(${table})`).map(({ name, type, notnull, pk }) => ({
        name: String(name),
        type: types[String(type).toUpperCase()]!,
        // A primary key is never null, whatever the older versions of SQLite took.
        isNullable: notnull === 0 && pk === 0,
      }));
      const primary = rows(`PRAGMA table_info(${table})`).filter(({ pk }) => Number(pk) > 0);
      const unique = rows(`PRAGMA index_list(${table})`).filter(
        ({ unique, origin }) => unique === 1 && origin !== 'pk',
      );
      const keys = [
        primary.sort((one, other) => Number(one.pk) - Number(other.pk)).map(({ name }) => name),
        ...unique.map(({ name }) => rows(`PRAGMA index_info(${name})`).map(column => column.name)),
      ];
      return [table, { columns, keys: keys.map(key => key.join()).sort() }];
    }),
  );
}

/** Without the column that stands in for SQLite's `rowid`. */
const schemaOfPostgres = `SELECT json_object_agg(t.relname, json_build_object(
    'columns', (SELECT json_agg(json_build_object('name', a.attname, 'type', a.atttypid::regtype::text, 'isNullable', NOT a.attnotnull) ORDER BY a.attnum)
       FROM pg_attribute a WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attname <> 'rowid'),
    'keys', (SELECT json_agg(names ORDER BY names) FROM (SELECT string_agg(a.attname, ',' ORDER BY k.n) AS names
       FROM pg_index i CROSS JOIN unnest(i.indkey) WITH ORDINALITY AS k (attnum, n)
         JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
       WHERE i.indrelid = t.oid AND i.indisunique GROUP BY i.indexrelid) AS keys)))
  FROM pg_class t WHERE t.relkind = 'r' AND t.relnamespace = 'public'::regnamespace;`;
