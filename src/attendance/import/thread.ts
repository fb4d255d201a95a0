import { parentPort, workerData } from 'node:worker_threads';
import type { ListKind } from './lists.ts';
import { readList } from './read-list.ts';

/** The entry of the thread that reads one file and ends. */
const { kind, bytes, month } = workerData as {
  readonly kind: ListKind;
  readonly bytes: Uint8Array;
  readonly month: string | null;
};

void readList(kind, bytes, month).then(list => parentPort!.postMessage(list));
