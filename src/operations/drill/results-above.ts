import type { DrillResult, SentUp } from '../../platform/drill.ts';
import { drillLogText } from '../../platform/drill-log.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { aborted } from '../../runtime/within.ts';
import type { RememberedStore } from '../../store/index.ts';

const service = 'drill';
const key = 'sent up';
const againMs = 30_000;

type Answer =
  | { readonly kind: 'confirmed' }
  | { readonly kind: 'refused'; readonly code: number; readonly reason: string }
  | { readonly kind: 'again'; readonly why: string };

interface ResultsAboveParts extends RememberedStore {
  /** Newest first. */
  readonly results: () => Promise<readonly DrillResult[]>;
  readonly send: (text: string) => Promise<Answer>;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Sends each result of a drill to the cloud or the box above, the oldest first, until it is taken:
 * once, or twice if the box is killed in between.
 */
export class ResultsAbove implements AsyncDisposable {
  readonly #parts: ResultsAboveParts;
  readonly #ending = new AbortController();
  readonly #running: Promise<void>;
  #sent: ReadonlyMap<string, SentUp> = new Map();
  #added = new AbortController();

  constructor(parts: ResultsAboveParts) {
    this.#parts = parts;
    this.#running = this.#run();
  }

  /** By the id of the drill. */
  get sent(): ReadonlyMap<string, SentUp> {
    return this.#sent;
  }

  /** There is a new result. */
  look(): void {
    this.#added.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { read, clock, log } = this.#parts;
    const { signal } = this.#ending;
    try {
      const kept = (await read.remembered(service, key))?.value;
      if (kept) this.#sent = new Map(JSON.parse(kept) as [string, SentUp][]);
      while (!signal.aborted) {
        this.#added = new AbortController();
        const isDone = await this.#sendAll();
        const woken = AbortSignal.any([signal, this.#added.signal]);
        if (isDone) await aborted(woken);
        else await clock.sleep(againMs, woken).catch(() => {});
      }
    } catch (error) {
      if (!signal.aborted) log.error({ error: (error as Error).message }, 'drill_results_not_sent');
    }
  }

  /** False: the line does not take them now. */
  async #sendAll(): Promise<boolean> {
    const { results, send, write, clock, log } = this.#parts;
    const all = await results();
    for (const result of all.toReversed()) {
      const { id } = result;
      if (this.#sent.has(id)) continue;
      const answer = await send(drillLogText(result));
      if (answer.kind === 'again') return false;
      const refused = answer.kind === 'refused' ? `${answer.code}: ${answer.reason}` : '';
      if (refused !== '') log.warn({ id, why: refused }, 'drill_result_refused');
      const ids = new Set(all.map(one => one.id));
      this.#sent = new Map(
        [...this.#sent, [id, { at: clock.now(), refused }] as const].filter(([one]) => ids.has(one)),
      );
      await write.remember({ service, key, value: JSON.stringify([...this.#sent]), at: clock.now() });
    }
    return true;
  }
}
