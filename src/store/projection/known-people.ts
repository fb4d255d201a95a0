import type { CheckInFacts } from '../../platform/check-data.ts';
import type { Kind } from '../people/cloud-records.ts';
import { erasedThrough } from '../people/erasing.ts';
import { People } from '../people/people.ts';
import { type Person, personColumns, personOf } from '../people/punch.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';

type CounterName = Parameters<People['next']>[0];

/** Of each kind; a site of this size or less is read once. */
const knownMax = 20_000;

/**
 * People and devices as the tables ask for them, again and again: each is read once, until
 * `forget` says that others may have written. Counters are read once in a transaction, and written
 * at its end.
 */
export class KnownPeople extends People {
  readonly #connection: Connection;
  readonly #byExtId = new Map<string, Person | null>();
  readonly #erasedThrough = new Map<string, number>();
  readonly #facts = new Map<DeviceNo, Omit<CheckInFacts, 'person'>>();
  readonly #hasCloudRecords = new Map<Kind, boolean>();
  readonly #counters = new Map<CounterName, { value: number; isWritten: boolean }>();

  constructor(connection: Connection) {
    super(connection);
    this.#connection = connection;
  }

  /** Reads those who are not known yet, all at once. */
  readAll(extIds: ReadonlySet<string>): void {
    const unread = [...extIds].filter(extId => !this.#byExtId.has(extId));
    const rows = this.#connection.each(
      `${personColumns} WHERE e.ext_id = ?`,
      unread.map(extId => [extId]),
    );
    const through = erasedThrough(this.#connection, unread);
    for (const [index, extId] of unread.entries()) {
      this.#byExtId.set(extId, personOf(rows[index]));
      this.#erasedThrough.set(extId, through[index]!);
    }
  }

  /** Whether a record with this number belongs to the person's erasure. */
  isErased(extId: string, seq: number): boolean {
    let through = this.#erasedThrough.get(extId);
    if (through === undefined) {
      [through = 0] = erasedThrough(this.#connection, [extId]);
      this.#erasedThrough.set(extId, through);
    }
    return through >= seq;
  }

  override byExtId(extId: string): Person | null {
    let person = this.#byExtId.get(extId);
    if (person === undefined) {
      person = super.byExtId(extId);
      this.#byExtId.set(extId, person);
    }
    return person;
  }

  override facts(deviceNo: DeviceNo): Omit<CheckInFacts, 'person'> {
    let facts = this.#facts.get(deviceNo);
    if (!facts) {
      facts = super.facts(deviceNo);
      this.#facts.set(deviceNo, facts);
    }
    return facts;
  }

  override hasCloudRecords(kind: Kind): boolean {
    let has = this.#hasCloudRecords.get(kind);
    if (has === undefined) {
      has = super.hasCloudRecords(kind);
      this.#hasCloudRecords.set(kind, has);
    }
    return has;
  }

  override next(name: CounterName): number {
    let counter = this.#counters.get(name);
    if (!counter) {
      counter = { value: super.current(name), isWritten: true };
      this.#counters.set(name, counter);
    }
    counter.isWritten = false;
    return ++counter.value;
  }

  override current(name: CounterName): number {
    return this.#counters.get(name)?.value ?? super.current(name);
  }

  /** In the transaction, before its commit. */
  save(): void {
    for (const [name, { value, isWritten }] of this.#counters)
      if (!isWritten) this.#connection.later('UPDATE counter SET value = ? WHERE name = ?', value, name);
    this.#counters.clear();
    if (Math.max(this.#byExtId.size, this.#erasedThrough.size) > knownMax) this.forget();
  }

  /** Others may have changed what was read, or the transaction was rolled back. */
  forget(): void {
    this.#byExtId.clear();
    this.#erasedThrough.clear();
    this.#facts.clear();
    this.#hasCloudRecords.clear();
    this.#counters.clear();
  }
}
