/**
 * Tables that only several processes need, made with the others: the end of the journal, whose row
 * every commit of records locks; who has which lease; a number that tells whether the directory has
 * changed.
 */
export const ofProcesses: readonly string[] = [
  'CREATE TABLE journal_head (lane bigint PRIMARY KEY, seq bigint NOT NULL)',
  'INSERT INTO journal_head (lane, seq) VALUES (0, 0)',
  'CREATE TABLE lease (name text PRIMARY KEY, holder bigint NOT NULL, renewed bigint NOT NULL, up bigint NOT NULL)',
  'CREATE SEQUENCE member',
  'CREATE TABLE directory_change (no bigint NOT NULL)',
  'INSERT INTO directory_change (no) VALUES (0)',
  `CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE
     AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint'`,
];
