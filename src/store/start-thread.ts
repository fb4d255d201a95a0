import type { Transferable, Worker } from 'node:worker_threads';
import { startThread as start } from '../runtime/start-thread.ts';
import type { ThreadRole } from './thread.ts';

export const startThread = (role: ThreadRole, data: object, transferList: readonly Transferable[] = []): Worker =>
  start('store-thread', () => new URL('./thread.ts', import.meta.url), {
    workerData: { ...data, role },
    name: `store ${role}`,
    transferList: [...transferList],
  });
