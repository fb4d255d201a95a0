import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { WriterLoop } from './loop.ts';
import type { WriterData } from './messages.ts';
import { sqliteEngine } from './sqlite-engine.ts';
import { Writer } from './writer.ts';

/** The writer thread of a store on SQLite. */
const port = parentPort as MessagePort;
const data = workerData as WriterData;
const writer = new Writer(sqliteEngine(data.dataDir, data.sealKey), data, state => port.postMessage(state));
new WriterLoop(writer, port, data.tablesRestMs).start();
