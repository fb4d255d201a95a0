import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { openOwnReader, type ReaderAddress } from '../../store/index.ts';
import { serveJobs } from './serve-jobs.ts';

/** The entry of the reports thread. */
const port = parentPort as MessagePort;
// Messages that come meanwhile wait in the port.
void openOwnReader(workerData as ReaderAddress).then(reader => serveJobs(port, reader));
