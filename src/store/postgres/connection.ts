import { type Connection, connectionTo } from '../schema/database.ts';
import { sealWith } from '../schema/sealing.ts';
import { Bridge } from './bridge.ts';
import { openPostgres } from './database.ts';
import { openingUnnumbered } from './unnumbered.ts';

/**
 * The server compiles a statement that it thinks expensive, each time: 160 ms for one that takes
 * 50 µs, as long as it has counted no rows in a new database.
 */
export const withoutCompiling = 'SET jit = off';

/** No transaction of the program pauses for so long between its statements. */
const hungMs = 5000;

export interface PostgresAddress {
  /** `postgres://…`, with what it takes to log in: a secret. */
  readonly url: string;
  readonly sealKey: Uint8Array;
}

/** A connection of the store to PostgreSQL, for one thread; see Bridge. Throws EngineError. */
export const connectToPostgres = ({ url, sealKey }: PostgresAddress): Connection =>
  connectionOver(new Bridge(url), sealKey);

/** The connection of the store over a bridge, which it closes. Throws EngineError. */
export function connectionOver(bridge: Bridge, sealKey: Uint8Array): Connection {
  const database = openPostgres(bridge);
  // A process that hangs must not hold what others wait for.
  database.exec(`SET idle_in_transaction_session_timeout = ${hungMs}; ${withoutCompiling}`);
  let isSynced = true;
  return connectionTo(database, openingUnnumbered(sealWith(sealKey)), {
    later: (text, ...values) => database.later(text, ...values),
    each: (text, lists) => database.each(text, lists),
    changes: (text, lists) => database.changes(text, lists),
    // The server keeps its own log.
    log: { mayHaveHoles: false, doubt() {}, makeWhole() {} },
    /** Sends BEGIN with the first statement of the transaction. */
    begin() {
      database.later('BEGIN');
      if (!isSynced) database.later('SET LOCAL synchronous_commit = off');
    },
    syncCommits(on) {
      isSynced = on;
    },
    // Deleted rows stay in the server's pages until it vacuums them.
    overwriting: act => act(),
  });
}
