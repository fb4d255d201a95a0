import type { Answer } from './answers.ts';
import type { AttendanceCall } from './calls.ts';

const walksMax = 1000;

/** The next page that each caller was given. */
export class PageWalks {
  readonly #next = new Map<string, string>();

  /** True for the page that follows the one that the caller got last. */
  goesOn(appKey: string, call: AttendanceCall, body: unknown): boolean {
    return call.walk !== undefined && this.#next.get(keyOf(appKey, call)) === call.walk(body);
  }

  note(appKey: string, call: AttendanceCall, body: unknown, answer: Answer): void {
    if (!call.next) return;
    const key = keyOf(appKey, call);
    this.#next.delete(key);
    const next = call.next(body, answer);
    if (next === null) return;
    this.#next.set(key, next);
    if (this.#next.size > walksMax) this.#next.delete(this.#next.keys().next().value!);
  }
}

const keyOf = (appKey: string, { path, command }: AttendanceCall): string => `${appKey} ${path} ${command}`;
