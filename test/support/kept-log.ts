import type { Log } from '../../src/runtime/log.ts';
import { type LogCode, logText } from '../../src/words/log/messages.ts';
import type { Params } from '../../src/words/sentences.ts';

type Level = Exclude<keyof Log, 'child'>;

interface KeptLog {
  readonly log: Log;
  /** In the order in which they were logged; the fields are those of the line itself. */
  readonly lines: readonly { readonly code: LogCode; readonly fields: object }[];
  /** English texts of each level. */
  readonly texts: Readonly<Record<Level, readonly string[]>>;
}

/** A log whose lines can be read, those of its children too. */
export function keptLog(): KeptLog {
  const lines: { code: LogCode; fields: object }[] = [];
  const texts: Record<Level, string[]> = { debug: [], info: [], warn: [], error: [] };
  const at = (level: Level) => (fields: object, code: LogCode, params?: Params) => {
    lines.push({ code, fields });
    texts[level].push(logText(code, params));
  };
  const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error'), child: () => log };
  return { log, lines, texts };
}
