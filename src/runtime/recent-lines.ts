import type { LogCode } from '../words/log/messages.ts';
import type { Params } from '../words/sentences.ts';
import type { Clock } from './clock.ts';
import type { Log, LogCall } from './log.ts';

export const lineLevels = ['info', 'warn', 'error'] as const;
type LineLevel = (typeof lineLevels)[number];

/** A line of the system log as a page shows it. */
interface RecentLine {
  /** From 1, rising. */
  readonly no: number;
  readonly at: number;
  readonly level: LineLevel;
  /** The part of the box that logged it; empty: the box itself. */
  readonly part: string;
  /** Of its message, with the values that it names. */
  readonly code: LogCode;
  readonly params: Params;
  /** Fields of the line, `name=value` each. */
  readonly fields: readonly string[];
}

const linesMax = 500;
const fieldCharactersMax = 400;

/**
 * The last lines of the system log, in memory, for people who cannot open the machine's own log.
 */
export class RecentLines {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #lines: RecentLine[] = [];
  #last = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  /** From this level up, above the line `after`, newest first. */
  list({ level = 'info', after = 0 }: { level?: LineLevel; after?: number } = {}): RecentLine[] {
    const least = lineLevels.indexOf(level);
    return this.#lines.filter(line => line.no > after && lineLevels.indexOf(line.level) >= least).reverse();
  }

  /** A log that passes everything on to `log` and also keeps it here, except `debug`. */
  beside(log: Log, held: object = {}): Log {
    const keep =
      (level: LineLevel): LogCall =>
      (fields, code, ...values) => {
        this.#keep(level, { ...held, ...fields }, code, values[0]);
        log[level](fields, code, ...values);
      };
    return {
      debug: (fields, code, ...values) => log.debug(fields, code, ...values),
      info: keep('info'),
      warn: keep('warn'),
      error: keep('error'),
      child: fields => this.beside(log.child(fields), { ...held, ...fields }),
    };
  }

  #keep(
    level: LineLevel,
    { part, ...fields }: { part?: unknown; [name: string]: unknown },
    code: LogCode,
    params: Params = {},
  ): void {
    this.#lines.push({
      no: ++this.#last,
      at: this.#clock.now(),
      level,
      part: part === undefined ? '' : String(part),
      ...{ code, params },
      fields: Object.entries(fields).map(([name, value]) =>
        `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`.slice(0, fieldCharactersMax),
      ),
    });
    if (this.#lines.length > linesMax) this.#lines.shift();
  }
}
