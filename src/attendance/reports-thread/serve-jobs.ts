import type { MessagePort } from 'node:worker_threads';
import { type OwnReader, readFailure } from '../../store/index.ts';
import { type JobParts, jobs } from './jobs.ts';
import { KeptLists } from './kept-lists.ts';
import { type FromThread, type MainCalls, type Piece, type ToThread, untakenMax } from './messages.ts';

const mainCalls = [
  'whole',
  'beginClosing',
  'freezeRows',
  'finishClosing',
  'refuseClosing',
  'notePeriodChanges',
  'notePeriodChecked',
] as const satisfies readonly (keyof MainCalls)[];

/** A call that failed on the main thread, which knows its error. */
class CallFailed extends Error {
  readonly call: number;
  constructor(call: number, message: string) {
    super(message);
    this.call = call;
  }
}

interface RunningJob {
  readonly ending: AbortController;
  untaken: number;
  /** Resumes the job when a piece was taken, or nobody wants the rest. */
  goOn: () => void;
}

const taken = (job: RunningJob): Promise<void> =>
  new Promise(resolve => {
    job.goOn = resolve;
  });

/** Loop of the reports thread: jobs run side by side, each pauses until its pieces are taken. */
export function serveJobs(port: MessagePort, reader: OwnReader): void {
  const running = new Map<number, RunningJob>();
  const calls = new Map<number, PromiseWithResolvers<unknown>>();
  const lists = new KeptLists();
  let lastCall = 0;
  const post = (message: FromThread, buffers: ArrayBuffer[] = []) => port.postMessage(message, buffers);

  const mainOf = (id: number): MainCalls => {
    const call = (name: keyof MainCalls) => (input: unknown) => {
      const number = ++lastCall;
      const answer = Promise.withResolvers<unknown>();
      calls.set(number, answer);
      post({ kind: 'call', id, call: number, name, input });
      return answer.promise;
    };
    return Object.fromEntries(mainCalls.map(name => [name, call(name)])) as unknown as MainCalls;
  };

  async function run({ id, name, facts, asked }: Extract<ToThread, { kind: 'start' }>): Promise<void> {
    const job: RunningJob = { ending: new AbortController(), untaken: 0, goOn: () => {} };
    running.set(id, job);
    reader.forget();
    const begun = performance.now();
    const parts: JobParts = {
      ...{ reader, facts, main: mainOf(id), signal: job.ending.signal, lists },
      now: () => Math.round(facts.now + performance.now() - begun),
    };
    const act = jobs[name as keyof typeof jobs] as (parts: JobParts, asked: unknown) => AsyncGenerator<Piece, unknown>;
    try {
      const pieces = act(parts, asked);
      let next = await pieces.next();
      while (!next.done && !job.ending.signal.aborted) {
        const piece = next.value;
        job.untaken++;
        post({ kind: 'piece', id, piece }, piece instanceof Uint8Array ? [piece.buffer] : []);
        if (job.untaken >= untakenMax) await taken(job);
        next = await (job.ending.signal.aborted ? pieces.return(undefined) : pieces.next());
      }
      post({ kind: 'ended', id, value: next.done ? next.value : undefined });
    } catch (error) {
      post({ kind: 'failed', id, ...readFailure(error), call: error instanceof CallFailed ? error.call : null });
    } finally {
      running.delete(id);
    }
  }

  port.on('message', (message: ToThread) => {
    if (message.kind === 'start') void run(message);
    else if (message.kind === 'answer') {
      const { call, ok, value } = message;
      if (ok) calls.get(call)?.resolve(value);
      else calls.get(call)?.reject(new CallFailed(call, String(value)));
      calls.delete(call);
    } else if (message.kind === 'close') {
      reader.close();
      port.close();
    } else {
      const job = running.get(message.id);
      if (!job) return;
      if (message.kind === 'taken') job.untaken--;
      else job.ending.abort();
      job.goOn();
    }
  });
}
