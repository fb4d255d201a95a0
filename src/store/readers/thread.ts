import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { ReaderAddress } from '../port/store.ts';
import { openReadOnly } from '../schema/database.ts';
import { serveReads } from './reader.ts';

/** The reader thread of a store on SQLite: reads that grow with the store (reader.ts). */
const { dataDir, sealKey, hasCloud } = workerData as Extract<ReaderAddress, { readonly dataDir: string }>;
serveReads(parentPort as MessagePort, openReadOnly(dataDir, sealKey), hasCloud);
