import { type Connection, connectionTo } from '../schema/database.ts';
import { sealWith } from '../schema/sealing.ts';
import { openPostgres } from './database.ts';
import { openingFlights } from './flight.ts';

/** No transaction of the program pauses for so long between its statements. */
const hungMs = 5000;

export interface PostgresAddress {
  /** `postgres://…`, with what it takes to log in: a secret. */
  readonly url: string;
  readonly sealKey: Uint8Array;
}

/** A connection of the store to PostgreSQL, for one thread; see Bridge. Throws EngineError. */
export function connectToPostgres({ url, sealKey }: PostgresAddress, answerWithinMs?: number): Connection {
  const database = openPostgres(url, answerWithinMs);
  // A process that hangs must not hold what others wait for.
  database.exec(`SET idle_in_transaction_session_timeout = ${hungMs}`);
  return connectionTo(database, openingFlights(sealWith(sealKey)), {
    // The server keeps its own log.
    log: { mayHaveHoles: false, doubt() {}, makeWhole() {} },
    begin: () => database.exec('BEGIN'),
    syncCommits: on => database.exec(`SET synchronous_commit = ${on ? 'on' : 'off'}`),
    // What is deleted stays in the server's pages until it vacuums them.
    overwriting: act => act(),
  });
}
