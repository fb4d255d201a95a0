import type { BoxReport } from '../platform/box-report.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { type HttpAnswer, parseJson } from './http-client.ts';
import { reasonIn } from './http-transport.ts';

const everyMs = 60_000;

/**
 * Tells the box above how this one is: when a session begins, then once a minute. A report that is
 * lost is not sent again, since the next one says more.
 */
export class ReportsAbove {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #source = Promise.withResolvers<() => Promise<BoxReport>>();

  constructor({ clock, log }: { readonly clock: Clock; readonly log: Log }) {
    this.#clock = clock;
    this.#log = log;
  }

  /** Nothing is sent before: the line is opened before most parts that a report tells of. */
  bind(source: () => Promise<BoxReport>): void {
    this.#source.resolve(source);
  }

  /**
   * Reports until `signal` is aborted, or the other side says that it takes none: it does not know
   * them, which is no fault, or finds them wrong. Never rejects.
   */
  async follow(post: (body: string) => Promise<HttpAnswer>, signal: AbortSignal): Promise<void> {
    const source = await this.#source.promise;
    while (!signal.aborted) {
      // A failure that breaks the session is noticed by its batches.
      const answer = await source()
        .then(report => post(JSON.stringify(report)))
        .catch(() => null);
      if (signal.aborted) return;
      if (answer && isUnknown(answer)) return;
      if (answer && isWrong(answer)) {
        const why = reasonIn(parseJson(answer.body).msg);
        this.#log.warn({ why }, 'report_not_read_above');
        return;
      }
      await this.#clock.sleep(everyMs, signal).catch(() => {});
    }
  }
}

const unknownStatuses: ReadonlySet<number> = new Set([404, 405, 501]);

const isUnknown = ({ status }: HttpAnswer): boolean => unknownStatuses.has(status);

const isWrong = ({ status }: HttpAnswer): boolean => status === 400 || status === 413;
