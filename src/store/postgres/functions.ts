/**
 * Functions of SQLite that PostgreSQL has not, or not so, made in the database when it is created.
 * They take and return what SQLite's do, null included, as far as the store's statements ask; JSON
 * keeps the order of its keys.
 */
export const postgresFunctions: readonly string[] = [
  // Of two; the aggregates of one argument stay PostgreSQL's own.
  `CREATE FUNCTION max(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
     AS 'SELECT CASE WHEN $1 >= $2 THEN $1 WHEN $1 < $2 THEN $2 END'`,
  `CREATE FUNCTION min(bigint, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
     AS 'SELECT CASE WHEN $1 <= $2 THEN $1 WHEN $1 > $2 THEN $2 END'`,
  `CREATE FUNCTION hex(bytea) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
     AS 'SELECT upper(encode($1, ''hex''))'`,
  /** Of a date, `YYYY-MM-DD`. */
  `CREATE FUNCTION unixepoch(text) RETURNS bigint LANGUAGE sql STABLE PARALLEL SAFE
     AS 'SELECT extract(epoch FROM $1::timestamp)::bigint'`,
  `CREATE FUNCTION json_quote(text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
     AS 'SELECT to_json($1)::text'`,
  /** Values of an array, which callers ask `json_each` for. */
  `CREATE FUNCTION json_values(text) RETURNS TABLE (value text) LANGUAGE sql IMMUTABLE PARALLEL SAFE
     AS 'SELECT json_array_elements_text($1::json)'`,
  /** Of paths to keys of the object itself: `$.key`. */
  `CREATE FUNCTION json_remove(text, VARIADIC paths text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
     AS $$SELECT CASE WHEN $1 IS NOT NULL THEN '{' || coalesce(string_agg(to_json(key)::text || ':' || value::text, ',' ORDER BY n), '') || '}' END
       FROM json_each($1::json) WITH ORDINALITY AS own (key, value, n) WHERE '$.' || key <> ALL (paths)$$`,
  `CREATE FUNCTION json_set(text, path text, value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
     AS $$SELECT CASE WHEN $1 IS NOT NULL THEN '{' || string_agg(to_json(key)::text || ':' || put, ',' ORDER BY n) || '}' END FROM (
       SELECT key, n, CASE WHEN '$.' || key = $2 THEN coalesce(to_json($3)::text, 'null') ELSE own.value::text END AS put
         FROM json_each($1::json) WITH ORDINALITY AS own (key, value, n)
       UNION ALL SELECT substr($2, 3), 9007199254740991, coalesce(to_json($3)::text, 'null')
         WHERE NOT EXISTS (SELECT FROM json_object_keys($1::json) AS key WHERE '$.' || key = $2)) AS entries$$`,
];
