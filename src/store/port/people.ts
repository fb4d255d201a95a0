import type { ClockBounds } from '../../platform/device-clock.ts';
import type { FormerPlace } from '../../platform/places.ts';
import type { DateText } from '../../platform/shifts.ts';
import type { UnixMs, UnixSeconds } from '../../runtime/clock.ts';
import type { AliasReads } from '../people/aliases.ts';
import type { PunchReads, Span } from '../readers/punches.ts';
import type { OfDevices } from './directory.ts';
import type { DeviceNo } from './journal.ts';

/**
 * The part of the store's port that serves the pages about people: presence, days, access. Every
 * read is a page, or bounded.
 */

/** People who stood in one of these departments (ids in the store) on dates, both inclusive. */
export interface StoodIn {
  readonly departmentIds: readonly number[];
  readonly from: DateText;
  readonly to: DateText;
}

/** A selection of people. */
export interface PeopleScope {
  /** The people who are there now, with the departments below it. */
  readonly departmentExtId?: string | undefined;
  readonly stoodIn?: StoodIn | undefined;
  /**
   * Contained in name, employee number or ext id, without case; or the beginning of the name's
   * pinyin or initials (`zhangw`, `zw`).
   */
  readonly text?: string | undefined;
  /** `text` is looked for in mobile numbers too, from five digits on. */
  readonly byMobile?: boolean | undefined;
  /** Without those whose last day is before `today`, or only them. Absent: everybody. */
  readonly employed?: { readonly which: 'now' | 'no more'; readonly today: string } | undefined;
}

/** By pinyin of the name, or by employee number; absent: by department. */
export interface PeopleSort {
  readonly by: 'name' | 'number';
  readonly down: boolean;
}

/** Where the last page ended, of people in the order of their departments. */
export interface PersonPlace {
  readonly department: number;
  readonly id: number;
}

export interface PersonRow {
  readonly place: PersonPlace;
  /** Empty: it has none yet. */
  readonly extId: string;
  readonly name: string;
  readonly mobile: string;
  readonly employeeNum: string;
  readonly title: string;
  readonly department: string;
  readonly departmentExtId: string;
  /** From when the cloud's whole lists lack the person; null: they do not. */
  readonly missingSince: UnixMs | null;
}

export interface PunchSource {
  readonly at: UnixSeconds;
  readonly deviceNo: DeviceNo;
  readonly checkType: string;
}

export interface PersonOfDay extends PersonRow {
  readonly first: PunchSource | null;
  readonly last: PunchSource | null;
  readonly count: number;
}

export interface DepartmentNode {
  /** Within this store. */
  readonly id: number;
  readonly parentId: number | null;
  readonly extId: string;
  readonly name: string;
  /** In this department, without those below it. */
  readonly people: number;
}

/** Every department, with those that were deleted and in which somebody stood. */
export interface DepartmentsByDate {
  readonly nodes: readonly Pick<DepartmentNode, 'id' | 'parentId' | 'extId' | 'name'>[];
  /** The department above one before, up to `until`, inclusive; oldest first. */
  readonly former: readonly { readonly id: number; readonly until: DateText; readonly parentId: number }[];
}

/** Facts about a person's stored features; never the features. */
export interface FeatureFacts {
  readonly featureType: string;
  readonly featureAlg: string;
  readonly storedAt: UnixMs;
  readonly deviceNo: DeviceNo | null;
  readonly values: readonly { readonly length: number; readonly isAbnormal: boolean }[];
  /** The sealed bytes cannot be decrypted. */
  readonly damaged: boolean;
}

export interface AccessPlace {
  readonly at: UnixSeconds;
  readonly id: number;
}

export interface AccessEvent {
  readonly id: number;
  readonly at: UnixSeconds;
  readonly receivedAt: UnixMs;
  readonly deviceNo: DeviceNo;
  /** Empty when the device named none. */
  readonly doorId: string;
  /** The person's, if the organization knows the person; else as the device sent it. */
  readonly extId: string;
  readonly name: string;
  /** Of today, as `stands` is. */
  readonly department: string;
  /** The person where the organization knows one. */
  readonly stands: PersonPlace | null;
  readonly checkType: string;
  readonly result: number;
  /** Bounds of its terminal's clock when it came in; null if unknown. */
  readonly clock: ClockBounds | null;
  readonly photo: boolean;
}

export interface ErasureWrites {
  /**
   * One step of removing the features and pictures of erased people from the journal: takes a few
   * milliseconds, and is repeated while there is more. Records that the cloud has not had yet stay
   * complete.
   */
  eraseStep(input: { now: UnixMs }): EraseReport;
}

export interface EraseReport {
  /** The segments that were rewritten, by their first seq. */
  readonly rewritten: readonly number[];
  readonly more: boolean;
}

/** A person who was erased. Shown for 30 days after the erasure is complete. */
export interface ErasureRow {
  readonly extId: string;
  readonly at: UnixMs;
  /** When the last copy was gone from the journal; null: not yet. */
  readonly doneAt: UnixMs | null;
  /** How many records of the journal still hold features or pictures of the person. */
  readonly held: number;
  /** Some of them wait for the cloud; never on a box that stands alone. */
  readonly waitsForCloud: boolean;
}

/**
 * True: only those who had come in by the end of the span. On a day that is over nobody else is
 * missed: they had not joined yet, as far as the box can tell.
 */
interface CameByThen {
  readonly cameByThen?: boolean;
}

export interface PeopleReads extends AliasReads, PunchReads {
  /** Those under way first, then the newest. */
  erasures(limit: number): Promise<ErasureRow[]>;
  /**
   * How many people the scope has, how many of them have a check-in in the span, and how many
   * check-ins belong to unknown people. Of some devices: check-ins at those.
   */
  dayCounts(
    span: Span & PeopleScope & CameByThen & OfDevices,
  ): Promise<{ people: number; here: number; unknown: number }>;
  /** By department; those with a check-in in the span, or those without. */
  dayPeople(
    query: Span &
      PeopleScope &
      CameByThen &
      OfDevices & { here: boolean; after?: PersonPlace | undefined; limit: number },
  ): Promise<PersonOfDay[]>;
  /**
   * By department, or sorted otherwise: then only the id of `after` counts, and nobody follows it
   * if that person is gone. `upToId`: nobody who was added later.
   */
  people(
    query: PeopleScope & {
      sort?: PeopleSort | undefined;
      after?: PersonPlace | undefined;
      upToId?: number | undefined;
      limit: number;
    },
  ): Promise<PersonRow[]>;
  /** How many the scope has, and the greatest id (`place.id`) of all people. */
  peopleCount(scope: PeopleScope): Promise<{ count: number; lastId: number }>;
  /** Check times of people (by their ids in the store) in a span. At most `limit` for each. */
  checkTimes(query: Span & OfDevices & { ids: readonly number[]; limit: number }): Promise<Map<number, number[]>>;
  /** Person; null if nobody has this ext id. `checkins`: how many are deleted with the person. */
  person(extId: string): Promise<(PersonRow & { checkins: number; featureKinds: number }) | null>;
  /** The root first; at most `limit`. */
  departmentTree(limit: number): Promise<DepartmentNode[]>;
  /** `former`: of those places that lasted to `since`, or longer. */
  departmentsByDate(since: DateText): Promise<DepartmentsByDate>;
  /**
   * The departments that people (by their ids in the store) stood in before, and still on `since`;
   * oldest first.
   */
  formerDepartments(query: {
    readonly ids: readonly number[];
    readonly since: DateText;
  }): Promise<Map<number, FormerPlace[]>>;
  /** Kinds of features of people, and whether a terminal could not recognize one. */
  featureMarks(extIds: readonly string[]): Promise<Map<string, { types: string[]; abnormal: boolean }>>;
  featureFacts(extId: string): Promise<FeatureFacts[]>;
  /**
   * Newest check time first. Where a filter matches little, a page ends after it has looked at
   * `lookMax` records. `next` is the cursor of the next page, null if there is nothing older.
   */
  accessEvents(
    query: OfDevices & {
      from?: UnixSeconds | undefined;
      to?: UnixSeconds | undefined;
      /** An external id. */
      person?: string | undefined;
      /** Part of a name, a number or an id, in lower case. */
      personText?: string | undefined;
      /** A door whose id contains `text`, in lower case, or a door of one of these devices. */
      door?: { readonly text: string; readonly deviceNos: readonly DeviceNo[] } | undefined;
      /**
       * A `check_result` (SPEC 2.15), or some of them. `stranger`: also nobody who is known here.
       */
      result?: number | 'passed' | 'refused' | 'stranger' | undefined;
      after?: AccessPlace | undefined;
      limit: number;
      lookMax: number;
    },
  ): Promise<{ rows: AccessEvent[]; next: AccessPlace | null }>;
  /** Photo, with `image` as base64; null if there is no such record. */
  accessPhoto(
    id: number,
  ): Promise<{ extId: string; at: UnixSeconds; state: 'there' | 'none' | 'damaged'; image: string } | null>;
}
