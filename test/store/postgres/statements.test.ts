import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { toPostgres } from '../../../src/store/postgres/sql.ts';
import { migrations } from '../../../src/store/schema/migrations.generated.ts';
import { type Postgres, postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { declaredQueries, preparedByStore, type Statement } from '../../support/statements/index.ts';
import { type Prepared, prepareAll, runAll, sayOf } from '../../support/statements/on-postgres.ts';

/** What only a store in a file of SQLite does, and why the same text need not run on PostgreSQL. */
const onSqliteAlone: readonly { readonly in: RegExp; readonly text?: RegExp; readonly because: string }[] = [
  { in: /./, text: /^PRAGMA /, because: 'settings, checkpoints and figures of the file' },
  { in: /./, text: /sqlite_schema/, because: 'the tables of a file that another program may have written' },
  {
    in: /writer\/(writer|sqlite-engine)\.ts/,
    text: /total_changes\(\)/,
    because: 'what the connection itself has counted',
  },
  { in: /data-dir\//, because: 'backups, restores and the lock are of the file' },
  { in: /store\/(open|prepare)\.ts/, because: 'makes, checks and opens a store in a file' },
  { in: /schema\/migrate\.ts/, because: 'runs the migrations, which have a test of their own' },
  { in: /schema\/(database|query)\.ts/, because: 'prepares whatever it is handed' },
];

/** Parameters that PostgreSQL takes for `integer`, 32 bits, and whose values are always less. */
const small: readonly { readonly in: RegExp; readonly because: string }[] = [
  { in: /block-reader\.ts/, because: 'places and bits within the bitmap of a block (deviceBit)' },
];

/** Not prepared, but run; see the last test. */
const ofTransactions = /^(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/;

const excepts = (one: (typeof onSqliteAlone)[number], { file, text }: Statement): boolean =>
  one.in.test(file) && (one.text === undefined || (text !== null && one.text.test(text)));
const isExempt = (statement: Statement): boolean => onSqliteAlone.some(one => excepts(one, statement));
const isSmall = ({ file }: Statement): boolean => small.some(one => one.in.test(file));

/** Those with a parameter of 32 bits, or of a kind of number that SQLite's columns do not have. */
const narrow = (prepared: readonly Prepared[]): string[] =>
  prepared
    .filter(({ types }) => types.some(type => !['bigint', 'text', 'bytea'].includes(type)))
    .map(({ statement, types }) => sayOf(statement, types.join()));
const refused = (prepared: readonly Prepared[]): string[] =>
  prepared.flatMap(({ statement, error }) => (error === null ? [] : [sayOf(statement, error)]));

suiteWithPostgres('the statements of the store on PostgreSQL', () => {
  const postgres = postgresOfFile();
  let server: Postgres;
  let database: string;
  let all: readonly Statement[];
  /** Those that both databases run. */
  let shared: readonly Statement[];
  let prepared: readonly Prepared[];

  beforeAll(async () => {
    all = preparedByStore();
    shared = all.filter(one => one.text !== null && !isExempt(one) && !ofTransactions.test(one.text));
    server = await postgres();
    database = server.createStore();
    prepared = prepareAll(server, database, shared);
  });

  test('are all found: each place that prepares one, and each query that is declared', () => {
    const unknown = all.filter(one => one.text === null && !isExempt(one)).map(({ file, line }) => `${file}:${line}`);
    expect(unknown).toEqual([]);
    const places = new Set(all.map(({ file, line }) => `${file}:${line}`));
    expect(declaredQueries().filter(place => !places.has(place))).toEqual([]);
    expect(shared.length).toBeGreaterThan(1000);
  });

  test('are what SQLite takes', () => {
    using sqlite = new DatabaseSync(':memory:');
    for (const { statements } of migrations) for (const statement of statements) sqlite.exec(statement);
    for (const { file, line, text } of shared) expect(() => sqlite.prepare(text!), `${file}:${line}`).not.toThrow();
  });

  test('are taken by PostgreSQL too', () => {
    expect(refused(prepared)).toEqual([]);
  });

  test('have no parameter that holds less there than on SQLite', () => {
    expect(narrow(prepared.filter(({ statement }) => !isSmall(statement)))).toEqual([]);
  });

  test('run there', () => {
    expect(runAll(server, database, prepared)).toEqual([]);
  });

  test('one that PostgreSQL refuses is found', () => {
    const place = { file: 'src/store/some.ts', line: 1 };
    const wrong = prepareAll(server, database, [
      { ...place, text: 'INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)' },
      { ...place, text: 'SELECT value FROM meta WHERE ? IS NULL' },
      { ...place, text: 'SELECT seq FROM parked WHERE seq > ? * 1000' },
      { ...place, text: 'SELECT seq FROM parked ORDER BY seq LIMIT 1 - ?' },
    ]);
    expect(refused(wrong)).toHaveLength(2);
    expect(narrow(wrong)).toHaveLength(2);
    const runs = [{ statement: { ...place, text: 'SELECT seq FROM parked LIMIT 1 - 2' }, error: null, types: [] }];
    expect(runAll(server, database, runs)).toHaveLength(1);
  });

  test('the exceptions are needed', () => {
    for (const one of onSqliteAlone)
      expect(
        all.some(statement => excepts(one, statement)),
        one.because,
      ).toBe(true);
    for (const one of small)
      expect(narrow(prepared.filter(({ statement }) => one.in.test(statement.file))), one.because).not.toEqual([]);
  });

  test('a transaction goes its way there', () => {
    const texts = new Set(all.flatMap(({ text }) => (text !== null && ofTransactions.test(text) ? [text] : [])));
    const steps = ['BEGIN IMMEDIATE', 'SAVEPOINT operation', 'ROLLBACK TO operation', 'RELEASE operation', 'COMMIT'];
    const others = ['BEGIN', 'ROLLBACK'];
    expect([...texts].filter(text => text !== 'BEGIN EXCLUSIVE').sort()).toEqual([...steps, ...others].sort());
    const script = [...steps, ...others].map(step => `${toPostgres(step)};`).join('\n');
    expect(() => server.run(database, script)).not.toThrow();
  });
});
