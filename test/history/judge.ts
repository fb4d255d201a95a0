import { Arrivals, type Promises } from './arrivals.ts';
import type { Entry, RecordOf } from './entry.ts';
import { type Finding, Findings } from './findings.ts';
import { Program } from './program.ts';
import { Reading } from './reading.ts';
import { type Content, Stream } from './stream.ts';

const upstream: Promises = { once: false, inOrder: true };
const inbox: Promises = { once: true, inOrder: true };
const answers: Promises = { once: true, inOrder: false };
const inboxKind = 'inbox message';
const commandKind = 'command';

export interface Verdict {
  /** Of many alike the first hundred. */
  readonly findings: readonly Finding[];
  readonly count: number;
  /** One sentence about the history: its lines, records, readings. */
  readonly says: string;
}

/**
 * Judges a history line by line, as README.md lists the rules. Takes about 150 bytes of memory
 * for each record, and no texts.
 */
export class Judge {
  readonly #found = new Findings();
  readonly #streams = new Map<string, Stream>();
  /** By receiver. */
  readonly #arrivals = new Map<string, Arrivals>();
  readonly #open = new Map<string, Reading>();
  /** The last one of each store and kind. */
  readonly #readings = new Map<string, Reading>();
  readonly #programs = new Map<string, Program>();
  readonly #moments = new Map<string, number>();
  /** The lines of the logins of each device, the first session's first. */
  readonly #logins = new Map<string, number[]>();
  readonly #counts = { acknowledged: 0, readings: 0, rows: 0, arrivals: 0 };
  #line = 0;
  #at = Number.NEGATIVE_INFINITY;

  readonly #takes: { readonly [Op in Entry['op']]: (entry: Extract<Entry, { op: Op }>) => void } = {
    login: ({ device, session }) => this.#login(device, session),
    send: entry => this.#send(this.#stream(entry.device, entry.kind), entry.n, entry),
    ack: entry => this.#ack(entry, entry.session ?? 0),
    arrival: entry => {
      this.#counts.arrivals++;
      this.#arrive(this.#receiver(entry.to, upstream), entry, entry);
    },
    parked: entry => this.#sent(entry, (stream, place) => this.#receiver(entry.to, upstream).park(stream, place)),
    drained: ({ to, devices }) =>
      this.#drained(this.#receiver(to, upstream), stream => isOf(devices, stream) && !isInner(stream)),
    read: entry => this.#begin(new Reading(entry, this.#line)),
    row: entry => this.#row(entry),
    read_end: ({ store, kind }) => this.#end(store, kind),
    moment: ({ name }) => {
      this.#moments.set(name, this.#line);
    },
    restored: ({ to }) => this.#restored(to),
    page: entry => this.#program(entry.program).page(entry, this.#line, this.#found),
    event: ({ program, id }) => this.#program(program).take(id, this.#line, this.#found),
    level: ({ program, store, kind }) => this.#level(program, store, kind),
    post: ({ device, n }) => this.#given(this.#stream(device, inboxKind), n),
    message: ({ device, n }) => this.#arrive(this.#receiver('its device', inbox), { device, kind: inboxKind, n }),
    emptied: ({ devices }) =>
      this.#drained(this.#receiver('its device', inbox), stream => isOf(devices, stream) && stream.kind === inboxKind),
    command: ({ program, n }) => this.#given(this.#stream(program, commandKind), n),
    answer: ({ program, n }) =>
      this.#arrive(this.#receiver('an answer', answers), { device: program, kind: commandKind, n }),
    ended: ({ program }) =>
      this.#drained(
        this.#receiver('an answer', answers),
        stream => stream.device === program && stream.kind === commandKind,
      ),
    note: () => {},
  };

  take(entry: Entry): void {
    this.#line++;
    if (!(entry.at >= this.#at)) this.#malformed(`${entry.at} comes behind ${this.#at}`);
    this.#at = entry.at;
    const take = this.#takes[entry.op] as ((entry: Entry) => void) | undefined;
    if (take) take(entry);
    else this.#malformed(`an unknown op, ${JSON.stringify(entry.op)}`);
  }

  verdict(): Verdict {
    for (const reading of this.#open.values())
      this.#malformed(`the reading of ${reading.of.store} in line ${reading.line} has no end`);
    for (const stream of this.#streams.values())
      if (!stream.isJudged && stream.hasAcknowledged)
        this.#found.add(
          'unjudged',
          `nothing says where the acknowledged records of ${stream.device} (${stream.kind}) went`,
        );
    for (const [name, program] of this.#programs)
      if (!program.isJudged) this.#found.add('unjudged', `nothing says what ${name} should have been given`);
    const { acknowledged, readings, rows, arrivals } = this.#counts;
    if (acknowledged === 0) this.#found.add('unjudged', 'nothing was acknowledged');
    return {
      findings: this.#found.all(),
      count: this.#found.count,
      says: `${this.#line} lines: ${acknowledged} acknowledged of ${this.#streams.size} devices and kinds, ${rows} rows in ${readings} readings, ${arrivals} arrivals, ${this.#programs.size} programs`,
    };
  }

  #malformed(why: string): void {
    this.#found.add('malformed', `line ${this.#line}: ${why}`);
  }

  #stream(device: string, kind: string): Stream {
    const key = `${device}\n${kind}`;
    const known = this.#streams.get(key) ?? new Stream(device, kind);
    this.#streams.set(key, known);
    return known;
  }

  #sent({ device, kind, n }: RecordOf, then: (stream: Stream, place: number) => void): void {
    const stream = this.#stream(device, kind);
    const place = stream.placeOf(n);
    if (place >= 0) then(stream, place);
    else this.#found.add('unknown', `line ${this.#line}: nobody sent ${device} ${kind} ${n}`);
  }

  #login(device: string, session: number): void {
    const lines = this.#logins.get(device) ?? [];
    this.#logins.set(device, lines);
    lines.push(this.#line);
    if (session !== lines.length) this.#malformed(`session ${session} of ${device} is the ${lines.length}th`);
  }

  #send(stream: Stream, n: number, details: { session?: number; mid?: string; digest?: string }): void {
    if (!stream.sent(n, this.#line, details))
      this.#malformed(`${stream.device} ${stream.kind} ${n} was sent behind ${stream.numbers.last}`);
  }

  /** Given and taken in one line. */
  #given(stream: Stream, n: number): void {
    this.#send(stream, n, {});
    const place = stream.placeOf(n);
    if (place >= 0) stream.acknowledged(place, this.#line);
  }

  #ack(of: RecordOf, session: number): void {
    this.#counts.acknowledged++;
    this.#sent(of, (stream, place) => {
      const logins = this.#logins.get(of.device) ?? [];
      stream.acknowledged(place, this.#line, logins);
      // Sessions count from 1, so the next one's login has this index.
      const successor = logins[session] ?? 0;
      if (session > 0 && successor > 0 && stream.sentIn(place, session) > successor)
        this.#found.add(
          'late',
          `${stream.called(place)} was sent in session ${session} behind the login of session ${session + 1} (line ${successor}), and acknowledged`,
        );
    });
  }

  #receiver(name: string, promises: Promises): Arrivals {
    const known = this.#arrivals.get(name) ?? new Arrivals(name, promises);
    this.#arrivals.set(name, known);
    return known;
  }

  #arrive(at: Arrivals, of: RecordOf, content: Content = {}): void {
    this.#sent(of, (stream, place) => at.add(stream, place, content, this.#found));
  }

  #drained(at: Arrivals, concerns: (stream: Stream) => boolean): void {
    for (const stream of this.#streams.values()) if (concerns(stream)) at.judge(stream, this.#line, this.#found);
  }

  #begin(reading: Reading): void {
    const key = keyOf(reading.of);
    if (this.#open.has(key)) this.#malformed(`the reading before of ${reading.of.store} has no end`);
    this.#open.set(key, reading);
    this.#counts.readings++;
  }

  #row(entry: Extract<Entry, { op: 'row' }>): void {
    this.#counts.rows++;
    const reading = this.#open.get(keyOf(entry));
    if (!reading) {
      this.#malformed(`a row of ${entry.store} outside a reading`);
      return;
    }
    reading.add(entry.device, entry.n, entry, this.#found);
    this.#sent(entry, (stream, place) => {
      const other = stream.differs(place, { digest: entry.digest });
      if (other) this.#found.add('changed', `${entry.store} has ${stream.called(place)} with ${other}`);
    });
  }

  #end(store: string, kind: string): void {
    const key = keyOf({ store, kind });
    const reading = this.#open.get(key);
    if (!reading) {
      this.#malformed(`the end of a reading of ${store} that did not begin`);
      return;
    }
    this.#open.delete(key);
    this.#readings.set(key, reading);
    for (const stream of this.#streams.values())
      if (stream.kind === kind && reading.covers(stream.device)) reading.judge(stream, this.#found);
    if (reading.of.as === undefined) return;
    const other = this.#readings.get(keyOf({ store: reading.of.as, kind }));
    if (other) reading.compare(other, this.#found);
    else this.#malformed(`${reading.of.as} was not read`);
  }

  #restored(to: string): void {
    const line = this.#moments.get(to);
    if (line === undefined) {
      this.#malformed(`nobody noted the moment ${to}`);
      return;
    }
    for (const stream of this.#streams.values()) stream.restoredTo(line);
    for (const program of this.#programs.values()) program.restoredTo(line);
  }

  #program(name: string): Program {
    const known = this.#programs.get(name) ?? new Program(name);
    this.#programs.set(name, known);
    return known;
  }

  #level(program: string, store: string, kind: string): void {
    const reading = this.#readings.get(keyOf({ store, kind }));
    if (reading) this.#program(program).judge(reading, this.#found);
    else this.#malformed(`${store} was not read`);
  }
}

const keyOf = ({ store, kind }: { store: string; kind: string }): string => `${store}\n${kind}`;
const isOf = (devices: readonly string[] | undefined, stream: Stream): boolean =>
  devices?.includes(stream.device) ?? true;
/** Goes to a device or a program, never upstream. */
const isInner = ({ kind }: Stream): boolean => kind === inboxKind || kind === commandKind;

export function judgeAll(entries: Iterable<Entry>): Verdict {
  const judge = new Judge();
  for (const entry of entries) judge.take(entry);
  return judge.verdict();
}
