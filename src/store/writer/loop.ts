import { type MessagePort, receiveMessageOnPort } from 'node:worker_threads';
import { restingRecordsMax } from '../journal/lag.ts';
import type { Request, WriterReady } from './messages.ts';
import type { Writer } from './writer.ts';

/** After so long without a request the thread counts as idle. */
const idleMs = 25;
/**
 * So long when a part of the box waits for a message, or when many records are behind (both
 * lag.ts). Under load the tables get no share before they are so far behind.
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
 * While a request waits, a slice is one segment, or several small ones, since a transaction for
 * each would cost more than the rows. It is longer when the lag comes near its bound, and longest
 * when none waits: a long slice writes less to the disk for each record. That one ends with the
 * segment in which a request comes.
 */
const sliceMs = { short: 0.5, long: 32, idle: 250 } as const;
/** For the tables when the store is closed. */
const closingMs = 1000;
const creditMax = 50;
/** The weight that the measured load keeps with each new batch of requests. */
const fading = 0.99;

/**
 * Loop of the writer thread: takes all queued requests, runs them as one transaction, replies, and
 * takes those that were queued meanwhile. Nothing waits for a timer. The tables behind the journal
 * are filled when no request waits; under constant load they get a share of the time that grows
 * with their lag.
 */
export class WriterLoop {
  readonly #writer: Writer;
  readonly #port: MessagePort;
  readonly #restMs: number;
  #sharedAt = performance.now();
  #elapsedMs = 0;
  #busyMs = 0;
  /**
   * Time that the tables may use now, in milliseconds; negative if they have used more than their
   * share.
   */
  #creditMs = 0;
  /** When the tables had last caught up. */
  #caughtUpAt = Number.NEGATIVE_INFINITY;
  /** Somebody waits until the tables hold this. */
  #hurriedTo = 0;
  /** Came while a slice ran. */
  #came: Request | null = null;
  /** Timer while idle; null once the tables have caught up, as far as this process fills them. */
  #idle: NodeJS.Timeout | null = null;

  /**
   * The tables rest for `restMs` after a slice in which they caught up, or until somebody asks for
   * what they hold: the pages of the tables wear the card, not those of the journal, and a slice
   * for sixty records writes little more than a slice for one.
   */
  constructor(writer: Writer, port: MessagePort, restMs: number) {
    this.#writer = writer;
    this.#port = port;
    this.#restMs = restMs;
  }

  /** Tells the main thread that the store is open, and begins. */
  start(): void {
    const { lastSeq, projectedSeq } = this.#writer;
    this.#port.on('message', (request: Request) => this.#takeRequests(request));
    this.#port.postMessage({ kind: 'ready', lastSeq, projectedSeq } satisfies WriterReady);
    this.#idle = setTimeout(this.#projectAll, 0);
  }

  /** One batch: runs all queued requests as one transaction. */
  #takeRequests(first: Request): void {
    clearTimeout(this.#idle ?? undefined);
    const writer = this.#writer;
    const port = this.#port;
    const begun = performance.now();
    const requests = [first];
    for (let more = receiveMessageOnPort(port); more; more = receiveMessageOnPort(port)) requests.push(more.message);
    for (const reply of writer.run(requests)) port.postMessage(reply);
    if (requests.some(request => request.kind === 'close')) {
      // Commands that read the stopped store find everything, unless that would hold up the stop.
      const until = performance.now() + closingMs;
      while (performance.now() < until && writer.project(sliceMs.long));
      writer.close();
      port.close();
      return;
    }
    if (requests.some(request => request.kind === 'hurry')) this.#hurriedTo = writer.lastSeq;
    writer.checkpointWhenDue();
    this.#projectShare(begun);
    this.#projectWhenIdle();
  }

  #projectWhenIdle(): void {
    const waitMs = this.#isHurried() ? 0 : Math.max(idleMs, this.#restsUntil() - performance.now());
    this.#idle = setTimeout(this.#projectAll, waitMs);
  }

  /** Other processes have written: it may be this one that has to fill the tables. */
  look(): void {
    if (this.#idle === null && this.#writer.projectedSeq < this.#writer.lastSeq) this.#projectWhenIdle();
  }

  #restsUntil(): number {
    const isShort = this.#writer.isAwaited || this.#writer.lag.records >= restingRecordsMax;
    return this.#caughtUpAt + (isShort ? Math.min(this.#restMs, shortRestMs) : this.#restMs);
  }

  /** A person or the gateways wait for the tables. */
  #isHurried(): boolean {
    return this.#hurriedTo > this.#writer.projectedSeq || this.#writer.lag.isOver;
  }

  /**
   * Under a load that never pauses: nothing for the first second of lag, unless the memory for
   * recent segments fills up. Then a part of the time that is free all the same, and more and more,
   * at last nearly all of it, as the lag comes nearer to its bound: the devices' acknowledgements
   * slow down before anything has to be refused. A slice takes whole segments and may cost more
   * than its share: then the next one starts later by the difference.
   */
  #projectShare(begun: number): void {
    const writer = this.#writer;
    const now = performance.now();
    const sinceMs = now - this.#sharedAt;
    this.#sharedAt = now;
    this.#elapsedMs = this.#elapsedMs * fading + sinceMs;
    this.#busyMs = this.#busyMs * fading + (now - begun);
    const hurried = this.#isHurried();
    if (!hurried && !writer.isMemoryFilling && (writer.lag.ms(now) < shortRestMs || now < this.#restsUntil())) return;
    const pressure = Math.min(1, writer.lag.pressure(now));
    const free = Math.max(0, 1 - this.#busyMs / this.#elapsedMs);
    const wanted = Math.max(share.min, share.ofFree * free, share.max * pressure ** 2, hurried ? share.hurried : 0);
    this.#creditMs = Math.min(creditMax, this.#creditMs + sinceMs * wanted);
    if (this.#creditMs <= 0) return;
    writer.project(sliceMs.short + (sliceMs.long - sliceMs.short) * Math.max(0, 2 * pressure - 1));
    this.#creditMs -= performance.now() - now;
    if (writer.lag.ms(performance.now()) < shortRestMs) this.#caughtUpAt = performance.now();
  }

  /** Runs when no request waits. */
  readonly #projectAll = (): void => {
    this.#idle = null;
    const worked = this.#writer.project(sliceMs.idle, this.#isAsked);
    if (worked && this.#writer.projectedSeq === this.#writer.lastSeq) this.#caughtUpAt = performance.now();
    const request = this.#came;
    this.#came = null;
    if (request) this.#takeRequests(request);
    else if (worked) this.#idle = setTimeout(this.#projectAll, 0);
  };

  readonly #isAsked = (): boolean => {
    this.#came ??= (receiveMessageOnPort(this.#port)?.message as Request | undefined) ?? null;
    return this.#came !== null;
  };
}
