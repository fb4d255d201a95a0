import type { Log } from '../../runtime/log.ts';
import { EngineError } from '../schema/engine-error.ts';
import type { Migration } from './ddl.ts';
import { connected } from './side-connection.ts';
import { failureOfState, stateOf } from './sql-states.ts';

/** Any number: whoever makes indexes holds this lock of the database, so that one process does. */
const indexLock = 4_709_115;

const nameOf = (statement: string): string | undefined => /^CREATE INDEX "(\w+)" ON /.exec(statement)?.[1];

/**
 * An index of a table that was there before: making it would hold up all who write to the table,
 * for minutes where it has millions of rows.
 */
export function isLater(statement: string, { statements }: Migration): boolean {
  if (nameOf(statement) === undefined) return false;
  const table = / ON "(\w+)"/.exec(statement)?.[1];
  return !statements.some(other => other.startsWith(`CREATE TABLE "${table}"`));
}

/**
 * Makes the indexes that migrations have left, one after another, while others go on writing. One
 * that was cut short, by whichever process, is made again. Does nothing where another process is at
 * it. Throws EngineError.
 */
export async function makeIndexes(url: string, log: Log): Promise<void> {
  const client = await connected(url).catch(failed);
  client.on('error', () => {});
  try {
    const { rows } = await client.query<{ mine: boolean }>(`SELECT pg_try_advisory_lock(${indexLock}) AS mine`);
    while (rows[0]?.mine) {
      const waiting = await client.query<{ no: string; statement: string }>(
        'SELECT no, statement FROM index_to_make ORDER BY no LIMIT 1',
      );
      const [next] = waiting.rows;
      if (!next) return;
      const index = nameOf(next.statement)!;
      log.info({ index }, 'index_being_made');
      // Leftovers of an earlier attempt are useless.
      await client.query(`DROP INDEX CONCURRENTLY IF EXISTS "${index}"`);
      await client.query(next.statement.replace('CREATE INDEX ', 'CREATE INDEX CONCURRENTLY '));
      await client.query('DELETE FROM index_to_make WHERE no = $1', [next.no]);
    }
  } catch (error) {
    failed(error);
  } finally {
    await client.end().catch(() => {});
  }
}

function failed(error: unknown): never {
  const { message } = error as { message: string };
  const state = stateOf(error);
  throw new EngineError(message, state, failureOfState(state) ?? 'broken');
}
