import type { RowFilter } from '../admin/index.ts';
import type { BoxClient } from '../admin-client/index.ts';
import { csvLine } from '../runtime/csv.ts';
import { realClock } from '../runtime/real-world.ts';
import { type Call, flag, type Run, textOption, WrongUsage } from './command.ts';
import { findBox } from './find-box.ts';
import { parseMoment } from './moment.ts';
import { openOut } from './out.ts';
import { zoneOf } from './site-zone.ts';
import { refuseUnknownBox } from './unknown-box.ts';

/** The columns of CONTRACT 7, so that a CSV has its header even without rows. */
const columns: Readonly<Record<'logs' | 'checkins' | 'access', readonly string[]>> = {
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
    'clock',
    'clock_skew_s',
    'clock_within_s',
    'late_s',
    'source',
    'set_aside',
    'reason',
    'work_date',
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
    'clock',
    'clock_skew_s',
    'clock_within_s',
    'late_s',
  ],
};

/** `export [--what site|checkins|access|logs] [--format yaml|csv|ndjson|xlsx] [--out F]` */
export const exportWhat: Run = async call => {
  const what = (textOption(call, 'what') ?? 'site') as 'site' | keyof typeof columns;
  const format = textOption(call, 'format') ?? (what === 'site' ? 'yaml' : 'ndjson');
  if (what === 'site' && format !== 'yaml') throw new WrongUsage(`a site is written as yaml, not as ${format}`);
  if (what !== 'site' && flag(call, 'with-secrets')) throw new WrongUsage('--with-secrets goes with --what site');
  if (what !== 'access' && flag(call, 'with-photos')) throw new WrongUsage('--with-photos goes with --what access');
  const forPeople = format === 'xlsx' || (format === 'csv' && !flag(call, 'raw'));
  if (forPeople && flag(call, 'with-photos'))
    throw new WrongUsage('a report for people has no photos: write --format ndjson, or csv with --raw');
  if (forPeople && (what === 'checkins' || what === 'access')) {
    const { exportReport } = await import('./export-report.ts');
    return exportReport(call, what, format as 'csv' | 'xlsx');
  }
  if (format === 'xlsx') throw new WrongUsage(`xlsx is for check-ins and access records: write --what checkins`);
  for (const name of ['department', 'person', 'month', 'day', 'separator'])
    if (textOption(call, name) !== undefined)
      throw new WrongUsage(`--${name} goes with the reports: --what checkins or access, --format csv or xlsx`);
  const asked = filterOf(call, what);
  await using box = await findBox(call);
  await refuseUnknownBox(call, box);
  await using out = openOut(call);
  if (what === 'site') {
    const { writeSite } = await import('../config/index.ts');
    await out.write(writeSite(await box.get('/site', { with_secrets: flag(call, 'with-secrets') ? 'true' : 'false' })));
  } else for await (const text of written(box, what, format, asked(await zoneOf(box)))) await out.write(text);
  await out.done();
};

function filterOf(call: Call, what: string): (timeZone: string) => RowFilter {
  const now = realClock.now();
  const [model, sn, device_id, text] = ['model', 'sn', 'device', 'text'].map(name => textOption(call, name));
  if (what !== 'logs' && (model ?? sn ?? text) !== undefined)
    throw new WrongUsage('--model, --sn and --text go with --what logs');
  const box = textOption(call, 'box');
  if (what === 'site' && box !== undefined) throw new WrongUsage('--box goes with --what checkins, access or logs');
  const [from, to] = (['from', 'to'] as const).map(name => {
    const written = textOption(call, name);
    return written === undefined ? undefined : parseMoment(written, name, now);
  });
  return timeZone => ({
    ...(model === undefined ? {} : { model }),
    ...(sn === undefined ? {} : { sn }),
    ...(device_id === undefined ? {} : { device_id }),
    ...(box === undefined ? {} : { box }),
    ...(text === undefined ? {} : { text }),
    ...(from === undefined ? {} : { from: from(timeZone) }),
    ...(to === undefined ? {} : { to: to(timeZone) }),
    ...(flag(call, 'with-photos') ? { with_photos: true } : {}),
  });
}

async function* written(
  box: BoxClient,
  what: keyof typeof columns,
  format: string,
  filter: RowFilter,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine([...columns[what]]);
  const yaml = format === 'yaml' ? await import('yaml') : null;
  let rows = 0;
  for await (const found of box.lines('get', '/export/{what}', { what: what, ...filter })) {
    const row = Object.fromEntries(
      columns[what].filter(name => found[name] !== undefined).map(name => [name, found[name]]),
    );
    rows++;
    if (format === 'csv') yield csvLine(columns[what].map(name => cell(row[name])));
    else if (yaml) yield yaml.stringify([row], { lineWidth: 0 });
    else yield `${JSON.stringify(row)}\n`;
  }
  if (yaml && rows === 0) yield '[]\n';
}

const cell = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
