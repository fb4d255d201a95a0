import { z } from '@hono/zod-openapi';
import type { Attendance, AttendanceStatus } from '../attendance/index.ts';
import { maskedMobile } from '../platform/masked-mobile.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import type {
  DeviceReads,
  DirectoryStore,
  MirrorReads,
  MirrorWrites,
  OrganizationReads,
  OrganizationWrites,
  PeopleReads,
  ReadPart,
  UncertainMatch,
} from '../store/index.ts';
import { described } from '../words/described.ts';
import { attendanceReport, mirrorReport } from './attendance-shapes.ts';
import { clockReport } from './clock.ts';
import { erasuresUnderWay } from './erasures.ts';
import type { Role } from './guard.ts';
import { deleteMissingBody, missingReport } from './missing-at-cloud.ts';
import { byCommand, operation, type Report, type Running, resource } from './operation.ts';
import { found, refusedCallOf, rowId } from './shapes.ts';
import type { Writing } from './writing.ts';

const shownMax = 50;

export type MirrorReport = Report<typeof mirrorReport>;
/** How the organization and its records stand. */
export type AttendanceReport = Report<typeof attendanceReport>;

const attendanceOperations = {
  report: operation({
    method: 'get',
    path: '/attendance',
    role: 'viewer',
    summary: described(
      'The organization, who is unknown, wrong clocks, what the cloud has yet to hear or refused, conflicts',
      '组织架构的状态：未登记的人员、错误的时钟、等待云平台或被其拒绝的更改、冲突',
    ),
    returns: described('The report', '报告'),
    answer: attendanceReport,
  }),
  sync: operation({
    method: 'post',
    path: '/attendance/sync',
    role: 'staff',
    audited: described('fetched the organization', '同步组织架构'),
    summary: described('Fetches the organization from the cloud now', '立即从云平台同步组织架构'),
    returns: described('How it went; null where the box is the authority', '结果；由网关维护组织时为 null'),
    answer: z.object({ mirror: mirrorReport.nullable() }),
  }),
  deleteMissing: operation({
    method: 'post',
    path: '/attendance/missing/delete',
    role: 'staff',
    audited: described('deleted who is missing at the cloud', '删除云平台上已没有的人员和部门'),
    summary: described(
      'Deletes now all people and departments that the cloud lists no more, with their check-ins',
      '立即删除云平台上已没有的人员和部门，连同其打卡记录',
    ),
    body: deleteMissingBody,
    returns: described(
      'How many were deleted; null: another number is missing by now, and nothing was deleted',
      '删除的数量；null：当前数量已不同，没有删除',
    ),
    answer: z.object({ deleted: z.number().nullable() }),
  }),
  settleRefused: operation({
    method: 'post',
    path: '/attendance/refused-writes/{id}/{what}',
    role: 'staff',
    audited: described('resolved a change that the cloud refused', '处理被云平台拒绝的更改'),
    summary: described(
      'Passes a refused write on once more, or takes it off the list',
      '重新提交被拒绝的更改，或将其从列表中移除',
    ),
    params: z.object({ id: rowId, what: z.enum(['again', 'dismiss']) }),
    returns: described('Whether there was such a write', '是否有这样的更改'),
    answer: found,
  }),
  dismissConflict: operation({
    method: 'post',
    path: '/attendance/conflicts/{id}/dismiss',
    role: 'staff',
    audited: described('dismissed a conflict with the cloud', '忽略与云平台的冲突'),
    summary: described('Takes a conflict off the list', '从列表中移除一个冲突'),
    params: z.object({ id: rowId }),
    returns: described('Whether there was such a conflict', '是否有这样的冲突'),
    answer: found,
  }),
  dismissUncertain: operation({
    method: 'post',
    path: '/attendance/uncertain-matches/{id}/dismiss',
    role: 'staff',
    audited: described('dismissed a pair that may be one record', '忽略可能重复的记录'),
    summary: described('Takes a pair of records that may be the same off the list', '从列表中移除一对可能重复的记录'),
    params: z.object({ id: rowId }),
    returns: described('Whether there was such a pair', '是否有这样的一对'),
    answer: found,
  }),
};

interface AttendanceParts {
  readonly store: ReadPart<OrganizationReads & MirrorReads & DeviceReads & PeopleReads> & DirectoryStore;
  readonly writing: Writing<OrganizationWrites & MirrorWrites>;
  readonly clock: Clock;
}

/** Of a running box, or with `attendance` null of a stopped one, which cannot fetch anything. */
const attendanceAdmin = (
  { store, writing, clock }: AttendanceParts,
  attendance: Attendance | null,
): Running<typeof attendanceOperations> => ({
  async report(_ = {}, call = byCommand) {
    const report = await attendanceReportOf(store, attendance?.status() ?? null, clock.now());
    return { ...report, conflicts: conflictsFor(call.caller.role, report.conflicts) };
  },
  async sync() {
    if (!attendance) throw new Error('the box does not run: the organization is fetched when it does');
    return { mirror: await attendance.syncNow() };
  },
  async deleteMissing({ total }) {
    if (!attendance) throw new Error('the box does not run: start it, so that it asks the cloud once more before');
    return { deleted: await attendance.deleteMissing(total) };
  },
  async settleRefused({ id, what }) {
    const again = what === 'again';
    const isThere = await writing(write => write.dismissOrganizationWrite({ id, again, at: clock.now() }));
    if (isThere && again) void attendance?.syncNow();
    return { found: isThere };
  },
  dismissConflict: async ({ id }) => ({ found: await writing(write => write.dismissConflict({ id })) }),
  dismissUncertain: async ({ id }) => ({ found: await writing(write => write.dismissUncertainMatch({ id })) }),
});

/**
 * How the organization and its records stand, of a running box or of the store of a stopped one.
 */
export async function attendanceReportOf(
  { read, directory }: ReadPart<OrganizationReads & MirrorReads & DeviceReads & PeopleReads> & DirectoryStore,
  running: AttendanceStatus | null,
  now: UnixMs,
): Promise<AttendanceReport> {
  const one = { limit: 1, offset: 0 };
  const [people, departments, since, unresolved, seen, waiting, refused, conflicts, uncertainMatches, missingNow] =
    await Promise.all([
      read.employees(one),
      read.departments(one),
      read.checkInsSince(),
      read.unresolvedPeople(shownMax),
      read.lastSeen(),
      read.organizationWrites({ refused: false, limit: 1 }),
      read.organizationWrites({ refused: true, limit: shownMax }),
      read.conflicts(shownMax),
      read.uncertainMatches(shownMax),
      read.missingAtCloud(shownMax),
    ]);
  const wrongClocks = [...directory.devices()].flatMap(({ deviceNo, deviceId }) => {
    const report = clockReport(seen.get(deviceNo));
    return report.wrong ? [{ device_id: deviceId, clock: report }] : [];
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
        ...{ id, at, subject, path, caller, code, reason },
      })),
    },
    conflicts: conflicts.rows.map(({ id, at, subject, cloudSide, boxSide }) => ({
      id,
      at,
      subject,
      cloud: cloudSide,
      box: boxSide,
    })),
    uncertain_matches: {
      total: uncertainMatches.total,
      rows: uncertainMatches.rows.map(({ extId, site, cloud, ...row }) => ({
        ...row,
        ext_id: extId,
        site: sideOf(site),
        cloud: sideOf(cloud),
      })),
    },
    missing: missingReport(missingNow),
    erasures: await erasuresUnderWay(read, now),
    refused_calls: (running?.refusedCalls ?? []).map(one => ({ ...refusedCallOf(one), app_key: one.caller })),
  };
}

const sideOf = ({ checkType, ...side }: UncertainMatch['site']) => ({ ...side, check_type: checkType });

type Conflict = AttendanceReport['conflicts'][number];

/** A viewer sees mobile numbers masked. */
const conflictsFor = (role: Role, all: AttendanceReport['conflicts']) => (role === 'viewer' ? all.map(masked) : all);

const masked = ({ cloud, box, ...conflict }: Conflict): Conflict => ({
  ...conflict,
  cloud: cloud && withMaskedMobile(cloud),
  box: withMaskedMobile(box),
});

const withMaskedMobile = (side: Conflict['box']): Conflict['box'] =>
  typeof side.mobile === 'string' ? { ...side, mobile: maskedMobile(side.mobile) } : side;

export const attendanceResource = resource(
  attendanceOperations,
  ({ attendance, ...parts }: AttendanceParts & { readonly attendance: Attendance }) =>
    attendanceAdmin(parts, attendance),
  (parts: AttendanceParts) => attendanceAdmin(parts, null),
);
