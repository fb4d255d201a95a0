import type { AttendanceReport } from '../admin/index.ts';
import { clockText } from '../platform/clock-text.ts';
import { realClock } from '../runtime/real-world.ts';
import { CommandFailed, flag, type Run } from './command.ts';
import { findBox } from './find-box.ts';
import { mirrorInWords } from './mirror-in-words.ts';
import { onOneLine } from './printable.ts';
import { zoneOf } from './site-zone.ts';
import { ago, moment } from './wording.ts';

/**
 * `attendance status`: what is odd about the organization and its records, and what to do about it.
 */
export const attendanceStatus: Run = async call => {
  await using box = await findBox(call);
  const report = await box.get('/attendance');
  if (flag(call, 'json')) return call.print(`${JSON.stringify(report, null, 2)}\n`);
  await call.print(
    `${linesOf(report, realClock.now(), await zoneOf(box))
      .map(onOneLine)
      .join('\n')}\n`,
  );
};

/** `attendance sync`: fetches the organization from the cloud now. */
export const attendanceSync: Run = async call => {
  await using box = await findBox(call);
  const { mirror } = await box.post('/attendance/sync');
  if (!mirror)
    throw new CommandFailed('this box is the authority of its organization: there is no cloud to fetch it from');
  if (mirror.state !== 'up') throw new CommandFailed(`the organization could not be fetched: ${mirror.why}`);
  await call.print('the organization is what the cloud says\n');
};

/** `attendance refused again|dismiss ID`. */
export const attendanceRefused: Run = async call => {
  const [what, id] = call.arguments as ['again' | 'dismiss', string];
  await using box = await findBox(call);
  if (!(await box.post('/attendance/refused-writes/{id}/{what}', { id: Number(id), what })).found)
    throw new CommandFailed(`${id}: no such refused change: \`gatehouse attendance status\` lists them`);
  await call.print(what === 'again' ? 'it is passed on once more\n' : 'it is off the list\n');
};

/** `attendance conflict dismiss ID`. */
export const attendanceConflict: Run = async call => {
  const [, id] = call.arguments as ['dismiss', string];
  await using box = await findBox(call);
  if (!(await box.post('/attendance/conflicts/{id}/dismiss', { id: Number(id) })).found)
    throw new CommandFailed(`${id}: no such conflict: \`gatehouse attendance status\` lists them`);
  await call.print('it is off the list\n');
};

function linesOf(report: AttendanceReport, now: number, timeZone: string): string[] {
  const { unresolved, mirror, writes, conflicts, uncertain_matches: uncertain } = report;
  return [
    `organization  ${report.people} people in ${report.departments} departments; ${authority(report)}`,
    `check-ins     ${report.initialized_at === null ? 'not handed out yet: a caller has to send checkin_query_init once' : `handed out since ${moment(report.initialized_at, timeZone)}`}`,
    ...(mirror ? [`cloud         ${mirrorInWords(mirror, now)}`] : []),
    ...(writes.waiting > 0 ? [`waiting       ${writes.waiting} changes that the cloud has yet to hear`] : []),
    ...writes.refused.map(
      one => `refused       #${one.id} ${one.subject} by ${one.caller}: the cloud answered ${one.code}: ${one.reason}`,
    ),
    ...conflicts.map(
      one =>
        `conflict      #${one.id} ${one.subject}: the cloud had ${JSON.stringify(one.cloud)}, the box ${JSON.stringify(one.box)}`,
    ),
    ...(uncertain.total > 0
      ? [
          `uncertain     ${uncertain.total} pairs of records that may be the same, one of the site and one of the cloud: callers were given both; the page Sync lists them`,
        ]
      : []),
    ...report.erasures.map(
      one =>
        `erasing       ${one.ext_id}, deleted ${ago(one.erased_at, now)}: ${one.held_records} records of the journal hold features or photos; ${
          one.done_by === null
            ? 'the cloud has yet to have them, within a day after that they are gone'
            : `gone by ${moment(one.done_by, timeZone)}`
        }`,
    ),
    ...(unresolved.records > 0
      ? [
          `unknown       ${unresolved.records} check-ins of people who are not in the organization: add them, and the check-ins follow`,
        ]
      : []),
    ...unresolved.people.map(one => {
      const who = one.ext_id === '' ? `employee number ${one.employee_num}` : one.ext_id;
      return `              ${who}: ${one.records}, last ${ago(one.last_at, now)}${one.ambiguous ? '; several people have this number' : ''}`;
    }),
    ...report.wrong_clocks.map(
      one =>
        `clock         ${one.device_id}: ${clockText('en', { state: one.clock.state, offset: one.clock.offset_s, within: one.clock.within_s })}; its records are marked, not changed: set its clock`,
    ),
    ...report.refused_calls.map(
      one =>
        `call refused  ${one.path} by ${one.app_key || 'nobody'} from ${one.address}, ${one.count} times, last ${ago(one.at, now)}: ${one.message}`,
    ),
  ];
}

const authority = ({ authority: who }: AttendanceReport): string =>
  who === null ? 'the box does not run' : who === 'cloud' ? 'the cloud is the authority' : 'the box is the authority';
