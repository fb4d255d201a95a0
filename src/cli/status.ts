import type { BoxStatus, DeviceReport, LedgerReport, LineReport, RefusalReport, WearReport } from '../admin/index.ts';
import { alertWords, standingTitle } from '../platform/alert-words.ts';
import type { AlertDetails } from '../platform/alerts.ts';
import { isBeforeLogin } from '../platform/refusals.ts';
import { realClock } from '../runtime/real-world.ts';
import { shortTime } from '../runtime/short-time.ts';
import { type Call, flag, numberOption, type Run, textOption } from './command.ts';
import { findBox, findBoxIfAny } from './find-box.ts';
import { mirrorInWords } from './mirror-in-words.ts';
import { onOneLine } from './printable.ts';
import { zoneOf } from './site-zone.ts';
import { ago, bytes, counted, moment, number, span, table } from './wording.ts';

/** `status [--json] [--device ID] [--check]`: the first thing an installer asks. */
export const status: Run = async call => {
  if (flag(call, 'check')) return check(call);
  await using box = await findBox(call);
  const now = realClock.now();
  const device = textOption(call, 'device');
  if (device !== undefined) {
    const report = await box.get('/devices/{id}', { id: device, limit: numberOption(call, 'limit', 20, 1, 1000) });
    await call.print(
      flag(call, 'json') ? `${JSON.stringify(report, null, 2)}\n` : deviceInWords(report, now, await zoneOf(box)),
    );
    return report.known || report.refusals.length > 0 ? 0 : 1;
  }
  const report = await box.get('/status');
  await call.print(flag(call, 'json') ? `${JSON.stringify(report, null, 2)}\n` : statusInWords(report, now));
};

/**
 * One line for a supervisor that starts a program to learn whether the box is well. It is not while
 * nothing is acknowledged, though a restart would not help then (docs/decisions/container.md).
 */
async function check(call: Call): Promise<number> {
  await using box = await findBoxIfAny(call);
  const report = box && (await box.get('/status'));
  const { state, why } = report?.running ? report.disk : { state: 'stopped', why: 'the box does not run' };
  await call.print(state === 'ok' ? 'well\n' : `unwell: ${onOneLine(why)}\n`);
  return state === 'ok' ? 0 : 1;
}

export function statusInWords(report: BoxStatus, now: number): string {
  const { devices, disk, timezone } = report;
  const lines = [
    ['box', report.running ? `running, version ${report.version}` : 'not running; this is what its store tells'],
    ...standingInWords(report.standing, now, timezone).map(words => ['todo', words]),
    ['line', lineInWords(report, now)],
    ['waiting', outboxInWords(report, now)],
    ...(report.mirror ? [['copy', mirrorInWords(report.mirror, now)]] : []),
    ...(report.outbox.parked > 0
      ? [['parked', `${counted(report.outbox.parked, 'record')} refused by the cloud: see gatehouse parked list`]]
      : []),
    [
      'devices',
      report.running
        ? `${number(devices.known)} known, ${number(devices.online)} online, ${number(devices.refused)} refused${devices.held_back > 0 ? `, ${number(devices.held_back)} held back by the disk` : ''}`
        : `${number(devices.known)} known, ${number(devices.refused)} refused in the last day`,
    ],
    ...(devices.people_data_waits > 0
      ? [
          [
            'people',
            `${counted(devices.people_data_waits, 'device')} ${devices.people_data_waits === 1 ? 'waits' : 'wait'} for approval to receive people's data: see the page Devices`,
          ],
        ]
      : []),
    ...devices.unreadable.slice(0, unreadableShown).map(one => ['unread', unreadInWords(one, now, timezone)]),
    ['disk', diskInWords(disk)],
    ...(disk.unreadable ? [['disk', unreadableInWords(disk.unreadable, timezone)]] : []),
    ...(disk.unwritable ? [['disk', unwritable]] : []),
    ...(report.statement
      ? [['stated', `through ${report.statement.day}, number ${report.statement.no}, head ${report.statement.hash}`]]
      : []),
    ['backup', backupInWords(report.backup, now, timezone)],
    ...(report.backup?.failures ?? []).map(words => ['backup', `FAILED: ${words}`]),
    ...(report.wear ? [['card', wearInWords(report.wear, timezone)]] : []),
    ...tablesInWords(report).map(words => ['tables', words]),
    ...report.database.map(({ reason }) => ['database', reason]),
    ...report.warnings.map(({ reason }) => ['look', reason]),
    ['times', `those of the site: ${timezone}`],
  ];
  const text = lines.map(([name, value]) => `${name!.padEnd(8)} ${onOneLine(value!)}\n`).join('');
  return report.refusals.length === 0 ? text : `${text}\nlast refused:\n${refusalsInWords(report.refusals, now)}`;
}

/** Entries of what wants a person, the worst first; nothing of a stopped box. */
function standingInWords(standing: BoxStatus['standing'], now: number, timeZone: string): string[] {
  if (standing === null) return [];
  if (standing.length === 0) return ['nothing: all is well'];
  return standing.map(one => {
    const details = one.details as AlertDetails;
    const since =
      one.since === null ? '' : ` for ${span(Math.max(0, now - one.since))} (since ${moment(one.since, timeZone)})`;
    return `${standingTitle({ ...one, details }, 'en')}${since}. ${alertWords.en.kinds[one.kind].todo(details)}`;
  });
}

export function lineInWords({ line, running, timezone }: BoxStatus, now: number): string {
  if (!running && line.state !== 'none') return 'not known while the box is stopped';
  if (line.state === 'none') return 'none: no cloud is configured, the box stands alone';
  return stateOfLine(line, now, timezone);
}

function backupInWords(backup: BoxStatus['backup'], now: number, timeZone: string): string {
  if (backup === null) return 'by the database server: docs/region-backups.md';
  const { last_at, verified_at, restore_tried_at, next_at } = backup;
  const last = last_at === null ? 'none was made' : `made ${ago(last_at, now)}`;
  const verified = verified_at === null ? '' : `, read back from its target and verified ${ago(verified_at, now)}`;
  const tried = restore_tried_at === null ? '' : `, restore tried ${ago(restore_tried_at, now)}`;
  return `${last}${verified}${tried}; ${next_at === null ? 'no schedule' : `next ${moment(next_at, timeZone)}`}`;
}

/** The state of the line with its time, reason and next attempt. */
function stateOfLine({ state, since, why, next_try_at }: LineReport, now: number, timeZone: string): string {
  const long = since === null ? '' : ` for ${span(Math.max(0, now - since))} (since ${moment(since, timeZone)})`;
  if (state === 'up') return `up${long}`;
  return `${state}${long}${why ? `: ${why}` : ''}${next_try_at === null ? '' : `; next try ${nextTry(next_try_at, now)}`}`;
}

const nextTry = (at: number, now: number): string => (at <= now ? 'now' : `in ${span(at - now)}`);

function outboxInWords({ outbox, line, running, timezone }: BoxStatus, now: number): string {
  if (line.state === 'none') return 'nothing: there is no cloud to send to';
  if (running && line.state === 'standby' && outbox.waiting === 0) return 'nothing, half a minute ago at most';
  if (outbox.waiting === 0) return 'nothing: the cloud has everything';
  const oldest =
    outbox.oldest_at === null
      ? ''
      : `, the oldest since ${moment(outbox.oldest_at, timezone)} (${ago(outbox.oldest_at, now)})`;
  const moves = line.state === 'up' && outbox.per_second > 0;
  const rate = moves ? `; ${number(Math.round(outbox.per_second))} a second` : '';
  const left =
    moves && outbox.catch_up_s !== null && outbox.catch_up_s > 0
      ? `, done in about ${span(outbox.catch_up_s * 1000)}`
      : '';
  return `${counted(outbox.waiting, 'record')}${oldest}${rate}${left}`;
}

function diskInWords(disk: BoxStatus['disk']): string {
  const { used_bytes, free_bytes, inodes, state, why, flush_ms, dropped, is_low } = disk;
  const lost = Object.entries(dropped).filter(([, count]) => count > 0);
  const losses =
    lost.length === 0
      ? ''
      : `; dropped for want of room: ${lost.map(([what, count]) => `${number(count)} ${what}`).join(', ')}`;
  const trouble = state === 'ok' ? '' : `; NOTHING IS ACKNOWLEDGED: ${why}`;
  const low = !is_low
    ? ''
    : inodes?.is_low
      ? `; LOW: ${number(inodes.free)} of ${number(inodes.size)} inodes are free: the disk can hold few more files. Remove files, or move to a larger disk by backup and restore`
      : '; LOW: free up space on the page "System", or move to a larger disk by backup and restore';
  const flush = flush_ms === null ? '' : `; a write is on disk after ${shortTime(flush_ms)} ms`;
  return `${bytes(used_bytes)} used, ${bytes(free_bytes)} free, ${fullInWords(disk)}${flush}${losses}${trouble}${low}`;
}

const unwritable =
  'CANNOT BE WRITTEN in places of the database file: what is acknowledged is kept in its log, which grows until the disk is full. The rest works. Make a backup now and change the card; devices need not do anything';

const unreadableShown = 5;

const unreadInWords = (
  { device_id, messages, since, last_at, why }: BoxStatus['devices']['unreadable'][number],
  now: number,
  timeZone: string,
): string =>
  `${device_id} has sent ${counted(messages, 'message')} since ${moment(since, timeZone)} that nobody can read, the last ${ago(last_at, now)}: ${why}. They are kept; gatehouse status --device ${device_id} shows their first bytes`;

type Unreadable = NonNullable<BoxStatus['disk']['unreadable']>;

function unreadableInWords({ segments, records, from, to, log_blocks, tables }: Unreadable, timeZone: string): string {
  const when = from === null || to === null ? '' : `, received ${moment(from, timeZone)} to ${moment(to, timeZone)}`;
  const lost = [
    ...(segments > 0 ? [`${counted(records, 'record')} of the journal (${counted(segments, 'place')}${when})`] : []),
    ...(log_blocks > 0 ? [`${counted(log_blocks, 'block')} of logs`] : []),
    ...(tables === '' ? [] : [`tables, so that what comes in is kept in the journal and not shown (${tables})`]),
  ];
  return `CANNOT BE READ: ${lost.join('; ')}. The rest works. Make a backup now and change the card; devices need not do anything`;
}

/** How long until the box has to drop something. */
function fullInWords({ bytes_per_day, days_left }: BoxStatus['disk']): string {
  if (bytes_per_day === null) return 'when it is full is known after a day';
  if (days_left === null) return 'not growing';
  if (days_left > 3650) return 'full in more than 10 years';
  return days_left < 1 ? 'full within a day' : `full in ${counted(days_left, 'day')}`;
}

function wearInWords(wear: WearReport, timeZone: string): string {
  const since = `since ${moment(wear.since, timeZone)}`;
  const syncs = `${wear.syncs_per_second.toFixed(1)} syncs a second`;
  if (wear.written_bytes === null) return `${syncs}; the system does not tell how much is written (${since})`;
  if (wear.bytes_per_day === null)
    return `${bytes(wear.written_bytes)} written, ${syncs} (${since}); how long a card lasts is known after an hour`;
  const record =
    wear.bytes_per_record === null
      ? 'no records yet'
      : `${bytes(wear.bytes_per_record)} a record${wear.amplification === null ? '' : ` (x ${wear.amplification})`}`;
  const life = wear.life_days === null ? '' : `: ${lifeInWords(wear.life_days)} at ${number(wear.endurance_tb)} TB`;
  return `${bytes(wear.bytes_per_day)} a day, ${record}, ${syncs} (${since})${life}`;
}

function lifeInWords(days: number): string {
  const years = Math.floor(days / 365);
  if (years > 100) return 'more than 100 years';
  return years >= 2 ? `about ${years} years` : `about ${counted(days, 'day')}`;
}

/** A moment behind is normal: only more than this is shown. */
const behindShownMs = 2000;

function tablesInWords({ running, tables }: BoxStatus): string[] {
  const { behind_records, behind_ms, held_back } = tables;
  if (behind_records === 0 || (running && behind_ms < behindShownMs && !held_back)) return [];
  const behind = `${counted(behind_records, 'record')} behind the journal`;
  if (!running) return [`${behind}: they are filled when the box starts`];
  return [`${behind}, for ${span(behind_ms)}${held_back ? '; DEVICES ARE HELD BACK until they come nearer' : ''}`];
}

export function deviceInWords(report: DeviceReport, now: number, timeZone: string): string {
  if (!report.known && report.refusals.length === 0)
    return `${report.device_id}: never seen here: no login of it was accepted or refused\n`;
  const seen = report.last_seen_at === null ? 'nothing received yet' : `last heard ${ago(report.last_seen_at, now)}`;
  const presence = report.online === null ? 'box not running' : report.online ? 'online' : 'offline';
  const head = report.known
    ? [
        [report.device_id, [report.name, presence, seen].filter(Boolean).join(', ')],
        ['logs in with', `${report.key}${report.blocked ? '; BLOCKED' : ''}`],
        ...(report.people_data === 'none' ? [] : [['people', peopleDataInWords[report.people_data]]]),
        ['waiting', counted(report.waiting, 'record')],
        ...(report.line ? [['its line', stateOfLine(report.line, now, timeZone)]] : []),
      ]
    : [[report.device_id, 'never let in']];
  const width = Math.max(...head.map(([name]) => name!.length));
  let text = head.map(([name, value]) => `${name!.padEnd(width)}  ${onOneLine(value!)}\n`).join('');
  if (report.unreadable) text += `\n${unreadableOfDevice(report.unreadable, now, timeZone)}`;
  if (report.ledger.length > 0) text += `\nits last records, newest first:\n${ledgerInWords(report.ledger, timeZone)}`;
  if (report.refusals.length > 0) text += `\nrefused:\n${refusalsInWords(report.refusals, now)}`;
  if (report.events.length > 0)
    text += `\nevents:\n${report.events.map(({ at, kind, detail }) => `  ${moment(at, timeZone)}  ${kind}${detail ? `: ${onOneLine(detail)}` : ''}\n`).join('')}`;
  return text;
}

const unreadableOfDevice = (
  { messages, since, last_at, why, first_bytes }: NonNullable<DeviceReport['unreadable']>,
  now: number,
  timeZone: string,
): string =>
  `${counted(messages, 'message')} that nobody can read since ${moment(since, timeZone)}, the last ${ago(last_at, now)}: ${why}\n${first_bytes === null ? '' : `  begins with ${onOneLine(first_bytes)}\n`}`;

const peopleDataInWords = {
  allowed: "receives people's data (confirmed)",
  waits: "waits for approval to receive people's data",
  refused: "receives no people's data (people_data: no)",
} as const;

const ledgerInWords = (rows: readonly LedgerReport[], timeZone: string): string =>
  table(
    ['  seq', 'mid', 'action', "device's time", 'received, on disk', 'state'],
    rows.map(row => [
      `  ${row.seq}`,
      row.channel === 'log' ? 'log' : row.mid || '-',
      row.action === null ? '-' : String(row.action),
      row.device_time === null ? '-' : moment(row.device_time * 1000, timeZone),
      moment(row.received_at, timeZone),
      stateInWords(row, timeZone),
    ]),
  );

function stateInWords({ state, confirmed_at, via, reason }: LedgerReport, timeZone: string): string {
  if (state === 'confirmed' && confirmed_at !== null)
    return `confirmed ${moment(confirmed_at, timeZone)}${via ? ` over ${via}` : ''}`;
  return reason ? `${state}: ${reason}` : state;
}

const refusalsInWords = (refusals: readonly RefusalReport[], now: number): string =>
  refusals
    .map(({ client_id, address, door, at, count, code, message }) => {
      const times = count > 1 ? `, ${number(count)} times` : '';
      // Before its login is read, nobody knows which device it is.
      const who = isBeforeLogin(code) ? 'a device' : client_id || '(no client id)';
      return `  ${onOneLine(who)} from ${address} by ${door}, ${ago(at, now)}${times}\n    ${onOneLine(message)}\n`;
    })
    .join('');
