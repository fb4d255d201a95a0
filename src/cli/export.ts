import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { resolve } from 'node:path';
import { stringify } from 'yaml';
import type { BoxAdmin, Exportable, RowFilter } from '../admin/index.ts';
import { writeSite } from '../config/index.ts';
import { realClock } from '../operations/index.ts';
import { type Call, CommandFailed, flag, type Run, textOption, WrongUsage } from './command.ts';
import { findBox } from './find-box.ts';
import { parseMoment } from './moment.ts';

/** The columns of CONTRACT 7, so that a CSV has its header even without rows. */
const columns: Readonly<Record<Exportable, readonly string[]>> = {
  logs: ['device_id', 'model', 'sn', 'received_at', 'text', 'truncated', 'repaired'],
  checkins: [
    'id',
    'user_id',
    'ext_id',
    'employee_num',
    'terminal_id',
    'check_type',
    'check_time',
    'check_data',
    'device_id',
    'received_at',
  ],
  access: [
    'id',
    'door_id',
    'user_id',
    'ext_id',
    'check_type',
    'check_time',
    'check_data',
    'check_result',
    'capture_img',
    'device_id',
    'received_at',
  ],
};

type Row = Record<string, unknown>;

/** `export [--what site|checkins|access|logs] [--format yaml|csv|ndjson|xlsx] [--out F]` */
export const exportWhat: Run = async call => {
  const what = (textOption(call, 'what') ?? 'site') as 'site' | Exportable;
  const format = textOption(call, 'format') ?? (what === 'site' ? 'yaml' : 'ndjson');
  if (format === 'xlsx')
    throw new CommandFailed(
      'xlsx comes with the attendance reports, which this version does not have yet: use --format csv',
    );
  if (what === 'site' && format !== 'yaml') throw new WrongUsage(`a site is written as yaml, not as ${format}`);
  if (what !== 'site' && flag(call, 'with-secrets')) throw new WrongUsage('--with-secrets goes with --what site');
  const filter = filterOf(call, what);
  await using box = await findBox(call);
  await using out = openOut(call);
  if (what === 'site') return out.write(writeSite(await box.site({ withSecrets: flag(call, 'with-secrets') })));
  for await (const text of written(box, what, format, filter)) await out.write(text);
};

function filterOf(call: Call, what: string): RowFilter {
  const now = realClock.now();
  const [model, sn, device_id, text] = ['model', 'sn', 'device', 'text'].map(name => textOption(call, name));
  if (what !== 'logs' && (model ?? sn ?? text) !== undefined)
    throw new WrongUsage('--model, --sn and --text go with --what logs');
  const from = textOption(call, 'from');
  const to = textOption(call, 'to');
  return {
    ...(model === undefined ? {} : { model }),
    ...(sn === undefined ? {} : { sn }),
    ...(device_id === undefined ? {} : { device_id }),
    ...(text === undefined ? {} : { text }),
    ...(from === undefined ? {} : { from: parseMoment(from, 'from', now) }),
    ...(to === undefined ? {} : { to: parseMoment(to, 'to', now) }),
  };
}

async function* written(box: BoxAdmin, what: Exportable, format: string, filter: RowFilter): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(columns[what]);
  let rows = 0;
  for await (const found of box.rows(what, filter)) {
    const row = Object.fromEntries(
      columns[what].filter(name => found[name] !== undefined).map(name => [name, found[name]]),
    );
    rows++;
    if (format === 'csv') yield csvLine(columns[what].map(name => cell(row[name])));
    else if (format === 'yaml') yield stringify([row], { lineWidth: 0 });
    else yield `${JSON.stringify(row)}\n`;
  }
  if (format === 'yaml' && rows === 0) yield '[]\n';
}

const cell = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** RFC 4180. A cell that a spreadsheet would take for a formula is made text with an apostrophe. */
function csvLine(cells: readonly Row[string][]): string {
  const quoted = cells.map(value => {
    const text =
      /^[=+\-@\t\r]/.test(String(value)) && !/^-?\d+(\.\d+)?$/.test(String(value)) ? `'${value}` : String(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${quoted.join(',')}\r\n`;
}

/** Standard output, or the file of `--out`, which only its owner may read unless `mode` says otherwise. */
export function openOut(call: Call, mode = 0o600): AsyncDisposable & { write(text: string): Promise<void> } {
  const file = textOption(call, 'out');
  if (file === undefined || file === '-')
    return { write: text => call.print(text), [Symbol.asyncDispose]: async () => {} };
  const stream = createWriteStream(resolve(call.cwd, file), { mode });
  const failed = once(stream, 'error').then(([error]) => {
    throw new CommandFailed(`${file}: cannot be written: ${(error as Error).message}`);
  });
  failed.catch(() => {});
  return {
    async write(text) {
      if (!stream.write(text)) await Promise.race([once(stream, 'drain'), failed]);
    },
    async [Symbol.asyncDispose]() {
      stream.end();
      await Promise.race([once(stream, 'close'), failed]);
    },
  };
}
