import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { StoreError } from '../port/journal.ts';
import type { StoreWrites } from '../port/store.ts';
import { startThread } from '../start-thread.ts';
import type { PackedChunk, Reply, Request, WriterData, WriterReady, WriterState, WriterTail } from './messages.ts';
import { nothingWritten, type WriteCounts } from './wear.ts';

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

/** The main thread's side of the writer thread. */
export class WriterProxy {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #appends = new Map<number, AppendListener>();
  #id = 0;
  /** Why nothing is answered any more: the thread is gone. */
  #ended: StoreError | null = null;
  closed = false;
  get isDead(): boolean {
    return this.#ended !== null;
  }
  lastSeq = 0;
  state: WriterState = {
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
  written: WriteCounts = nothingWritten;
  onCommitted: (lastSeq: number) => void = () => {};
  onState: (state: WriterState) => void = () => {};
  /** Other processes have written. */
  onTail: (tail: WriterTail) => void = () => {};
  onTurn: (until: number | null) => void = () => {};
  /** Called before the thread is told to end: what is to be committed has to be sent now. */
  onClosing: () => void = () => {};

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on('message', (reply: Reply) => this.#take(reply));
    worker.on('error', error => this.#fail(error as Error));
    worker.on('exit', () => this.#fail(new Error(dead)));
  }

  /** Resolves when the thread has opened the store; rejects with its error. */
  static async start(data: WriterData, role: 'writer' | 'postgres writer' = 'writer'): Promise<WriterProxy> {
    const worker = startThread(role, data);
    const [ready] = (await once(worker, 'message')) as [WriterReady | WriterState];
    const proxy = new WriterProxy(worker);
    if (ready.kind === 'ready') proxy.lastSeq = ready.lastSeq;
    proxy.state = { ...proxy.state, projectedSeq: ready.projectedSeq };
    return proxy;
  }

  append(chunks: readonly PackedChunk[], listener: AppendListener): void {
    if (this.#ended) return void listener.onAppended(this.#ended, []);
    const id = ++this.#id;
    this.#appends.set(id, listener);
    this.#post({ kind: 'append', id, chunks });
  }

  run<K extends keyof StoreWrites>(name: K, input: Parameters<StoreWrites[K]>[0]): Promise<ReturnType<StoreWrites[K]>> {
    if (this.closed) return Promise.reject(new StoreError('closed', 'the store is closed'));
    return new Promise((resolve, reject) => {
      const id = ++this.#id;
      this.#waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
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

  #post(request: Request): void {
    this.#worker.postMessage(request);
  }

  #take(reply: Reply): void {
    if (reply.kind === 'state') {
      this.state = reply;
      this.onState(reply);
      return;
    }
    if (reply.kind === 'turn') {
      this.onTurn(reply.until);
      return;
    }
    if (reply.kind === 'tail') {
      this.#committed(reply.lastSeq);
      this.onTail(reply);
      if (reply.projectedSeq <= this.state.projectedSeq) return;
      this.state = { ...this.state, projectedSeq: reply.projectedSeq };
      this.onState(this.state);
      return;
    }
    if (reply.kind === 'appended' || reply.kind === 'done') {
      this.written = reply.written;
      this.#committed(reply.lastSeq);
    }
    const append = this.#appends.get(reply.id);
    if (append) {
      this.#appends.delete(reply.id);
      if (reply.kind === 'appended') append.onAppended(null, reply.memories);
      else if (reply.kind === 'failed') append.onAppended(new StoreError(reply.code, reply.message), []);
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.kind === 'done') waiting?.resolve(reply.value);
    else if (reply.kind === 'failed') waiting?.reject(new StoreError(reply.code, reply.message));
  }

  #committed(lastSeq: number): void {
    if (lastSeq <= this.lastSeq) return;
    this.lastSeq = lastSeq;
    this.onCommitted(lastSeq);
  }

  #fail(error: Error): void {
    const failure = new StoreError(this.closed ? 'closed' : 'broken', error.message);
    if (!this.closed) {
      this.state = { ...this.state, health: 'broken', why: `${dead}: ${error.message}` };
      this.onState(this.state);
    }
    this.closed = true;
    this.#ended = failure;
    for (const append of this.#appends.values()) append.onAppended(failure, []);
    this.#appends.clear();
    for (const { reject } of this.#waiting.values()) reject(failure);
    this.#waiting.clear();
  }
}
