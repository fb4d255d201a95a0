import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import { EngineError, failureOfState } from '../schema/engine-failures.ts';
import { startConnectionThread } from '../start-thread.ts';
import { noteAnswer } from '../writer/messages.ts';
import {
  type Answer,
  type Answers,
  awaitReply,
  type BridgeData,
  type Call,
  type Reply,
  replySignal,
} from './bridge-messages.ts';

/** A server that hangs must not hold up a stop. */
const closeWithinMs = 2000;

/**
 * One connection to PostgreSQL for code that does not wait for promises: the operations of the
 * writer thread and the reads of the reader thread, which are the same as on SQLite. The connection
 * lives in a thread of its own, and the caller's thread sleeps until the answer is there (150 µs
 * for a small statement on one machine). On the main thread while a process starts alone.
 *
 * A connection that broke stays broken: its process has to start again (docs/decisions/region.md).
 */
export class Bridge {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  readonly #signal = replySignal();
  #answerWithinMs: number;
  readonly #answers: Int32Array | undefined;
  isTransaction = false;
  #isClosed = false;

  /**
   * Connects; throws EngineError. A statement that has no answer by `answerWithinMs` breaks the
   * connection: a commit may have to wait for a standby, a thread that serves callers must not.
   * `answers`: see `answerCounts`.
   */
  constructor(url: string, answerWithinMs = Number.POSITIVE_INFINITY, answers?: Int32Array) {
    this.#answerWithinMs = answerWithinMs;
    this.#answers = answers;
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    const data: BridgeData = { url, port: port2, signal: this.#signal };
    this.#worker = startConnectionThread(data, [port2]);
    // The caller sleeps while it works, so it must not keep the process.
    this.#worker.unref();
    port1.unref();
    this.#answer();
  }

  /** Bounds the statements from now on; see the constructor. */
  answerWithin(ms: number): void {
    this.#answerWithinMs = ms;
  }

  call(call: Call): Answer {
    return this.calls([call]).answers[0]!;
  }

  /**
   * Sends calls together, which are run one after the other: they cost one round trip. Throws what
   * the first one of them throws that failed; inside a transaction, those after it have failed too.
   */
  calls(calls: readonly Call[]): Answers {
    if (this.#isClosed) throw new EngineError('the connection to PostgreSQL is closed', '', 'broken');
    const begun = performance.now();
    this.#port.postMessage(calls);
    const answers = this.#answer();
    if (this.#answers) noteAnswer(this.#answers, performance.now() - begun);
    return answers;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#port.postMessage('close');
    awaitReply(this.#signal, closeWithinMs);
    this.#port.close();
  }

  #answer(): Answers {
    if (!awaitReply(this.#signal, this.#answerWithinMs)) {
      this.#isClosed = true;
      throw new EngineError(`PostgreSQL has not answered for ${this.#answerWithinMs / 1000} s`, '', 'broken');
    }
    const { message } = receiveMessageOnPort(this.#port) as { message: Reply };
    if ('answers' in message) {
      this.isTransaction = message.isTransaction;
      return message;
    }
    const { failed } = message;
    this.isTransaction = failed.isTransaction;
    throw new EngineError(failed.message, failed.state, failureOfState(failed.state));
  }
}
