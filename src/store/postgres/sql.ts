/**
 * Names that differ in PostgreSQL. All others are made in ddl.ts, or written so that both
 * accept them.
 */
const functions: ReadonlyMap<string, string> = new Map([
  ['char', 'chr'],
  ['group_concat', 'string_agg'],
  ['instr', 'strpos'],
  ['json_array', 'json_build_array'],
  ['json_each', 'json_values'],
  ['json_group_array', 'json_agg'],
  ['total', 'sum'],
]);

const phrases: ReadonlyMap<string, string> = new Map([
  // The bytes of a text: a cast to bytea would read backslashes in it.
  ['AS BLOB', 'AS text'],
  ['AS INTEGER', 'AS bigint'],
  ['BEGIN EXCLUSIVE', 'BEGIN'],
  ['BEGIN IMMEDIATE', 'BEGIN'],
  ['CROSS JOIN', 'JOIN'],
  ['LIMIT -1', 'LIMIT ALL'],
]);

const tokens = new RegExp(
  [
    /'(?:[^']|'')*'/, // a text
    /"(?:[^"]|"")*"/, // a quoted name
    /`(?:[^`]|``)*`/, // a quoted name, as drizzle-kit writes it
    /\?\d*/, // a parameter
    new RegExp([...phrases.keys()].map(phrase => `\\b${phrase}\\b`).join('|')),
    /\b[A-Za-z_]\w*\b(?:\()?/, // a name, or the beginning of a call
  ]
    .map(({ source }) => `(?:${source})`)
    .join('|'),
  'g',
);

/**
 * A statement that SQLite takes, as PostgreSQL takes it: parameters are numbered, names in
 * camelCase are quoted (PostgreSQL folds others to lower case), and what has another name there is
 * renamed. Nothing else: `test/store/postgres/statements.test.ts` prepares every statement of the
 * store on both.
 */
export function toPostgres(text: string): string {
  let parameters = 0;
  return text.replace(tokens, token => {
    switch (token[0]) {
      case "'":
      case '"':
        return token;
      case '`':
        return `"${token.slice(1, -1).replaceAll('``', '`').replaceAll('"', '""')}"`;
      case '?': {
        const number = token === '?' ? parameters + 1 : Number(token.slice(1));
        parameters = Math.max(parameters, number);
        return `$${number}`;
      }
      default:
        return phrases.get(token) ?? renamed(token);
    }
  });
}

function renamed(name: string): string {
  if (name.endsWith('(')) return `${functions.get(name.slice(0, -1)) ?? name.slice(0, -1)}(`;
  return /[a-z]/.test(name) && /[A-Z]/.test(name) ? `"${name}"` : name;
}
