import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Request, WriterData } from './messages.ts';
import { Writer } from './writer.ts';

/**
 * The writer thread: takes whatever is queued, runs it as one transaction, answers, and takes what was queued meanwhile. Nothing waits for a timer.
 * The tables behind the journal are filled when nobody is waiting; when somebody always is, they get a share that grows with their lag.
 */
const port = parentPort as MessagePort;
const writer = new Writer(workerData as WriterData, state => port.postMessage(state));

const chunkRecords = 512;
const idleMs = 25;
const creditMax = 50;
const lag = { busyMs: 1000, busyShare: 0.05, lateMs: 30_000, lateRecords: 2_000_000, lateShare: 0.5 } as const;

let caughtUpAt = performance.now();
let sharedAt = performance.now();
/** Processor time that the tables may use now, in milliseconds; below 0 they have used more than their share. */
let creditMs = 0;
let idle: NodeJS.Timeout | undefined;

port.on('message', (first: Request) => {
  clearTimeout(idle);
  const requests = [first];
  for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port)) requests.push(more.message);
  for (const reply of writer.run(requests)) {
    if (reply.kind === 'appended') port.postMessage(reply, reply.memories as ArrayBuffer[]);
    else port.postMessage(reply);
  }
  if (requests.some(request => request.kind === 'close')) {
    writer.close();
    port.close();
    return;
  }
  projectShare();
  idle = setTimeout(projectAll, idleMs);
});

/**
 * Under a load that never pauses: no share for the first second of lag, a small one then, half when the lag is at its bound. A turn takes whole segments
 * and may cost more than its share: what it overdraws is waited off before the next one.
 */
function projectShare(): void {
  const now = performance.now();
  const sinceMs = now - sharedAt;
  sharedAt = now;
  if (writer.lagRecords === 0) caughtUpAt = now;
  const lagMs = now - caughtUpAt;
  if (lagMs < lag.busyMs) return;
  const share = lagMs > lag.lateMs || writer.lagRecords > lag.lateRecords ? lag.lateShare : lag.busyShare;
  creditMs = Math.min(creditMax, creditMs + sinceMs * share);
  if (creditMs <= 0) return;
  writer.project(chunkRecords);
  creditMs -= performance.now() - now;
}

function projectAll(): void {
  if (!writer.project(chunkRecords)) {
    caughtUpAt = performance.now();
    return;
  }
  idle = setTimeout(projectAll, 0);
}

port.postMessage({ kind: 'ready', lastSeq: writer.lastSeq });
idle = setTimeout(projectAll, 0);
