import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { type GivenReason, whyOf } from '../../words/sentences.ts';
import { StoreError } from '../port/journal.ts';
import type { StoreWrites } from '../port/store.ts';
import { startThread } from '../start-thread.ts';
import {
  answerCounts,
  type PackedChunk,
  type Reply,
  type Request,
  type WriterData,
  type WriterLease,
  type WriterReady,
  type WriterState,
  type WriterTail,
} from './messages.ts';
import { nothingWritten, type WriteCounts } from './wear.ts';

/**
 * How long the server of a database lets wait, by the monotonic clock. An operation of thousands of
 * statements is none that waits while the server answers one after the other.
 */
class AnswerTimes {
  /** Since when something waits and nothing was answered; null: nothing waits. */
  #since: number | null = null;
  readonly #answers: Int32Array;
  #seen = 0;

  constructor(answers: Int32Array) {
    this.#answers = answers;
  }

  asked(): void {
    this.#since ??= performance.now();
  }

  answered(isMoreWaiting: boolean): void {
    this.#since = isMoreWaiting ? performance.now() : null;
  }

  /**
   * For how long nothing was answered although something waits, since this was last asked for;
   * otherwise 0.
   */
  get silentMs(): number {
    if (this.#since === null) return 0;
    const count = Atomics.load(this.#answers, 0);
    if (count !== this.#seen) this.#since = performance.now();
    this.#seen = count;
    return performance.now() - this.#since;
  }

  /** The longest wait for an answer since the last call, the present one included. */
  takeSlowestMs(): number {
    return Math.max(Atomics.exchange(this.#answers, 1, 0), this.silentMs);
  }
}

/** Receives the result of an append. */
export interface AppendListener {
  /** Called once, after the commit or with its error. `memories` may be reused. */
  onAppended(error: StoreError | null, memories: readonly SharedArrayBuffer[]): void;
}

interface Waiting {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

const dead = 'the writer thread has ended: restart the box';

/** Operations that run or wait at a server: one more is refused with `too_busy`. */
const operationsMax = 512;

/** The main thread's side of the writer thread. */
export class WriterProxy {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #appends = new Map<number, AppendListener>();
  #id = 0;
  /** Why nothing is answered any more: the thread is gone, or its connection. */
  #ended: StoreError | null = null;
  /** Why nothing is taken until the thread answers again. */
  #stalled: { readonly error: StoreError; readonly why: GivenReason } | null = null;
  readonly times: AnswerTimes;
  readonly #operationsMax: number;
  closed = false;
  /** Whether it does not answer at present, and may again. */
  get isStalled(): boolean {
    return this.#stalled !== null;
  }
  get isDead(): boolean {
    return this.#ended !== null;
  }
  lastSeq = 0;
  /** As the thread told it. */
  #reported: WriterState = {
    kind: 'state',
    health: 'ok',
    why: '',
    projectedSeq: 0,
    personChangeNo: 0,
    dropped: {},
    unreadable: [],
    tablesStuck: '',
    logStuck: false,
  };
  state: WriterState = this.#reported;
  written: WriteCounts = nothingWritten;
  onCommitted: (lastSeq: number) => void = () => {};
  onState: (state: WriterState) => void = () => {};
  /** Other processes have written. */
  onTail: (tail: WriterTail) => void = () => {};
  onLease: (lease: WriterLease) => void = () => {};
  /** Called before the thread is told to end: what is to be committed has to be sent now. */
  onClosing: () => void = () => {};

  private constructor(worker: Worker, operationsMax: number, answers: Int32Array) {
    this.#worker = worker;
    this.#operationsMax = operationsMax;
    this.times = new AnswerTimes(answers);
    worker.on('message', (reply: Reply) => this.#take(reply));
    worker.on('error', error => this.#fail(error as Error));
    worker.on('exit', () => this.#fail(new Error(dead)));
  }

  /** Resolves when the thread has opened the store; rejects with its error. */
  static async start(data: WriterData, role: 'writer' | 'postgres writer' = 'writer'): Promise<WriterProxy> {
    const worker = startThread(role, data);
    const [ready] = (await once(worker, 'message')) as [WriterReady | WriterState];
    const proxy = new WriterProxy(
      worker,
      role === 'writer' ? Number.POSITIVE_INFINITY : operationsMax,
      data.answers ?? answerCounts(),
    );
    if (ready.kind === 'ready') proxy.lastSeq = ready.lastSeq;
    proxy.#reported = { ...proxy.#reported, projectedSeq: ready.projectedSeq };
    proxy.state = proxy.#reported;
    return proxy;
  }

  append(chunks: readonly PackedChunk[], listener: AppendListener): void {
    const refusal = this.#ended ?? this.#stalled?.error;
    if (refusal) return void listener.onAppended(refusal, []);
    const id = ++this.#id;
    this.#appends.set(id, listener);
    this.times.asked();
    this.#post({ kind: 'append', id, chunks });
  }

  run<K extends keyof StoreWrites>(name: K, input: Parameters<StoreWrites[K]>[0]): Promise<ReturnType<StoreWrites[K]>> {
    if (this.closed) return Promise.reject(this.#ended ?? new StoreError('closed', 'the store is closed'));
    if (this.#stalled) return Promise.reject(this.#stalled.error);
    if (this.#waiting.size >= this.#operationsMax)
      return Promise.reject(new StoreError('too_busy', 'too much waits for the database: try again in a moment'));
    return new Promise((resolve, reject) => {
      const id = ++this.#id;
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.times.asked();
      this.#post({ kind: 'operation', id, name, input });
    });
  }

  /** Somebody waits until the tables have caught up with the journal. */
  hurry(): void {
    if (!this.closed) this.#post({ kind: 'hurry', id: ++this.#id });
  }

  /** Commits what is queued, then ends the thread. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.onClosing();
    this.closed = true;
    const ended = once(this.#worker, 'exit');
    this.#post({ kind: 'close', id: ++this.#id });
    await ended;
  }

  /**
   * The thread has not answered for too long: fails what waits, and refuses what comes, until it
   * answers again. Nothing of it is acknowledged, though some of it may be stored yet.
   */
  stall(why: GivenReason): void {
    if (this.#stalled || this.closed) return;
    this.#stalled = { error: new StoreError('broken', why.reason), why };
    this.#refuseAll(this.#stalled.error);
    this.#show();
  }

  /** Nothing is answered any more: its process has to start again. */
  lose(why: GivenReason): void {
    if (this.closed) return;
    this.#end(why);
    void this.#worker.terminate();
  }

  #post(request: Request): void {
    this.#worker.postMessage(request);
  }

  #take(reply: Reply): void {
    if (reply.kind === 'state') {
      this.#reported = reply;
      this.#show();
      return;
    }
    if (reply.kind === 'lease') {
      this.onLease(reply);
      return;
    }
    if (reply.kind === 'tail') {
      this.#committed(reply.lastSeq);
      this.onTail(reply);
      if (reply.projectedSeq <= this.#reported.projectedSeq) return;
      this.#reported = { ...this.#reported, projectedSeq: reply.projectedSeq };
      this.#show();
      return;
    }
    const stalled = this.#stalled;
    this.#stalled = null;
    if (stalled) this.#show();
    if (reply.kind === 'appended' || reply.kind === 'done') {
      this.written = reply.written;
      this.#committed(reply.lastSeq);
    }
    const append = this.#appends.get(reply.id);
    const waiting = this.#waiting.get(reply.id);
    this.#appends.delete(reply.id);
    this.#waiting.delete(reply.id);
    this.times.answered(this.#appends.size + this.#waiting.size > 0);
    const failure = reply.kind === 'failed' ? new StoreError(reply.code, reply.message) : null;
    append?.onAppended(failure, reply.kind === 'appended' ? reply.memories : []);
    if (failure) waiting?.reject(failure);
    else if (reply.kind === 'done') waiting?.resolve(reply.value);
  }

  #committed(lastSeq: number): void {
    if (lastSeq <= this.lastSeq) return;
    this.lastSeq = lastSeq;
    this.onCommitted(lastSeq);
  }

  #show(): void {
    this.state = this.#stalled ? { ...this.#reported, health: 'broken', ...whyOf(this.#stalled.why) } : this.#reported;
    this.onState(this.state);
  }

  #fail(error: Error): void {
    if (this.#ended) return;
    if (this.closed) {
      this.#ended = new StoreError('closed', error.message);
      this.#refuseAll(this.#ended);
    } else this.#end({ reason: `${dead}: ${error.message}` });
  }

  #end(why: GivenReason): void {
    this.closed = true;
    this.#ended = new StoreError('broken', why.reason);
    this.#stalled = null;
    this.#reported = { ...this.#reported, health: 'broken', ...whyOf(why) };
    this.#show();
    this.#refuseAll(this.#ended);
  }

  #refuseAll(error: StoreError): void {
    const appends = [...this.#appends.values()];
    const waiting = [...this.#waiting.values()];
    this.#appends.clear();
    this.#waiting.clear();
    for (const append of appends) append.onAppended(error, []);
    for (const { reject } of waiting) reject(error);
  }
}
