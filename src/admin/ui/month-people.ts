import type { DeviceNo, PeopleReads, PeopleScope, PersonPlace, PersonRow } from '../../store/index.ts';
import { personCursor, personCursorAt } from '../people-shapes.ts';

const punchesMax = 2000;
/** At a time: a few milliseconds. */
const looksAt = 100;
/** For one page. */
const looksAtMax = 2000;

interface PeopleOfMonth {
  readonly people: readonly PersonRow[];
  /** Their check times, by their ids in the store. */
  readonly times: ReadonlyMap<number, readonly number[]>;
  readonly cursor: string | null;
}

/**
 * A page of people with their check times in a span. At some devices: those people who have any
 * there; the page may be short, since it looks through 2000 people at most.
 */
export async function peopleOfMonth(
  read: Pick<PeopleReads, 'people' | 'checkTimes'>,
  {
    span,
    scope,
    deviceNos,
    after,
    limit,
  }: {
    readonly span: { readonly from: number; readonly to: number };
    readonly scope: PeopleScope;
    readonly deviceNos?: ReadonlySet<DeviceNo>;
    readonly after: PersonPlace | undefined;
    readonly limit: number;
  },
): Promise<PeopleOfMonth> {
  const find = async (place: PersonPlace | undefined, most: number) => {
    const people = await read.people({ ...scope, after: place, limit: most });
    const ids = people.map(({ place: { id } }) => id);
    return { people, times: await read.checkTimes({ ids, ...span, limit: punchesMax, deviceNos }) };
  };
  if (!deviceNos) {
    const found = await find(after, limit);
    return { ...found, cursor: personCursor(found.people, limit) };
  }
  const people: PersonRow[] = [];
  const times = new Map<number, readonly number[]>();
  let place = after;
  for (let looked = 0; looked < looksAtMax; looked += looksAt) {
    const found = await find(place, looksAt);
    for (const person of found.people) {
      place = person.place;
      const own = found.times.get(place.id) ?? [];
      if (own.length === 0) continue;
      times.set(place.id, own);
      if (people.push(person) === limit) return { people, times, cursor: personCursorAt(place) };
    }
    if (found.people.length < looksAt) return { people, times, cursor: null };
  }
  return { people, times, cursor: place ? personCursorAt(place) : null };
}
