import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import type { Clock } from '../../runtime/clock.ts';
import { StoreError } from '../port/journal.ts';
import type { StoreReader } from '../port/store.ts';
import { startThread } from '../start-thread.ts';
import { type GrowingRead, growingReads, type ReadReply, type ReadRequest } from './reader.ts';

/** Reads that run or wait: one more is refused with `too_busy`. */
const pendingMax = 256;
/** Reads that run at a time: short ones run between the slices of long ones. */
const runningMax = 4;
/** After so long without a read the thread ends, which frees its memory. */
const restMs = 60_000;

interface Pending {
  readonly id: number;
  readonly name: keyof StoreReader;
  readonly args: readonly unknown[];
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * The main thread's side of the reader thread (thread.ts), which starts with the first read and
 * ends after a minute without one. A read whose `signal` is aborted is not started, or ends with
 * its turn.
 */
export class ReaderThread {
  readonly #data: object;
  readonly #role: 'reader' | 'postgres reader';
  readonly #clock: Clock;
  readonly #onDamagedBlock: (firstSeq: number) => void;
  readonly #queue: Pending[] = [];
  readonly #running = new Map<number, Pending>();
  #id = 0;
  #worker: Worker | null = null;
  /** Ends the timer that stops an idle thread: one timer for all its reads. */
  #waiting: AbortController | null = null;
  #lastReadAt = 0;
  #isClosed = false;
  /** Resolves when every thread that was started has ended. */
  #ended: Promise<unknown> = Promise.resolve();

  /** `data`: what a thread of this role is given. */
  constructor(
    data: object,
    clock: Clock,
    onDamagedBlock: (firstSeq: number) => void,
    role: 'reader' | 'postgres reader' = 'reader',
  ) {
    this.#data = data;
    this.#role = role;
    this.#clock = clock;
    this.#onDamagedBlock = onDamagedBlock;
  }

  /** Whether there is a thread now. */
  get isUp(): boolean {
    return this.#worker !== null;
  }

  readonly reads = Object.fromEntries(
    growingReads.map(name => [name, (...args: unknown[]) => this.#read(name, args)]),
  ) as unknown as Pick<StoreReader, GrowingRead>;

  /** For an engine that every read has to wait for. */
  readonly allReads = new Proxy({} as StoreReader, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        this.#read(name as keyof StoreReader, args),
  });

  /** Refuses what waits, and ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#refuseAll(new StoreError('closed', 'the store is closed'));
    this.#end();
    await this.#ended;
  }

  #read(name: keyof StoreReader, args: unknown[]): Promise<unknown> {
    if (this.#isClosed) return Promise.reject(new StoreError('closed', 'the store is closed'));
    if (this.#queue.length + this.#running.size >= pendingMax)
      return Promise.reject(
        new StoreError('too_busy', `${pendingMax} reads of the store are waiting: try again in a moment`),
      );
    const { signal, args: sent } = withoutSignal(args);
    if (signal?.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const id = ++this.#id;
      const gone = () => this.#cancel(id, signal!.reason);
      const stopListening = () => signal?.removeEventListener('abort', gone);
      signal?.addEventListener('abort', gone);
      this.#queue.push({
        id,
        name,
        args: sent,
        resolve: value => {
          stopListening();
          resolve(value);
        },
        reject: error => {
          stopListening();
          reject(error);
        },
      });
      this.#go();
    });
  }

  #go(): void {
    while (this.#running.size < runningMax && this.#queue.length > 0) {
      const { id, name, args } = this.#queue[0]!;
      this.#running.set(id, this.#queue.shift()!);
      this.#post({ kind: 'read', id, name, args });
    }
  }

  #cancel(id: number, reason: unknown): void {
    const place = this.#queue.findIndex(pending => pending.id === id);
    if (place >= 0) this.#queue.splice(place, 1)[0]!.reject(reason);
    else {
      // A read counts as running until the thread has ended it.
      this.#running.get(id)?.reject(reason);
      this.#post({ kind: 'cancel', id });
    }
  }

  #post(request: ReadRequest): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage(request);
  }

  #start(): Worker {
    const worker = startThread(this.#role, this.#data);
    worker.on('message', (reply: ReadReply) => this.#take(reply));
    worker.on('error', error => this.#fail(worker, error));
    worker.on('exit', () => this.#fail(worker, null));
    this.#ended = Promise.all([this.#ended, once(worker, 'exit').catch(() => {})]);
    return worker;
  }

  #take(reply: ReadReply): void {
    if (reply.kind === 'damaged') {
      this.#onDamagedBlock(reply.firstSeq);
      return;
    }
    const pending = this.#running.get(reply.id);
    this.#running.delete(reply.id);
    if (reply.kind === 'found') pending?.resolve(reply.value);
    else pending?.reject(reply.code ? new StoreError(reply.code, reply.message) : new Error(reply.message));
    // A connection that broke stays so: the next read makes another.
    if (reply.kind === 'failed' && reply.code === 'broken' && this.#role === 'postgres reader') this.#renew();
    this.#lastReadAt = this.#clock.monotonic();
    if (this.#queue.length > 0) this.#go();
    else if (this.#worker && !this.#waiting) this.#waitForRest(restMs);
  }

  #waitForRest(ms: number): void {
    this.#waiting = new AbortController();
    this.#clock.sleep(ms, this.#waiting.signal).then(
      () => {
        const isReading = this.#running.size > 0;
        const restedMs = isReading ? 0 : this.#clock.monotonic() - this.#lastReadAt;
        if (restedMs < restMs) this.#waitForRest(restMs - restedMs);
        else this.#end();
      },
      () => {},
    );
  }

  /** The reads that run fail as their connection did. */
  #renew(): void {
    for (const { reject } of this.#running.values()) reject(new StoreError('broken', 'the connection broke'));
    this.#running.clear();
    this.#end();
  }

  #end(): void {
    this.#worker?.postMessage({ kind: 'close' } satisfies ReadRequest);
    this.#gone();
  }

  #gone(): void {
    this.#worker = null;
    this.#waiting?.abort();
    this.#waiting = null;
  }

  /** Its reads have failed; the next read starts another thread. */
  #fail(worker: Worker, error: unknown): void {
    if (worker !== this.#worker) return;
    this.#gone();
    const why = error ? `: ${(error as Error).message}` : '';
    this.#refuseAll(new StoreError('broken', `the reader thread of the store has ended${why}`));
  }

  #refuseAll(error: StoreError): void {
    for (const { reject } of [...this.#running.values(), ...this.#queue]) reject(error);
    this.#running.clear();
    this.#queue.length = 0;
  }
}

/** A signal cannot cross threads: it stays here, and `cancel` is sent instead. */
function withoutSignal([first, ...others]: unknown[]): { signal: AbortSignal | undefined; args: unknown[] } {
  if (first === null || typeof first !== 'object' || !('signal' in first))
    return { signal: undefined, args: [first, ...others] };
  const { signal, ...query } = first as { signal?: AbortSignal };
  return { signal, args: [query, ...others] };
}
