import { expect, test } from 'vitest';
import { toPostgres } from '../../../src/store/postgres/sql.ts';

const known = [
  ['parameters in their order', 'UPDATE a SET b = ?, c = ? WHERE d = ?', 'UPDATE a SET b = $1, c = $2 WHERE d = $3'],
  ['numbered parameters, as often as they stand there', 'SELECT ?2, ?1, ?2', 'SELECT $2, $1, $2'],
  ['a parameter after a numbered one', 'SELECT ?3, ?', 'SELECT $3, $4'],
  ['no question mark of a text', "SELECT 'why? it''s ?' || ?", "SELECT 'why? it''s ?' || $1"],
  ['no question mark of a name', 'SELECT "a?" FROM `b?` WHERE c = ?', 'SELECT "a?" FROM "b?" WHERE c = $1'],
  [
    'names in camelCase',
    'SELECT a AS seenAt FROM (SELECT 1 AS seenAt) AS x',
    'SELECT a AS "seenAt" FROM (SELECT 1 AS "seenAt") AS x',
  ],
  [
    'no words, and no other names',
    'SELECT ext_id, UPPER(name_2) FROM employee',
    'SELECT ext_id, UPPER(name_2) FROM employee',
  ],
  ['functions with another name', 'SELECT instr(a, char(10)), total(b)', 'SELECT strpos(a, chr(10)), sum(b)'],
  ['no columns of such a name', 'SELECT total, instr FROM a', 'SELECT total, instr FROM a'],
  ['integers of 64 bits', 'SELECT CAST(a AS INTEGER)', 'SELECT CAST(a AS bigint)'],
  ['an order of joins that SQLite is told', 'FROM a CROSS JOIN b ON a.x = b.x', 'FROM a JOIN b ON a.x = b.x'],
  ['no limit', 'SELECT a FROM b LIMIT -1 OFFSET ?', 'SELECT a FROM b LIMIT ALL OFFSET $1'],
  ['transactions', 'BEGIN IMMEDIATE', 'BEGIN'],
] as const;

test.each(known)('%s', (_name, text, translated) => {
  expect(toPostgres(text)).toBe(translated);
});
