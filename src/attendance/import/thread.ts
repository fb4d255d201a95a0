import { parentPort, workerData } from 'node:worker_threads';
import type { ListKind } from './organization.ts';
import { readList } from './read-list.ts';

/** The entry of the thread that reads one file and ends. */
const { kind, bytes } = workerData as { readonly kind: ListKind; readonly bytes: Uint8Array };

void readList(kind, bytes).then(list => parentPort!.postMessage(list));
