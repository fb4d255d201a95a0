import type { BoxClient } from '../admin-client/index.ts';
import { type LogCode, logText } from '../words/log/messages.ts';
import type { Params } from '../words/sentences.ts';
import { outputOf } from './output-of.ts';
import type { Pseudonyms } from './pseudonyms.ts';

/** The last lines of a running box, from its memory. */
export async function logOf(box: BoxClient, fit: Pseudonyms): Promise<string> {
  const { lines } = await box.get('/ui/system-log');
  return lines
    .toReversed()
    .map(({ at, level, part, code, params, fields }) => {
      const said = logText(code as LogCode, fit.report(params) as Params);
      const shown = fields.map(field => {
        const [name, ...value] = field.split('=');
        return `${name}=${fit.text(value.join('='))}`;
      });
      const text = [part === '' ? '' : `${part}:`, said, shown.length > 0 ? `(${shown.join(' ')})` : ''];
      return `${[new Date(at).toISOString(), level, ...text].filter(Boolean).join(' ')}\n`;
    })
    .join('');
}

const journalBytesMax = 10 << 20;

/**
 * The newest lines of the journal of systemd for the units of the box, read up to a bound. Those of
 * systemd itself are as they are. Empty: there is no journal, or it may not be read.
 */
export async function journalOf(read = readJournal): Promise<(fit: Pseudonyms) => string> {
  const text = await read();
  return fit => {
    const lines: string[] = [];
    let bytes = 0;
    for (const line of text.split('\n')) {
      const entry = journalEntry(line);
      if (!entry) continue;
      const shown = `${entry.at} ${entry.unit} ${entry.isOfSystemd ? entry.message : fit.line(entry.message)}\n`;
      bytes += shown.length;
      if (bytes > journalBytesMax) break;
      lines.push(shown);
    }
    return lines.toReversed().join('');
  };
}

function journalEntry(line: string) {
  if (!line.startsWith('{')) return null;
  try {
    const { MESSAGE, __REALTIME_TIMESTAMP, _PID, _SYSTEMD_UNIT = '' } = JSON.parse(line) as Record<string, string>;
    if (typeof MESSAGE !== 'string') return null;
    const at = new Date(Number(__REALTIME_TIMESTAMP) / 1000).toISOString();
    const unit = /^(gatehouse[\w.-]*)/.exec(_SYSTEMD_UNIT)?.[1] ?? 'systemd';
    return { at, unit, message: MESSAGE, isOfSystemd: _PID === '1' };
  } catch {
    return null; // the last line was cut at the bound
  }
}

/** Newest first, so that the bound cuts the oldest. */
const readJournal = (): Promise<string> =>
  outputOf('journalctl', [
    '--unit=gatehouse*',
    '--reverse',
    '--output=json',
    '--output-fields=MESSAGE,_PID,_SYSTEMD_UNIT',
    '--lines=60000',
    '--no-pager',
    '--quiet',
  ]);
