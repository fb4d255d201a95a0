import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { explain, StoreOpenError } from '../prepare.ts';
import type { Connection } from '../schema/database.ts';
import { EngineError } from '../schema/engine-failures.ts';
import { readSealKey, sealKeyFile } from '../schema/sealing.ts';
import type { Bridge } from './bridge.ts';
import { unfinishedKey } from './move-target.ts';
import { serverFaults } from './server-faults.ts';
import { unfit } from './session.ts';

/** A server that cannot be reached is the operator's to mend: the message says so. */
export function reached<T>(act: () => T): T {
  try {
    return act();
  } catch (error) {
    return refuse(error);
  }
}

export function refuse(error: unknown): never {
  if (!(error instanceof EngineError)) throw error;
  if (error.code === unfit) throw new StoreOpenError(`store.url: ${error.message}`);
  if (error.failure === 'read_only') throw new StoreOpenError(`store.url: ${serverFaults.read_only.reason}`);
  throw new StoreOpenError(
    `store.url: the database cannot be used (${error.message}): see that its server runs, and that user, password and name are right`,
  );
}

/** Made by the first process; the others are given its file. */
export function sealKeyOf(dataDir: string, bridge: Bridge): Uint8Array {
  const known = bridge.call({ text: "SELECT value FROM meta WHERE key = 'seal'", values: [] }).rows[0]?.[0];
  if (known !== undefined && !existsSync(sealKeyFile(dataDir)))
    throw new StoreOpenError(
      `${sealKeyFile(dataDir)}: is missing: copy the file from a process that has this database open`,
    );
  return explain(dataDir, () => readSealKey(dataDir, known === undefined));
}

/** Makes the rows that a store begins with, and refuses one of another environment or key. */
export function meet({ sql, seal }: Connection, environment: string, dataDir: string): void {
  if (sql('SELECT 1 FROM meta WHERE key = ?').get(unfinishedKey))
    throw new StoreOpenError(
      'store.url: the store of a box was not moved to this database to its end: repeat `gatehouse migrate` on that box, which ends it or begins again',
    );
  sql('INSERT INTO projection_cursor (id, seq) VALUES (1, 0) ON CONFLICT (id) DO NOTHING').run();
  const put = sql('INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING');
  const fingerprint = seal.fingerprint('region', 'seal.key');
  put.run('environment', environment);
  put.run('seal', fingerprint);
  put.run('epoch', randomBytes(16).toString('hex'));
  const stored = (key: string) => (sql('SELECT value FROM meta WHERE key = ?').get(key) as { value: string }).value;
  if (stored('seal') !== fingerprint)
    throw new StoreOpenError(
      `${sealKeyFile(dataDir)}: is not the key of this database: copy the file from a process that has it open`,
    );
  const made = stored('environment');
  if (made !== environment)
    throw new StoreOpenError(
      `store.url: this database was made under environment ${made}, the config says ${environment}: a region never mixes the two; give it another database`,
    );
}
