import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, test } from 'vitest';
import { toPostgres } from '../../../src/store/postgres/sql.ts';
import { type Postgres, postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';

/** What statements of the store compute, with the values at which two databases could differ. */
const expressions = [
  ...['max(1, 2)', 'max(2, 1)', 'max(NULL, 1)', 'max(1, NULL)', 'max(-1, -1)'],
  ...['min(1, 2)', 'min(2, 1)', 'min(NULL, 1)', 'min(1, NULL)'],
  ...[
    "hex(X'')",
    "hex(X'00ff7A')",
    "substr(hex(substr(X'00ff', 2, 1)), 2, 1)",
    "substr(hex(substr(X'00', 9, 1)), 1, 1)",
  ],
  ...["unixepoch('2026-11-25')", "unixepoch('1969-12-31')", 'unixepoch(NULL)'],
  ...[
    `json_quote('a"b\\c/d')`,
    "json_quote('1\n2\t3\r\b\f')",
    "json_quote('\u0001\u001f\u007f')",
    "json_quote('é中😀')",
  ],
  `json_remove('{"a":1,"b":{"a":"x, y"},"c":[1,2],"d":null}', '$.a', '$.d', '$.x')`,
  ...[`json_remove('{"a":1}', '$.a')`, "json_remove(NULL, '$.a')", `json_remove('{"é\\n":"\\u00e9"}', '$.a')`],
  ...[`json_set('{"a":1,"b":2}', '$.a', 'x"y')`, `json_set('{"a":1}', '$.b', 'é')`, `json_set('{}', '$.b', '')`],
  ...["json_set(NULL, '$.b', '')", `json_set('{"a":1}', '$.b', NULL)`],
  `(SELECT count(*) FROM json_each('["1","2"]') WHERE CAST(value AS INTEGER) = 2)`,
  `(SELECT count(*) FROM json_each('[1,2]') WHERE CAST(value AS INTEGER) = 2)`,
  ...['(SELECT count(*) FROM json_each(NULL))', "(SELECT count(*) FROM json_each('[]'))"],
  `(SELECT group_concat(value, ',') FROM json_each('["b","a","c"]'))`,
  ...["instr('a_b', '_')", "instr('ab', '_')", "instr('ab', '')", "instr('é_', '_')", "instr(NULL, '_')"],
  ...["substr('abc', 2)", "substr('abc', 0)", "substr('abc', 4)", "substr('abc', 1, 2)", "substr('éa', 2)"],
  ...["lower('AÄÉ')", "upper('aäé')", "ltrim('0070', '0')", "replace('aba', 'a', 'c')", "nullif('', '')"],
  ...["length('é')", "octet_length('é')", "'a' || char(10) || 1", '1 || NULL'],
  ...['CAST(7 AS INTEGER) / 2', 'CAST(-7 AS INTEGER) / 2', "CAST('12' AS INTEGER)", 'abs(-3)', '5 & 3'],
  ...['format(\'{"id":"%s","at":%s}\', 5, \'x\')', "format('%s', NULL)", "format('%s', 9007199254740991)"],
  ...[
    'CASE WHEN 1 IS DISTINCT FROM NULL THEN 1 ELSE 0 END',
    'CASE WHEN NULL IS NOT DISTINCT FROM NULL THEN 1 ELSE 0 END',
  ],
  ...["CASE WHEN ('a', 2) > ('a', 1) THEN 1 ELSE 0 END", "CASE WHEN '{x' LIKE '{%' THEN 1 ELSE 0 END"],
] as const;

/** In an order that is no database's. */
const texts = ['b', 'A', 'é', '10', 'a', '2', '', 'Z', '_', '中', 'z', '-', '1', '😀', 'a b', 'ab', 'Ä', '～', 'a\n'];

suiteWithPostgres('what the statements of the store compute on PostgreSQL', () => {
  const postgres = postgresOfFile();
  let server: Postgres;
  let database: string;

  beforeAll(async () => {
    server = await postgres();
    database = server.createStore();
  });

  test('is what they compute on SQLite', () => {
    using sqlite = new DatabaseSync(':memory:');
    const here = expressions.map(expression => {
      const { value } = sqlite.prepare(`SELECT ${expression} AS value`).get() as { value: unknown };
      return value === null ? null : String(value);
    });
    const there = expressions.map(text => `(${toPostgres(text).replace(/X'(\w*)'/g, "'\\x$1'::bytea")})::text`);
    const found = JSON.parse(server.run(database, `SELECT json_build_array(${there.join(', ')});`)) as unknown[];
    expect(Object.fromEntries(expressions.map((text, index) => [text, found[index]]))).toEqual(
      Object.fromEntries(expressions.map((text, index) => [text, here[index]])),
    );
  });

  test('has the same order of texts', () => {
    using sqlite = new DatabaseSync(':memory:');
    const ordered = `SELECT value FROM json_each('${JSON.stringify(texts)}') ORDER BY value`;
    const here = sqlite
      .prepare(ordered)
      .all()
      .map(({ value }) => value);
    const found = server.run(database, `SELECT json_agg(value) FROM (${toPostgres(ordered)}) AS texts;`);
    expect(JSON.parse(found)).toEqual(here);
  });
});
