import { reportFile, type SeparatorChoice } from '../admin/index.ts';
import type { BoxClient } from '../admin-client/index.ts';
import { isDay } from '../runtime/calendar-date.ts';
import { realClock } from '../runtime/real-world.ts';
import { monthBoundsOf, wallTime } from '../runtime/wall-time.ts';
import { type Call, CommandFailed, textOption, WrongUsage } from './command.ts';
import { findBox } from './find-box.ts';
import { parseMoment } from './moment.ts';
import { openOut } from './out.ts';
import { refuseUnknownBox } from './unknown-box.ts';

/**
 * `export --what checkins|access --format csv|xlsx`: what people read, in the language, the days
 * and the clock of the site.
 */
export async function exportReport(call: Call, what: 'checkins' | 'access', format: 'csv' | 'xlsx'): Promise<void> {
  const range = rangeOf(call);
  const filter = {
    ...{ ...optional(call, 'department'), ...optional(call, 'person') },
    ...{ ...optional(call, 'box'), ...device(call) },
  };
  for (const name of ['model', 'sn', 'text'])
    if (textOption(call, name) !== undefined) throw new WrongUsage(`--${name} goes with --what logs`);
  const separator = textOption(call, 'separator') as SeparatorChoice;
  await using box = await findBox(call);
  await refuseUnknownBox(call, box);
  const { locale, timezone: timeZone } = await box.get('/naming');
  await using out = openOut(call);
  const records: Parameters<typeof reportFile>[0] = {
    rows: (of, { signal: _, after: __, ...asked }) => box.lines('get', '/export/{what}', { what: of, ...asked }),
  };
  const report = reportFile(records, {
    ...{ what, format, locale, timeZone, separator },
    filter: { ...filter, ...range(timeZone) },
  });
  for await (const chunk of report.chunks) await out.write(chunk);
  if (report.rows() === 0) await refuseUnknown(call, box);
  await out.done();
  call.tell(`times are those of the site: ${timeZone}`);
}

/** An empty report of somebody who is not there is a mistake in the call, not an answer. */
async function refuseUnknown(call: Call, box: BoxClient): Promise<void> {
  const [department, person] = [textOption(call, 'department'), textOption(call, 'person')];
  if (department === undefined && person === undefined) return;
  const { departments = [], employees = [] } = await box.get('/site');
  const hint = '`gatehouse export` lists those that are there by ext_id';
  if (department !== undefined && !departments.some(one => one.ext_id === department))
    throw new CommandFailed(`--department "${department}": no such department: ${hint}`);
  if (person !== undefined && !employees.some(one => one.ext_id === person))
    throw new CommandFailed(`--person "${person}": no such person: ${hint}`);
}

const optional = (call: Call, name: 'department' | 'person' | 'box') => {
  const value = textOption(call, name);
  return value === undefined ? {} : { [name]: value };
};

const device = (call: Call) => {
  const id = textOption(call, 'device');
  return id === undefined ? {} : { device_id: id };
};

interface Range {
  readonly from?: number;
  readonly to?: number;
}

/** Days and months are the site's; `--to` a day means with that day. */
function rangeOf(call: Call): (timeZone: string) => Range {
  const [month, day, from, to] = ['month', 'day', 'from', 'to'].map(name => textOption(call, name));
  if ([month, day, from ?? to].filter(value => value !== undefined).length > 1)
    throw new WrongUsage('write --month, or --day, or --from and --to');
  if (month !== undefined) {
    if (!monthBoundsOf(month, 'UTC')) throw new WrongUsage(`--month "${month}": write a month such as 2026-11`);
    return timeZone => inMs(monthBoundsOf(month, timeZone)!);
  }
  if (day !== undefined) {
    if (!isDay(day)) throw new WrongUsage(`--day "${day}": write a day such as 2026-11-20`);
    return timeZone => inMs(wallTime(timeZone).dayBounds(day));
  }
  const now = realClock.now();
  const begin = from === undefined ? undefined : parseMoment(from, 'from', now);
  const end = to === undefined ? undefined : parseMoment(to, 'to', now);
  return timeZone => ({
    ...(begin === undefined ? {} : { from: begin(timeZone) }),
    ...(end === undefined ? {} : { to: isDay(to!) ? wallTime(timeZone).dayBounds(to!).to * 1000 : end(timeZone) }),
  });
}

const inMs = ({ from, to }: { readonly from: number; readonly to: number }): Range => ({
  from: from * 1000,
  to: to * 1000,
});
