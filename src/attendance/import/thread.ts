import { parentPort, workerData } from 'node:worker_threads';
import type { ListKind } from './lists.ts';
import { type ImportChoices, readList } from './read-list.ts';

/** The entry of the thread that reads one file and ends. */
const { kind, bytes, choices } = workerData as {
  readonly kind: ListKind;
  readonly bytes: Uint8Array;
  readonly choices: ImportChoices | undefined;
};

void readList(kind, bytes, choices).then(list => parentPort!.postMessage(list));
