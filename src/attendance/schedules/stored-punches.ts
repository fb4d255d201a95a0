import type { UnixSeconds } from '../../runtime/clock.ts';
import {
  type DeviceNo,
  deviceNoAt,
  type PunchFacts,
  type PunchTable,
  punchAt,
  punchPlaces,
  shownIdAt,
  timeAt,
} from '../../store/index.ts';
import type { PunchList } from './punch-list.ts';
import type { Punch } from './result.ts';

/** Of a person by the id in the store. */
export class StoredPunches implements PunchList {
  readonly times: UnixSeconds[] = [];
  readonly deviceNos: DeviceNo[] = [];
  readonly isPlain: boolean;
  readonly #table: PunchTable;
  readonly #places: Int32Array;

  constructor(table: PunchTable, id: number) {
    this.#table = table;
    this.#places = punchPlaces(table, id);
    for (let index = 0; index < this.#places.length; index++) {
      const place = this.#places[index]!;
      this.times.push(timeAt(table, place));
      const deviceNo = deviceNoAt(table, place);
      if (!this.deviceNos.includes(deviceNo)) this.deviceNos.push(deviceNo);
    }
    this.isPlain = this.#isInOrder() && !this.#isTouched();
  }

  of(place: number): Punch {
    return punchOf(punchAt(this.#table, this.#places[place]!));
  }

  /** Rows of one second are in the order of the store's own ids, and callers may see other ones. */
  #isInOrder(): boolean {
    const idAt = (index: number) => shownIdAt(this.#table, this.#places[index]!);
    return this.times.every((at, index) => at !== this.times[index - 1] || idAt(index - 1) < idAt(index));
  }

  #isTouched(): boolean {
    const { marks } = this.#table;
    if (marks.size === 0) return false;
    return this.#places.some(place => {
      const mark = marks.get(place);
      return mark !== undefined && (mark.setAside || mark.workDate !== null);
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
