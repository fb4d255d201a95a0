import type { Transferable, Worker } from 'node:worker_threads';
import { startThread as start } from '../runtime/start-thread.ts';
import type { ThreadRole } from './thread.ts';

export const startThread = (role: ThreadRole, data: object, transferList: readonly Transferable[] = []): Worker =>
  start('store-thread', () => new URL('./thread.ts', import.meta.url), {
    workerData: { ...data, role },
    name: `store ${role}`,
    transferList: [...transferList],
  });

/** The thread of a connection to PostgreSQL, from a bundle of its own: a process starts three. */
export const startConnectionThread = (data: object, transferList: readonly Transferable[]): Worker =>
  start('postgres-thread', () => new URL('./postgres/bridge-thread.ts', import.meta.url), {
    workerData: data,
    name: 'store postgres',
    transferList: [...transferList],
  });
