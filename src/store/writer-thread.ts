import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Request, WriterData, WriterReady } from './messages.ts';
import { Writer } from './writer.ts';

/**
 * The writer thread: takes whatever is queued, runs it as one transaction, answers, and takes what was queued meanwhile. Nothing waits for a timer.
 * The tables behind the journal are filled when nobody is waiting; when somebody always is, they get a share that grows with their lag.
 */
const port = parentPort as MessagePort;
const writer = new Writer(workerData as WriterData, state => port.postMessage(state));

/** So long without a request, and nobody is taken to wait. */
const idleMs = 25;
/** For so long a burst has the thread for itself. */
const graceMs = 1000;
const shareMin = 0.05;
const shareMax = 0.9;
/** Of the time in which the thread had nothing to do. */
const shareOfFree = 0.25;
/** A turn in front of somebody who waits, and one when nobody does or the lag is at its bound: a long turn writes less to the disk for each record. */
const turnMs = { short: 2, long: 16 } as const;
const creditMax = 50;
/** What is remembered of how busy the thread was fades by so much with every batch of requests. */
const fading = 0.99;

let sharedAt = performance.now();
let elapsedMs = 0;
let busyMs = 0;
/** Time that the tables may use now, in milliseconds; below 0 they have used more than their share. */
let creditMs = 0;
let idle: NodeJS.Timeout | undefined;

port.on('message', (first: Request) => {
  clearTimeout(idle);
  const begun = performance.now();
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
  projectShare(begun);
  idle = setTimeout(projectAll, idleMs);
});

/**
 * Under a load that never pauses: nothing for the first second of lag. Then a part of the time that is free all the same, and more and more, at last
 * nearly all of it, as the lag comes nearer to its bound: the devices' acknowledgements slow down before anything has to be refused. A turn takes
 * whole segments and may cost more than its share: what it overdraws is waited off before the next one.
 */
function projectShare(begun: number): void {
  const now = performance.now();
  const sinceMs = now - sharedAt;
  sharedAt = now;
  elapsedMs = elapsedMs * fading + sinceMs;
  busyMs = busyMs * fading + (now - begun);
  if (writer.lag.ms(now) < graceMs) return;
  const pressure = Math.min(1, writer.lag.pressure(now));
  const free = Math.max(0, 1 - busyMs / elapsedMs);
  const share = Math.max(shareMin, shareOfFree * free, shareMax * pressure ** 2);
  creditMs = Math.min(creditMax, creditMs + sinceMs * share);
  if (creditMs <= 0) return;
  writer.project(turnMs.short + (turnMs.long - turnMs.short) * pressure);
  creditMs -= performance.now() - now;
}

function projectAll(): void {
  if (writer.project(turnMs.long)) idle = setTimeout(projectAll, 0);
}

port.postMessage({ kind: 'ready', lastSeq: writer.lastSeq, projectedSeq: writer.projectedSeq } satisfies WriterReady);
idle = setTimeout(projectAll, 0);
