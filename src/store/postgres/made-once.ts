/** The tables that the directory is read from (readers/directory.ts). */
const ofDirectory = ['product', 'device', 'box_below'];

/**
 * What only several processes need, made with the tables: the end of the journal, whose row every
 * commit of records locks; whose turn it is; a number that tells whether the directory has changed.
 */
export const ofProcesses: readonly string[] = [
  'CREATE TABLE journal_head (lane bigint PRIMARY KEY, seq bigint NOT NULL)',
  'INSERT INTO journal_head (lane, seq) VALUES (0, 0)',
  'CREATE TABLE lease (name text PRIMARY KEY, holder bigint NOT NULL, pid bigint NOT NULL, until bigint NOT NULL)',
  'CREATE TABLE turn (name text PRIMARY KEY, holder bigint NOT NULL, renewed bigint NOT NULL, up bigint NOT NULL)',
  'CREATE SEQUENCE member',
  'CREATE TABLE directory_change (no bigint NOT NULL)',
  'INSERT INTO directory_change (no) VALUES (0)',
  `CREATE FUNCTION now_ms() RETURNS bigint LANGUAGE sql VOLATILE
     AS 'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint'`,
  `CREATE FUNCTION directory_changed() RETURNS trigger LANGUAGE plpgsql
     AS 'BEGIN UPDATE directory_change SET no = no + 1; RETURN NULL; END'`,
];

/**
 * How far devices are forwarded stands in their rows, and moves all the time: only who forwards
 * asks for it, and reads the directory again when it begins. A migration may have added columns.
 */
export const watchDirectory = `DO $$
  DECLARE watched text; columns text;
  BEGIN
    FOREACH watched IN ARRAY ARRAY[${ofDirectory.map(table => `'${table}'`).join(', ')}] LOOP
      SELECT string_agg(quote_ident(column_name), ', ') INTO columns FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = watched AND column_name NOT LIKE 'forwarded%';
      EXECUTE format('CREATE OR REPLACE TRIGGER directory_changed AFTER INSERT OR DELETE OR UPDATE OF %s ON %I
        FOR EACH STATEMENT EXECUTE FUNCTION directory_changed()', columns, watched);
    END LOOP;
  END $$`;

/** A statement that gives one of those tables a column. */
export const watchesDirectory = (statement: string): boolean =>
  ofDirectory.some(table => statement.startsWith(`ALTER TABLE "${table}" `));
