import { type Logger, pino } from 'pino';
import type { Log } from '../runtime/log.ts';
import { momentText } from '../runtime/wall-time.ts';
import { type LogCode, logText } from '../words/log/messages.ts';
import type { Params } from '../words/sentences.ts';

type LogStyle = 'human' | 'json' | 'journald';
const logLevels = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * Readable lines on a terminal, priorities for journald under systemd, JSON lines otherwise
 * (CONTRACT 1).
 */
export function styleFor(env: NodeJS.ProcessEnv, isTerminal: boolean): LogStyle {
  if (env.JOURNAL_STREAM || env.NOTIFY_SOCKET) return 'journald';
  return isTerminal ? 'human' : 'json';
}

/**
 * The system log. `write` receives whole lines. People read its times on the clock of the site,
 * `timeZone`; JSON lines have instants.
 */
export function openLog(style: LogStyle, level: LogLevel, timeZone: string, write: (line: string) => void): Log {
  const destination = { write: style === 'json' ? write : (line: string) => write(rewritten(style, line, timeZone)) };
  const logger = pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters: { level: label => ({ level: label }) } },
    destination,
  );
  return new SystemLog(logger);
}

/** A class, since each connected device has a child: its methods are made once. */
class SystemLog implements Log {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  debug(fields: object, code: LogCode, params?: Params): void {
    this.#write('debug', fields, code, params);
  }

  info(fields: object, code: LogCode, params?: Params): void {
    this.#write('info', fields, code, params);
  }

  warn(fields: object, code: LogCode, params?: Params): void {
    this.#write('warn', fields, code, params);
  }

  error(fields: object, code: LogCode, params?: Params): void {
    this.#write('error', fields, code, params);
  }

  child(fields: object): Log {
    return new SystemLog(this.#logger.child(fields));
  }

  #write(level: LogLevel, fields: object, code: LogCode, params?: Params): void {
    if (this.#logger.isLevelEnabled(level)) this.#logger[level]({ ...fields, code }, logText(code, params));
  }
}

/** Syslog priorities, which journald reads from the line. */
const priorities: Readonly<Record<string, number>> = { debug: 7, info: 6, warn: 4, error: 3, fatal: 2 };

function rewritten(style: 'human' | 'journald', line: string, timeZone: string): string {
  const { level, time, msg, code: _, part, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const shown = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const sentence = [part === undefined ? '' : `${part}:`, msg, shown.length > 0 ? `(${shown.join(' ')})` : '']
    .filter(Boolean)
    .join(' ');
  if (style === 'journald') return `<${priorities[String(level)] ?? 6}>${sentence}\n`;
  const label = level === 'info' ? '' : `${String(level)}: `;
  return `${momentText(Date.parse(String(time)), timeZone).slice(11, 19)} ${label}${sentence}\n`;
}
