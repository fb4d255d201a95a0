import type { BoxAdmin, RowFilter } from '../admin/index.ts';
import { columnsOf, csvReport, localTimes, reportLanguage, xlsxReport } from '../attendance/index.ts';
import { realClock } from '../operations/index.ts';
import type { ReportRow } from '../store/index.ts';
import { type Call, CommandFailed, textOption, WrongUsage } from './command.ts';
import { configInForce, findBox } from './find-box.ts';
import { parseMoment } from './moment.ts';
import { openOut } from './out.ts';

/** `export --what checkins|access --format csv|xlsx`: what people read, in the language, the days and the clock of the site. */
export async function exportReport(call: Call, what: 'checkins' | 'access', format: 'csv' | 'xlsx'): Promise<void> {
  const site = configInForce(call);
  const language = reportLanguage(site.locale);
  const columns = columnsOf(what, language);
  const { timezone: timeZone } = site;
  const range = rangeOf(call, timeZone);
  const filter = { ...range, ...optional(call, 'department'), ...optional(call, 'person'), ...device(call) };
  for (const name of ['model', 'sn', 'text'])
    if (textOption(call, name) !== undefined) throw new WrongUsage(`--${name} goes with --what logs`);
  await using box = await findBox(call);
  await using out = openOut(call);
  const rows = reportRows(box, what, filter);
  let isEmpty = true;
  async function* seen() {
    for await (const row of rows) {
      isEmpty = false;
      yield row;
    }
  }
  if (format === 'csv') for await (const text of csvReport(seen(), { columns, timeZone })) await out.write(text);
  else
    for await (const bytes of xlsxReport(seen(), { columns, timeZone, title: titles[language][what] }))
      await out.write(bytes);
  if (isEmpty) await refuseUnknown(call, box);
}

/** An empty report of somebody who is not there is a mistake in the call, not an answer. */
async function refuseUnknown(call: Call, box: BoxAdmin): Promise<void> {
  const [department, person] = [textOption(call, 'department'), textOption(call, 'person')];
  if (department === undefined && person === undefined) return;
  const { departments = [], employees = [] } = await box.site({ withSecrets: false });
  const hint = '`gatehouse export` lists those that are there by ext_id';
  if (department !== undefined && !departments.some(one => one.ext_id === department))
    throw new CommandFailed(`--department "${department}": no such department: ${hint}`);
  if (person !== undefined && !employees.some(one => one.ext_id === person))
    throw new CommandFailed(`--person "${person}": no such person: ${hint}`);
}

const titles = {
  'zh-CN': { checkins: '打卡记录', access: '门禁记录' },
  en: { checkins: 'Check-ins', access: 'Access records' },
} as const;

const reportRows = (box: BoxAdmin, what: 'checkins' | 'access', filter: RowFilter): AsyncIterable<ReportRow> =>
  box.rows(what === 'checkins' ? 'checkin-report' : 'access-report', filter) as unknown as AsyncIterable<ReportRow>;

const optional = (call: Call, name: 'department' | 'person') => {
  const value = textOption(call, name);
  return value === undefined ? {} : { [name]: value };
};

const device = (call: Call) => {
  const id = textOption(call, 'device');
  return id === undefined ? {} : { device_id: id };
};

/** Days and months are the site's; `--to` a day means with that day. */
function rangeOf(call: Call, timeZone: string): { from?: number; to?: number } {
  const [month, day, from, to] = ['month', 'day', 'from', 'to'].map(name => textOption(call, name));
  if ([month, day, from ?? to].filter(value => value !== undefined).length > 1)
    throw new WrongUsage('write --month, or --day, or --from and --to');
  const { offsetSeconds } = localTimes(timeZone);
  /** Midnight of a day of the site: the offset is looked up twice, since it may turn between. */
  const midnight = (text: string, addDays: number): number => {
    const asUtc = Date.parse(`${text}T00:00:00Z`) / 1000 + addDays * 86_400;
    return (asUtc - offsetSeconds(asUtc - offsetSeconds(asUtc))) * 1000;
  };
  /** The 30th of February is read as the 2nd of March: it must come back as it was. */
  const isDay = (text: string) =>
    /^\d{4}-(0[1-9]|1[0-2])-\d{2}$/.test(text) &&
    new Date(Date.parse(`${text.slice(0, 7)}-01`) + (Number(text.slice(8)) - 1) * 86_400_000)
      .toISOString()
      .startsWith(text);
  if (month !== undefined) {
    if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month))
      throw new WrongUsage(`--month "${month}": write a month such as 2026-11`);
    const [year, number] = month.split('-').map(Number) as [number, number];
    const next = number === 12 ? `${year + 1}-01-01` : `${year}-${String(number + 1).padStart(2, '0')}-01`;
    return { from: midnight(`${month}-01`, 0), to: midnight(next, 0) };
  }
  if (day !== undefined) {
    if (!isDay(day)) throw new WrongUsage(`--day "${day}": write a day such as 2026-11-20`);
    return { from: midnight(day, 0), to: midnight(day, 1) };
  }
  const now = realClock.now();
  return {
    ...(from === undefined ? {} : { from: isDay(from) ? midnight(from, 0) : parseMoment(from, 'from', now) }),
    ...(to === undefined ? {} : { to: isDay(to) ? midnight(to, 1) : parseMoment(to, 'to', now) }),
  };
}
