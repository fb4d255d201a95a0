import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openReadOnly } from '../schema/database.ts';
import type { ReaderData } from './growing.ts';
import { serveReads } from './serve-reads.ts';

/** The reader thread of a store on SQLite: reads that grow with the store (growing.ts). */
const { dataDir, sealKey, hasCloud } = workerData as ReaderData;
serveReads(parentPort as MessagePort, openReadOnly(dataDir, sealKey), hasCloud);
