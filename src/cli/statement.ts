import type { BoxStatementLine, DeviceStatementLine, StatementVerdictReport } from '../admin/index.ts';
import { clockText } from '../platform/clock-text.ts';
import { isDay } from '../runtime/calendar-date.ts';
import { CommandFailed, flag, type Run, textOption, WrongUsage } from './command.ts';
import { findBox } from './find-box.ts';
import { counted, moment, number, span, table } from './wording.ts';

/** `statement [--day D] [--device ID] [--json]`. */
export const statement: Run = async call => {
  const asked = textOption(call, 'day');
  if (asked !== undefined && !isDay(asked)) throw new WrongUsage(`--day "${asked}": write a day such as 2026-11-20`);
  const device = textOption(call, 'device')?.toUpperCase();
  await using box = await findBox(call);
  const day = asked ?? (await box.get('/status')).statement?.day;
  if (day === undefined)
    throw new CommandFailed(
      'no day has been stated yet: the first statement is made when the first day is over; `--day` of today says how it stands',
    );
  const found = await box.get('/statements/{day}', { day, device_id: device });
  if (flag(call, 'json')) return call.print(`${JSON.stringify(found, null, 2)}\n`);
  const [one] = found.devices;
  await call.print(device !== undefined && one ? deviceInWords(one, found.box) : dayInWords(found.box, found.devices));
};

/** `statement verify [--head HASH] [--json]`: exit status 1 where the chain does not hold. */
export const statementVerify: Run = async call => {
  const head = textOption(call, 'head')?.replaceAll(' ', '').toLowerCase();
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head))
    throw new WrongUsage('--head: write all 64 digits of the hash, as the sheet shows it');
  await using box = await findBox(call);
  const verdict = await box.get('/statement-chain', { head });
  await call.print(flag(call, 'json') ? `${JSON.stringify(verdict, null, 2)}\n` : verdictInWords(verdict, head));
  return verdict.holds && (head === undefined || verdict.found !== null) ? 0 : 1;
};

function verdictInWords(
  { holds, broken, days, statements, first, last, found }: StatementVerdictReport,
  head?: string,
) {
  const lines = [
    holds
      ? days === 0
        ? 'there are no statements yet'
        : 'the statements hold: none was changed or removed'
      : `the statements do NOT hold from ${broken!.day} on: ${broken!.why}`,
  ];
  if (first && last)
    lines.push(
      `  ${counted(days, 'day')}, ${counted(statements, 'statement')}: number ${first.no} of ${first.day} to number ${last.no} of ${last.day}`,
    );
  if (head !== undefined)
    lines.push(found ? `  the head that you gave is in it: ${found}` : '  NO statement has the head that you gave');
  if (holds && last)
    lines.push('Keep this line elsewhere; `gatehouse statement verify --head` finds it later:', `head ${last.hash}`);
  return `${lines.join('\n')}\n`;
}

/** `3f9c 21aa …`: so that people can compare it. */
const grouped = (hash: string): string => hash.match(/.{4}/g)!.join(' ');

const headInWords = ({ hash, previous }: { readonly hash: string | null; readonly previous: string | null }): string =>
  hash === null
    ? 'the day is not over: this is how it stands now, and it has no hash yet\n'
    : `head     ${grouped(hash)}\nprevious ${grouped(previous!)}\n`;

/** The sheet of one device. */
export function deviceInWords(
  { statement: of, ...chain }: DeviceStatementLine,
  { statement: box }: BoxStatementLine,
): string {
  const rows = [
    ['said by the device', of.said, saidInWords(of)],
    ['on the disk', of.box, storedInWords(of, box.timezone)],
    ['refused', of.refused, of.refused_messages ? `in ${counted(of.refused_messages, 'message')}` : ''],
    ...(of.missing > 0 ? ([['never came', of.missing, 'numbers missing']] as const) : []),
    ...(of.cloud === null ? [] : ([['confirmed by the cloud', of.cloud, `parked: ${number(of.parked)}`]] as const)),
  ] as const;
  const lines = rows.map(([name, count, more]) =>
    ` ${name.padEnd(22)} ${number(count).padStart(7)}   ${more}`.trimEnd(),
  );
  const repeated = (of.repeated ?? []).map(([seq, first]) => `  record ${seq} repeats ${first}\n`).join('');
  return [
    `STATEMENT  device ${of.device}   No. ${of.no}   ${of.day} (${box.timezone})`,
    `${of.cloud === null ? 'no cloud' : `brought forward: ${number(of.brought)} waiting`}   clock ${clockInWords(of)}`,
    ...lines,
    of.cloud === null ? '' : `carried forward: ${number(of.waiting)} waiting`,
    ...(of.lost ? [`${number(of.lost)} of those brought forward are no longer in the journal`] : []),
    `${headInWords(chain)}made ${moment(box.made_at, box.timezone)}`,
    ...(repeated ? [`repeats:\n${repeated.trimEnd()}`] : []),
    '',
  ]
    .filter((line, index, all) => line !== '' || index === all.length - 1)
    .join('\n');
}

type DeviceStatement = DeviceStatementLine['statement'];

function saidInWords({ said_by, numbers, repeats }: DeviceStatement): string {
  const again = repeats > 0 ? `, repeats: ${number(repeats)}` : '';
  if (!numbers && said_by === 'its numbers') return '';
  if (!numbers) return `records in the messages that arrived; it does not number them${again}`;
  const gaps = numbers.gaps.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(', ');
  const restarted = numbers.restarted ? ', began again' : '';
  const earlier = numbers.earlier > 0 ? `, ${counted(numbers.earlier, 'earlier number')}` : '';
  return `numbers ${numbers.from}–${numbers.to}, gaps: ${gaps || 'none'}${again}${restarted}${earlier}`;
}

function storedInWords({ first, last, late, late_most_s, earlier_days }: DeviceStatement, timeZone: string): string {
  if (first === null || last === null) return '';
  const parts = [`first ${moment(first * 1000, timeZone)}, last ${moment(last * 1000, timeZone)}`];
  if (late > 0) parts.push(`${number(late)} arrived over 60 s late (most ${span((late_most_s ?? 0) * 1000)})`);
  const earlier = Object.entries(earlier_days ?? {}).map(([day, count]) => `${count} for ${day}`);
  if (earlier.length > 0) parts.push(`arrived for earlier days: ${earlier.join(', ')}`);
  return parts.join('; ');
}

const clockInWords = ({ clock }: DeviceStatement): string =>
  clockText('en', { state: clock.state, offset: clock.offset_s, within: clock.within_s });

/** All devices of a day, one a line. */
function dayInWords({ statement: of, ...chain }: BoxStatementLine, devices: readonly DeviceStatementLine[]): string {
  const cloud = (count: number | null) => (count === null ? '-' : number(count));
  const rows = [...devices.map(({ statement }) => statement), { ...of, device: 'all' }].map(one => [
    one.device,
    number(one.said),
    number(one.box),
    number(one.refused),
    number(one.missing),
    number(one.repeats),
    number(one.brought),
    cloud(one.cloud),
    number(one.parked),
    number(one.waiting),
  ]);
  const head = ['device', 'said', 'box', 'refused', 'missing', 'repeats', 'brought', 'cloud', 'parked', 'waiting'];
  const lost = [
    ...(of.dropped > 0 ? [`${counted(of.dropped, 'record')} of the day were no longer in the journal`] : []),
    ...(of.damaged > 0 ? [`${counted(of.damaged, 'segment')} could not be read`] : []),
  ];
  return `STATEMENT  No. ${of.no}   ${of.day} (${of.timezone})\n${table(head, rows)}${lost.map(line => `${line}\n`).join('')}${headInWords({ hash: devices.at(-1)?.hash ?? chain.hash, previous: chain.previous })}made ${moment(of.made_at, of.timezone)}\n`;
}
