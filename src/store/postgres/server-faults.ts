import type { Reason } from '../../words/sentences.ts';
import { storeFaults } from '../../words/store.ts';
import { EngineError, type EngineFailure, stateOf } from '../schema/engine-failures.ts';

/** Why the server takes no writes. */
export const serverFaults = {
  disk_full: storeFaults.say('database_full'),
  read_only: storeFaults.say('database_read_only'),
  broken: storeFaults.say('database_broken'),
} as const satisfies Record<EngineFailure, Reason>;

/** Class 08, and a server that stops, crashed or starts (57P01 to 57P03). */
const isOfConnection = /^(?:08|57P0[123]|$)/;

/** Why a connection is of no more use: named by its SQLSTATE, unless the connection broke. */
export function whyBroken(error: unknown): Reason {
  const state = error instanceof EngineError ? error.code : stateOf(error);
  if (isOfConnection.test(state)) return serverFaults.broken;
  return storeFaults.say('database_refused', { state, message: (error as Error).message });
}

/** The same for any failure of a statement. */
export const whyFailed = (failure: EngineFailure, error: unknown): Reason =>
  failure === 'broken' ? whyBroken(error) : serverFaults[failure];
