import { join } from 'node:path';
import { sha256Of } from '../../store/index.ts';
import { targetFailures } from '../../words/backup-targets.ts';
import { failed, type PlainFailure, TargetFailed } from '../target-failed.ts';
import type { OpenTarget, Target } from './target.ts';

type Answer<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly status: number | null; readonly why: string };

/** The line to the box above; src/upstream has it. */
export interface LineAbove {
  /** For people. */
  readonly where: string;
  /** Names, newest first. */
  list(signal: AbortSignal): Promise<Answer<readonly string[]>>;
  put(file: string, name: string, sha256: string, signal: AbortSignal): Promise<Answer<null>>;
  get(name: string, file: string, signal: AbortSignal): Promise<Answer<null>>;
}

/** Meaning of an answer's status; any other is a refusal. */
const meanings: Readonly<Record<number, PlainFailure>> = {
  404: 'not_kept_above',
  406: 'above_unreachable',
  413: 'above_full',
  422: 'differs',
  507: 'above_full',
};

/**
 * The box above in a chain, which keeps the newest backups in a folder for this box, deletes the
 * older ones itself, and lets this box delete none.
 */
export class AboveTarget implements Target {
  readonly where: string;
  readonly tidiesItself = true;
  readonly #line: LineAbove | null;

  /** `line`: null where no Gatehouse stands above. */
  constructor(line: LineAbove | null) {
    this.#line = line;
    this.where = line?.where ?? 'the box above';
  }

  async open(signal: AbortSignal): Promise<OpenTarget> {
    if (!this.#line) throw new TargetFailed(targetFailures.say('no_box_above'));
    return new OpenAbove(this.#line, this.where, signal);
  }
}

class OpenAbove implements OpenTarget {
  readonly #line: LineAbove;
  readonly #where: string;
  readonly #signal: AbortSignal;

  constructor(line: LineAbove, where: string, signal: AbortSignal) {
    this.#line = line;
    this.#where = where;
    this.#signal = signal;
  }

  /** The box above says itself what it refuses for room, with the setting that it is about. */
  async freeBytes(): Promise<null> {
    return null;
  }

  async names(): Promise<string[]> {
    return [...this.#value(await this.#line.list(this.#signal))];
  }

  async put(file: string, name: string, signal: AbortSignal): Promise<void> {
    const both = AbortSignal.any([signal, this.#signal]);
    this.#value(await this.#line.put(file, name, await sha256Of(file), both));
  }

  async fetched(name: string, folder: string, signal: AbortSignal): Promise<string> {
    const file = join(folder, name);
    this.#value(await this.#line.get(name, file, AbortSignal.any([signal, this.#signal])));
    return file;
  }

  async probe(): Promise<void> {
    await this.names();
  }

  async remove(): Promise<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}

  #value<Value>(answer: Answer<Value>): Value {
    if (answer.ok) return answer.value;
    const { status, why } = answer;
    const code = status === null ? 'above_unreachable' : (meanings[status] ?? 'above_refused');
    // Each of the two says all that is known here.
    const detail = code === 'above_unreachable' || code === 'not_kept_above' ? '' : why;
    throw failed(code, this.#where, detail);
  }
}
