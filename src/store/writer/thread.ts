import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { restingRecordsMax } from '../journal/lag.ts';
import type { Request, WriterData, WriterReady } from './messages.ts';
import { Writer } from './writer.ts';

/**
 * The writer thread: takes all queued requests, runs them as one transaction, replies, and takes
 * those that were queued meanwhile. Nothing waits for a timer. The tables behind the journal are
 * filled when no request waits; under constant load they get a share of the time that grows with
 * their lag.
 */
const port = parentPort as MessagePort;
const writer = new Writer(workerData as WriterData, state => port.postMessage(state));

/** After so long without a request the thread counts as idle. */
const idleMs = 25;
/**
 * The tables rest for so long after a turn in which they caught up, or until somebody asks for what
 * they hold: the pages of the tables wear the card, not those of the journal, and a turn for sixty
 * records writes little more than a turn for one.
 */
const restMs = (workerData as WriterData).tablesRestMs;
/**
 * So long when a part of the box waits for a message (awaited.ts), or when many records are behind
 * (lag.ts). Under load the tables get no share before they are so far behind.
 */
const shortRestMs = 1000;
const share = {
  min: 0.05,
  /** Share of the time in which the thread had nothing to do. */
  ofFree: 0.25,
  /** While somebody waits for the tables. */
  hurried: 0.5,
  max: 0.9,
} as const;
/**
 * While a request waits, a turn is one segment, or several small ones, since a transaction for each
 * would cost more than the rows. It is longer when none waits, or when the lag comes near its
 * bound: a long turn writes less to the disk for each record.
 */
const turnMs = { short: 0.5, long: 32 } as const;
/** For the tables when the store is closed. */
const closingMs = 1000;
const creditMax = 50;
/** The weight that the measured load keeps with each new batch of requests. */
const fading = 0.99;

let sharedAt = performance.now();
let elapsedMs = 0;
let busyMs = 0;
/**
 * Time that the tables may use now, in milliseconds; negative if they have used more than their
 * share.
 */
let creditMs = 0;
/** When the tables had last caught up. */
let caughtUpAt = Number.NEGATIVE_INFINITY;
/** Somebody waits until the tables hold this. */
let hurriedTo = 0;
let idle: NodeJS.Timeout | undefined;

port.on('message', takeRequests);

/** One turn: runs all queued requests as one transaction. */
function takeRequests(first: Request): void {
  clearTimeout(idle);
  const begun = performance.now();
  const requests = [first];
  for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port)) requests.push(more.message);
  for (const reply of writer.run(requests)) port.postMessage(reply);
  if (requests.some(request => request.kind === 'close')) {
    // Commands that read the stopped store find everything, unless that would hold up the stop.
    const until = performance.now() + closingMs;
    while (performance.now() < until && writer.project(turnMs.long));
    writer.close();
    port.close();
    return;
  }
  if (requests.some(request => request.kind === 'hurry')) hurriedTo = writer.lastSeq;
  writer.checkpointWhenDue();
  projectShare(begun);
  idle = setTimeout(projectAll, isHurried() ? 0 : Math.max(idleMs, restsUntil() - performance.now()));
}

const restsUntil = (): number =>
  caughtUpAt + (writer.isAwaited || writer.lag.records >= restingRecordsMax ? Math.min(restMs, shortRestMs) : restMs);

/** A person or the gateways wait for the tables. */
const isHurried = (): boolean => hurriedTo > writer.projectedSeq || writer.lag.isOver;

/**
 * Under a load that never pauses: nothing for the first second of lag, unless the memory for recent
 * segments fills up. Then a part of the time that is free all the same, and more and more, at last
 * nearly all of it, as the lag comes nearer to its bound: the devices' acknowledgements slow down
 * before anything has to be refused. A turn takes whole segments and may cost more than its share:
 * then the next one starts later by the difference.
 */
function projectShare(begun: number): void {
  const now = performance.now();
  const sinceMs = now - sharedAt;
  sharedAt = now;
  elapsedMs = elapsedMs * fading + sinceMs;
  busyMs = busyMs * fading + (now - begun);
  const hurried = isHurried();
  if (!hurried && !writer.isMemoryFilling && (writer.lag.ms(now) < shortRestMs || now < restsUntil())) return;
  const pressure = Math.min(1, writer.lag.pressure(now));
  const free = Math.max(0, 1 - busyMs / elapsedMs);
  const wanted = Math.max(share.min, share.ofFree * free, share.max * pressure ** 2, hurried ? share.hurried : 0);
  creditMs = Math.min(creditMax, creditMs + sinceMs * wanted);
  if (creditMs <= 0) return;
  writer.project(turnMs.short + (turnMs.long - turnMs.short) * Math.max(0, 2 * pressure - 1));
  creditMs -= performance.now() - now;
  if (writer.lag.ms(performance.now()) < shortRestMs) caughtUpAt = performance.now();
}

/** Runs when no request waits. */
function projectAll(): void {
  if (!writer.project(turnMs.long)) return;
  caughtUpAt = performance.now();
  idle = setTimeout(projectAll, 0);
}

port.postMessage({ kind: 'ready', lastSeq: writer.lastSeq, projectedSeq: writer.projectedSeq } satisfies WriterReady);
idle = setTimeout(projectAll, 0);
