import { toPostgres } from '../../../src/store/postgres/sql.ts';
import type { Postgres } from '../postgres.ts';
import type { Statement } from './index.ts';

/** What PostgreSQL says when it prepares a statement. */
export interface Prepared {
  readonly statement: Statement;
  readonly error: string | null;
  /** Of its parameters. */
  readonly types: readonly string[];
}

/** Prepares the translation of each. */
export function prepareAll(server: Postgres, database: string, statements: readonly Statement[]): Prepared[] {
  const errors = new Map<number, string>();
  const types = new Map<number, readonly string[]>();
  const script = statements.map(({ text }, index) => `PREPARE s${index} AS ${toPostgres(text!)};\n${ifFailed(index)}`);
  const told =
    "SELECT json_build_array(substr(name, 2)::int, coalesce(parameter_types::text[], '{}')) FROM pg_prepared_statements;";
  for (const line of linesOf(server.run(database, `${script.join('')}${told}`, { goesOn: true }))) {
    const failed = failure.exec(line);
    if (failed) errors.set(Number(failed[1]), failed[3]!);
    else {
      const [index, ofIts] = JSON.parse(line) as [number, string[]];
      types.set(index, ofIts);
    }
  }
  return statements.map((statement, index) => ({
    statement,
    error: errors.get(index) ?? null,
    types: types.get(index) ?? [],
  }));
}

/** A value of each type that parameters have. */
const values: Readonly<Record<string, string>> = { bigint: '1', integer: '1', text: "'[]'", bytea: "'\\x00'" };

/**
 * Runs each once, for itself, with values of the types of its parameters, and returns what fails:
 * but for rows that a key or a column without nulls refuses, which the values are to blame for.
 */
export function runAll(server: Postgres, database: string, prepared: readonly Prepared[]): string[] {
  const script = prepared.map(({ statement, types }, index) => {
    const asked = types.length === 0 ? '' : `(${types.map(type => values[type] ?? 'NULL').join(', ')})`;
    return `PREPARE s${index} AS ${toPostgres(statement.text!)};\nBEGIN;\n\\o /dev/null\nEXECUTE s${index}${asked};\n\\o\n${ifFailed(index)}ROLLBACK;\n`;
  });
  return linesOf(server.run(database, script.join(''), { goesOn: true })).flatMap(line => {
    const [, index, state, message] = failure.exec(line) ?? [];
    return state?.startsWith('23') ? [] : [sayOf(prepared[Number(index)]!.statement, message ?? line)];
  });
}

export const sayOf = ({ file, line, text }: Statement, message: string): string =>
  `${file}:${line}: ${message}: ${text}`;

const failure = /^(\d+) ([0-9A-Z]{5}) (.*)$/;
const ifFailed = (index: number): string => `\\if :ERROR\n\\echo ${index} :SQLSTATE :LAST_ERROR_MESSAGE\n\\endif\n`;
const linesOf = (output: string): string[] => output.split('\n').filter(Boolean);
