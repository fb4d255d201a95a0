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
import { clockReport, clockShape } from './clock.ts';
import { erasure, erasuresUnderWay } from './erasures.ts';
import type { Role } from './guard.ts';
import { deleteMissingBody, missingAtCloud, missingReport } from './missing-at-cloud.ts';
import { byCommand, operation, type Report, type Running, resource } from './operation.ts';
import { found, refusedCallShape, rowId } from './shapes.ts';
import type { Writing } from './writing.ts';

const shownMax = 50;

/** How fresh the copy of the cloud's organization and records is, and why it is no fresher. */
export const mirrorReport = z.object({
  state: z.enum(['never', 'up', 'down', 'refused']).describe('never: nothing fetched since the start'),
  why: z.string(),
  mirrored_at: z.number().nullable(),
  next_try_at: z.number().nullable(),
  hidden: z
    .number()
    .describe('People and departments that the lists of the cloud lack; deleted after 24 hours of whole lists'),
  held: z.number().describe('Missing there, so many at once that they are kept until staff deletes them'),
  incomplete: z.string().describe('Which list of the cloud last came in part, and how; empty: all were whole'),
  checkins_at: z.number().nullable().describe("When the end of the cloud's check-ins was reached last"),
  access_at: z.number().nullable().describe("When the end of the cloud's access records was reached last"),
  features_at: z.number().nullable().describe("When everybody's features were fetched last"),
  records_why: z.string().describe('Why the cloud gives no records, though it gives the organization; else empty'),
});
const matchSide = z.object({
  id: z.number().describe('As callers of the attendance API see it'),
  time: z.number().describe('Seconds since 1970'),
  place: z.string().describe('The terminal or the door'),
  check_type: z.string(),
});
const uncertain = z
  .object({
    total: z.number(),
    rows: z.array(
      z.object({
        id: z.number(),
        at: z.number(),
        kind: z.enum(['checkin', 'access']),
        ext_id: z.string(),
        name: z.string(),
        site: matchSide,
        cloud: matchSide,
      }),
    ),
  })
  .describe('A record of the site and one of the cloud that may be the same; callers were given both');
const fields = z.record(z.string(), z.unknown());

export const attendanceReport = z.object({
  authority: z.enum(['cloud', 'box']).nullable().describe('Null on a stopped box'),
  people: z.number(),
  departments: z.number(),
  initialized_at: z
    .number()
    .nullable()
    .describe('From when on check-ins are handed out; null before `checkin_query_init`'),
  unresolved: z
    .object({
      records: z.number(),
      people: z.array(
        z.object({
          ext_id: z.string(),
          employee_num: z.string(),
          records: z.number(),
          ambiguous: z.boolean(),
          last_at: z.number(),
        }),
      ),
    })
    .describe('Check-ins of people whom the organization does not know'),
  wrong_clocks: z
    .array(z.object({ device_id: z.string(), clock: clockShape }))
    .describe('Terminals whose clock is off by more than a minute'),
  mirror: mirrorReport.nullable(),
  writes: z.object({
    waiting: z.number(),
    refused: z.array(
      z.object({
        id: z.number(),
        at: z.number(),
        subject: z.string(),
        path: z.string(),
        caller: z.string(),
        code: z.number().nullable(),
        reason: z.string().nullable(),
      }),
    ),
  }),
  conflicts: z.array(
    z.object({ id: z.number(), at: z.number(), subject: z.string(), cloud: fields.nullable(), box: fields }),
  ),
  uncertain_matches: uncertain,
  missing: missingAtCloud,
  erasures: z.array(erasure),
  refused_calls: z
    .array(z.object({ ...refusedCallShape, app_key: z.string(), code: z.string() }))
    .describe('The last calls of the attendance API that were refused, newest first'),
});
export type MirrorReport = Report<typeof mirrorReport>;
/** How the organization and its records stand. */
export type AttendanceReport = Report<typeof attendanceReport>;

const attendanceOperations = {
  report: operation({
    method: 'get',
    path: '/attendance',
    role: 'viewer',
    summary: 'The organization, who is unknown, wrong clocks, what the cloud has yet to hear or refused, conflicts',
    returns: 'The report',
    answer: attendanceReport,
  }),
  sync: operation({
    method: 'post',
    path: '/attendance/sync',
    role: 'staff',
    summary: 'Fetches the organization from the cloud now',
    returns: 'How it went; null where the box is the authority',
    answer: z.object({ mirror: mirrorReport.nullable() }),
  }),
  deleteMissing: operation({
    method: 'post',
    path: '/attendance/missing/delete',
    role: 'staff',
    summary: 'Deletes now all people and departments that the cloud lists no more, with their check-ins',
    body: deleteMissingBody,
    returns: 'How many were deleted; null: another number is missing by now, and nothing was deleted',
    answer: z.object({ deleted: z.number().nullable() }),
  }),
  settleRefused: operation({
    method: 'post',
    path: '/attendance/refused-writes/{id}/{what}',
    role: 'staff',
    summary: 'Passes a refused write on once more, or takes it off the list',
    params: z.object({ id: rowId, what: z.enum(['again', 'dismiss']) }),
    returns: 'Whether there was such a write',
    answer: found,
  }),
  dismissConflict: operation({
    method: 'post',
    path: '/attendance/conflicts/{id}/dismiss',
    role: 'staff',
    summary: 'Takes a conflict off the list',
    params: z.object({ id: rowId }),
    returns: 'Whether there was such a conflict',
    answer: found,
  }),
  dismissUncertain: operation({
    method: 'post',
    path: '/attendance/uncertain-matches/{id}/dismiss',
    role: 'staff',
    summary: 'Takes a pair of records that may be the same off the list',
    params: z.object({ id: rowId }),
    returns: 'Whether there was such a pair',
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
    refused_calls: running?.refusedCalls ?? [],
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
