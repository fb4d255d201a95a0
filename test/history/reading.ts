import { Column } from './column.ts';
import type { Read } from './entry.ts';
import type { Findings } from './findings.ts';
import type { Stream } from './stream.ts';

interface Rows {
  readonly numbers: Column;
  readonly sessions: Column;
  readonly received: Column;
}

/** The rows of one kind that somebody read from the tables of a store, in their order. */
export class Reading {
  readonly of: Read;
  readonly line: number;
  readonly #rows = new Map<string, Rows>();
  /** Of the rows that have one, in the order of the table. */
  readonly ids: number[] = [];
  count = 0;

  constructor(of: Read, line: number) {
    this.of = of;
    this.line = line;
  }

  add(device: string, n: number, { id, session = 0, received = 0 }: RowDetails, found: Findings): void {
    this.count++;
    const rows = this.#rows.get(device) ?? {
      ...{ numbers: new Column(), sessions: new Column(), received: new Column() },
    };
    this.#rows.set(device, rows);
    rows.numbers.push(n);
    rows.sessions.push(session);
    rows.received.push(received % 2 ** 32);
    if (id === undefined) return;
    if (id <= (this.ids.at(-1) ?? Number.NEGATIVE_INFINITY))
      found.add('out of order', `${this.#name}: the id ${id} stands behind ${this.ids.at(-1)}`);
    this.ids.push(id);
  }

  covers(device: string): boolean {
    return this.of.devices?.includes(device) ?? true;
  }

  judge(stream: Stream, found: Findings): void {
    stream.isJudged = true;
    const seen = new Column();
    const sessionOf = new Column();
    for (let place = 0; place < stream.length; place++) {
      seen.push(0);
      sessionOf.push(0);
    }
    const rows = this.#rows.get(stream.device);
    let [newest, newestSession, oldest] = [-1, 0, stream.length];
    for (let at = 0; rows && at < rows.numbers.length; at++) {
      const place = stream.placeOf(rows.numbers.at(at));
      if (place < 0) continue; // Named as unknown when its row came.
      const called = stream.called(place);
      const session = rows.sessions.at(at);
      if (stream.isGone(place))
        found.add('returned', `${this.#name} has ${called}, which came after the moment that was restored`);
      if (session > 0 && session < newestSession)
        found.add(
          'out of order',
          `${this.#name}: ${called} of session ${session} stands behind one of ${newestSession}`,
        );
      newestSession = Math.max(newestSession, session);
      const times = seen.at(place) + 1;
      if (times > 1) {
        const wasSentAgain = session > 0 ? session > sessionOf.at(place) : times <= stream.triesOf(place);
        if (stream.hasMids || !wasSentAgain) found.add('duplicate', `${this.#name} has ${called} ${times} times`);
      } else if (place < newest)
        found.add('out of order', `${this.#name}: ${called} stands behind ${stream.called(newest)}`);
      seen.set(place, times);
      sessionOf.set(place, session);
      newest = Math.max(newest, place);
      oldest = Math.min(oldest, place);
    }
    for (let place = 0; place < stream.length; place++) {
      const acked = stream.ackedAt(place);
      if (acked === 0 || acked > this.line || seen.at(place) > 0) continue;
      if (this.of.may_lack === 'oldest' && place < oldest) continue;
      found.add('lost', `${stream.called(place)}, acknowledged in line ${acked}, is not in ${this.#name}`);
    }
  }

  /** Both have the same rows in the same order. */
  compare(other: Reading, found: Findings): void {
    for (const device of new Set([...this.#rows.keys(), ...other.#rows.keys()])) {
      if (!this.covers(device) || !other.covers(device)) continue;
      const [own, others] = [this.#rows.get(device), other.#rows.get(device)];
      const length = Math.max(own?.numbers.length ?? 0, others?.numbers.length ?? 0);
      for (let at = 0; at < length; at++) {
        const [here, there] = [saidOf(own, at), saidOf(others, at)];
        if (here === there) continue;
        found.add('unlike', `${this.#name}, ${device}, row ${at + 1}: ${here}; ${other.of.store} has ${there}`);
        break;
      }
    }
  }

  get #name(): string {
    return `${this.of.store} (${this.of.kind}, line ${this.line})`;
  }
}

export interface RowDetails {
  readonly id?: number;
  readonly session?: number;
  readonly received?: number;
}

function saidOf(rows: Rows | undefined, at: number): string {
  if (!rows || at >= rows.numbers.length) return 'none';
  return `${rows.numbers.at(at)}, received ${rows.received.at(at)}`;
}
