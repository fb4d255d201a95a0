import type { DateText } from '../../platform/shifts.ts';
import type { Site } from '../../platform/site.ts';
import type { Clock } from '../../runtime/clock.ts';
import type {
  CorrectionReads,
  DeviceNo,
  DeviceReads,
  PeopleReads,
  PeopleScope,
  PeriodReads,
  PersonPlace,
  ReadPart,
  ScheduleReads,
} from '../../store/index.ts';
import type { CalendarKind } from './plan.ts';
import type { ScheduleRules } from './result.ts';

/** Whose results are asked for, and what they are made from. */

export interface ResultsQuery extends PeopleScope {
  /** Work dates, both inclusive. */
  readonly from: DateText;
  readonly to: DateText;
  /** One person. */
  readonly extId?: string | undefined;
  readonly after?: PersonPlace | undefined;
  /** Absent: everybody in the scope. */
  readonly limit?: number | undefined;
  /**
   * A person is in each department (and each scope) with the days there. Otherwise once, with all
   * days, in the department of the last one.
   */
  readonly byDepartment?: boolean | undefined;
  /** Computes closed months too: what they would be now. */
  readonly isLive?: boolean | undefined;
  /**
   * For whoever counts people: check-ins without the time of their receipt and the bounds of their
   * clocks, and so no flag of a wrong clock.
   */
  readonly isBrief?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads that answer what is not stored. */
export type OtherPlans = Partial<
  Pick<ScheduleReads, 'shifts' | 'rosterRules'> &
    Pick<PeopleReads, 'person' | 'departmentsByDate' | 'formerDepartments'>
>;

export interface ResultsOptions {
  readonly store: ReadPart<
    ScheduleReads &
      CorrectionReads &
      PeopleReads &
      Pick<DeviceReads, 'lastSeen'> &
      Pick<PeriodReads, 'frozenRows' | 'frozenOfOthers'>
  >;
  readonly clock: Pick<Clock, 'now'>;
  readonly site: Pick<Site, 'timezone'>;
  readonly rules: Pick<ScheduleRules, 'clock' | 'nightOvertime'>;
  isOnline(deviceNo: DeviceNo): boolean;
  /** Kinds of dates in the calendar; dates without an entry are left out. */
  calendar(dates: readonly DateText[]): Promise<ReadonlyMap<DateText, CalendarKind>>;
}
