import type { UnixMs } from '../../runtime/clock.ts';
import { wallTime } from '../../runtime/wall-time.ts';
import type { DeviceNo, FoundReportRow, OrganizationReads, PeopleReads } from '../../store/index.ts';
import { isIn } from '../schedules/by-department.ts';
import { DepartmentsOfPeople } from '../schedules/departments-by-date.ts';

/** Records of a report for people. */
export interface RecordsAsked {
  readonly what: 'checkins' | 'access';
  /** Inclusive, by check time. */
  readonly from?: UnixMs | undefined;
  /** Exclusive. */
  readonly to?: UnixMs | undefined;
  /** External ids. */
  readonly department?: string | undefined;
  readonly person?: string | undefined;
  readonly deviceNos?: ReadonlySet<DeviceNo>;
}

const pageRows = 500;
/** Of the year 9999, after which no record is taken. */
const lastDay = Date.UTC(9999, 11, 31) / 1000;

/** In the order of check time, page by page. Each row names the department of its date. */
export async function* recordPages(
  read: Pick<OrganizationReads, 'checkInReport' | 'accessReport'> &
    Pick<PeopleReads, 'departmentsByDate' | 'formerDepartments'>,
  { what, from, to, department, person, deviceNos }: RecordsAsked,
  { timeZone, signal }: { readonly timeZone: string; readonly signal?: AbortSignal | undefined },
): AsyncGenerator<readonly FoundReportRow[]> {
  const { dateOf } = wallTime(timeZone);
  const dateOfBound = (ms: number) => dateOf(Math.min(Math.max(Math.floor(ms / 1000), 0), lastDay));
  const first = dateOfBound(from ?? 0);
  const departments = await DepartmentsOfPeople.since(first, read);
  const query = {
    from: from === undefined ? undefined : Math.ceil(from / 1000),
    to: to === undefined ? undefined : Math.ceil(to / 1000),
    stoodIn: departments.stoodIn(department, first, dateOfBound(to ?? lastDay * 1000)),
    extId: person,
    ...(deviceNos && { deviceNos }),
    people: new Map(),
    limit: pageRows,
  };
  let after: { time: number; place: number } | undefined;
  for (;;) {
    const found = await (what === 'checkins'
      ? read.checkInReport({ ...query, after })
      : read.accessReport({ ...query, after }));
    const placesOf = await departments.of(found.flatMap(({ stands }) => stands ?? []));
    const rows: FoundReportRow[] = [];
    for (const row of found) {
      const place = row.stands && placesOf(row.stands, dateOf(row.checkTime))[0]!;
      if (place && !isIn(place, department)) continue;
      // Copied only where a transfer lies between.
      rows.push(!place || place.department === row.department ? row : { ...row, department: place.department });
    }
    yield rows;
    const last = found.at(-1);
    if (!last || found.length < pageRows || signal?.aborted) return;
    after = { time: last.checkTime, place: last.place };
  }
}
