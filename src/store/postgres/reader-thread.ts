import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { serveReads } from '../readers/reader.ts';
import { connectToPostgres, type PostgresAddress } from './database.ts';

/** The reader thread of a process on PostgreSQL: all reads, since each waits for the server. */
const data = workerData as PostgresAddress & { readonly hasCloud: boolean };
serveReads(parentPort as MessagePort, connectToPostgres(data), data.hasCloud);
