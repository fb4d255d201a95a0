import {
  type DeviceNo,
  deviceNoAt,
  markAt,
  type PunchFacts,
  type PunchTable,
  punchAt,
  punchPlaces,
  shownIdAt,
} from '../../store/index.ts';
import type { PunchList } from './punch-list.ts';
import type { Punch } from './result.ts';

/** Of a person by the id in the store. */
export class StoredPunches implements PunchList {
  readonly times: Float64Array;
  readonly isPlain: boolean;
  readonly #table: PunchTable;
  readonly #begin: number;

  constructor(table: PunchTable, id: number) {
    const { begin, end } = punchPlaces(table, id);
    this.#table = table;
    this.#begin = begin;
    this.times = table.times.subarray(begin, end);
    this.isPlain = this.#isInOrder() && !this.#isTouched();
  }

  get deviceNos(): readonly DeviceNo[] {
    const found = new Set<DeviceNo>();
    for (let place = 0; place < this.times.length; place++) found.add(deviceNoAt(this.#table, this.#begin + place));
    return [...found];
  }

  of(place: number): Punch {
    return punchOf(punchAt(this.#table, this.#begin + place));
  }

  /** Rows of one second are in the order of the store's own ids, and callers may see other ones. */
  #isInOrder(): boolean {
    const { times } = this;
    const idAt = (place: number) => shownIdAt(this.#table, this.#begin + place);
    for (let place = 1; place < times.length; place++)
      if (times[place] === times[place - 1] && idAt(place - 1) >= idAt(place)) return false;
    return true;
  }

  #isTouched(): boolean {
    if (this.#table.marks.size === 0) return false;
    return this.times.some((_, place) => {
      const mark = markAt(this.#table, this.#begin + place);
      return mark !== null && (mark.setAside || mark.workDate !== null);
    });
  }
}

export const punchOf = ({ shownId, at, deviceNo, checkType, receivedAt, clock, source, mark }: PunchFacts): Punch => ({
  id: shownId,
  at,
  deviceNo,
  checkType,
  receivedAt,
  clock,
  source,
  isSetAside: mark?.setAside ?? false,
  workDate: mark?.workDate ?? null,
  correctionId: mark?.correctionId ?? null,
});
