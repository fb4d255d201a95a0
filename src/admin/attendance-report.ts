import type { AttendanceStatus } from '../attendance/index.ts';
import { attendanceLimits } from '../platform/attendance.ts';
import { maskedMobile } from '../platform/masked-mobile.ts';
import type { UnixMs } from '../runtime/clock.ts';
import type { StoppedStore } from '../store/index.ts';
import { erasuresUnderWay } from './erasures.ts';
import type { Role } from './guard.ts';
import type { AttendanceReport } from './port.ts';

const shownMax = 50;

/**
 * How the organization and its records stand, of a running box or of the store of a stopped one.
 */
export async function attendanceReportOf(
  { read, directory }: Pick<StoppedStore, 'read' | 'directory'>,
  running: AttendanceStatus | null,
  now: UnixMs,
): Promise<AttendanceReport> {
  const one = { limit: 1, offset: 0 };
  const [people, departments, since, unresolved, seen, waiting, refused, conflicts] = await Promise.all([
    read.employees(one),
    read.departments(one),
    read.checkInsSince(),
    read.unresolvedPeople(shownMax),
    read.lastSeen(),
    read.organizationWrites({ refused: false, limit: 1 }),
    read.organizationWrites({ refused: true, limit: shownMax }),
    read.conflicts(shownMax),
  ]);
  const wrongClocks = [...directory.devices()].flatMap(({ deviceNo, deviceId }) => {
    const skew = seen.get(deviceNo)?.clockSkewSeconds ?? 0;
    return Math.abs(skew) > attendanceLimits.clockSkewSecondsMax ? [{ device_id: deviceId, clock_skew_s: skew }] : [];
  });
  return {
    authority: running?.authority ?? null,
    people: people.total,
    departments: departments.total,
    initialized_at: since?.at ?? null,
    unresolved: {
      records: unresolved.records,
      people: unresolved.people.map(({ extId, employeeNum, records, ambiguous, lastAt }) => ({
        ext_id: extId,
        employee_num: employeeNum,
        records,
        ambiguous,
        last_at: lastAt,
      })),
    },
    wrong_clocks: wrongClocks.slice(0, shownMax),
    mirror: running?.mirror ?? null,
    writes: {
      waiting: waiting.total,
      refused: refused.rows.map(({ id, at, subject, path, caller, code, reason }) => ({
        id,
        at,
        subject,
        path,
        caller,
        code,
        reason,
      })),
    },
    conflicts: conflicts.rows.map(({ id, at, subject, cloudSide, boxSide }) => ({
      id,
      at,
      subject,
      cloud: cloudSide,
      box: boxSide,
    })),
    erasures: await erasuresUnderWay(read, now),
    refused_calls: running?.refusedCalls ?? [],
  };
}

type Conflict = AttendanceReport['conflicts'][number];

/** A viewer sees mobile numbers masked. */
export const conflictsFor = (role: Role, conflicts: AttendanceReport['conflicts']): AttendanceReport['conflicts'] =>
  role === 'viewer' ? conflicts.map(masked) : conflicts;

const masked = ({ cloud, box, ...conflict }: Conflict): Conflict => ({
  ...conflict,
  cloud: cloud && withMaskedMobile(cloud),
  box: withMaskedMobile(box),
});

const withMaskedMobile = (side: Conflict['box']): Conflict['box'] =>
  typeof side.mobile === 'string' ? { ...side, mobile: maskedMobile(side.mobile) } : side;
