import type { AccessType, CheckInType } from '../../../../src/platform/reports.ts';
import type { UnixSeconds } from '../../../../src/runtime/clock.ts';
import type { SimOrganization } from './organization.ts';
import { countUpTo, mixed, placeOf, RecordSequence } from './record-sequence.ts';

export interface HeldCheckIn {
  readonly userId: string;
  readonly terminal: string;
  readonly type: CheckInType;
  readonly time: UnixSeconds;
  readonly data: Readonly<Record<string, string>>;
}

interface HeldAccessRecord {
  readonly door: string;
  /** Empty: a stranger. */
  readonly userId: string;
  readonly type: AccessType;
  readonly time: UnixSeconds;
  readonly result: number;
  readonly data: Readonly<Record<string, string>>;
  /** Base64; empty: no photo. */
  readonly photo: string;
}

interface Page {
  readonly next_id: number;
  readonly data: object[];
}

/**
 * Check-ins and access records as SPEC 2.15 and 4.8 return them: in the order of report, in pages.
 */
export class SimRecords {
  readonly checkIns = new RecordSequence<HeldCheckIn>();
  readonly access = new RecordSequence<HeldAccessRecord>();
  readonly #organization: SimOrganization;
  /** How many check-ins came before the initialization; null: there was none yet (SPEC 3.7). */
  #before: number | null = null;

  constructor(organization: SimOrganization) {
    this.#organization = organization;
  }

  /** The second time changes nothing. */
  initialize(): void {
    this.#before ??= this.checkIns.length;
  }

  checkInPage(nextId: number, size: number): Page {
    const from = this.#before === null ? this.checkIns.length : Math.max(this.#before, countUpTo(nextId));
    return page(this.checkIns, from, nextId, size, (held, index) => {
      const person = this.#organization.employee(held.userId);
      if (!person) return null;
      return {
        id: recordId(index),
        user_id: held.userId,
        ext_id: person.extId,
        terminal_id: held.terminal,
        check_type: held.type,
        check_time: held.time,
        check_data: held.data,
      };
    });
  }

  accessPage(nextId: number, size: number, passedOnly: boolean): Page {
    return page(this.access, countUpTo(nextId), nextId, size, (held, index) => {
      if (passedOnly && held.result !== 0) return null;
      const person = held.userId === '' ? undefined : this.#organization.employee(held.userId);
      if (!person && held.userId !== '') return null;
      return {
        id: placeOf(index),
        door_id: held.door,
        user_id: held.userId,
        ext_id: person?.extId ?? '',
        check_type: held.type,
        check_time: held.time,
        check_data: held.data,
        check_result: held.result,
        ...(held.photo === '' ? {} : { capture_img: held.photo }),
      };
    });
  }

  /** How many check-ins of each person callers get, by external id. */
  countsByPerson(): Map<string, number> {
    const counts = new Map<string, number>();
    for (let index = this.#before ?? this.checkIns.length; index < this.checkIns.length; index++) {
      const extId = this.#organization.employee(this.checkIns.at(index).userId)?.extId;
      if (extId !== undefined) counts.set(extId, (counts.get(extId) ?? 0) + 1);
    }
    return counts;
  }

  close(): void {
    this.checkIns.close();
    this.access.close();
  }
}

/** A text from which callers can derive nothing. */
const recordId = (index: number): string => `${mixed(index, 11).toString(16).padStart(8, '0')}${index.toString(36)}`;

/** `shown` returns null for what this caller does not get. An empty page keeps its place. */
function page<T>(
  sequence: RecordSequence<T>,
  from: number,
  nextId: number,
  size: number,
  shown: (held: T, index: number) => object | null,
): Page {
  const data: object[] = [];
  let next = nextId;
  for (let index = from; index < sequence.length && data.length < size; index++) {
    const record = shown(sequence.at(index), index);
    if (!record) continue;
    data.push(record);
    next = placeOf(index);
  }
  return { next_id: next, data };
}
