import type { UnixMs } from '../runtime/clock.ts';
import type { SignedRequest } from './signed-request.ts';

/** Of one caller: its rejected requests have a share of their own. */
const bytesOfCallerMax = { identified: 24 << 10, rejected: 16 << 10 } as const;
const bytesOfStrangersMax = 32 << 10;
/** Callers of the site; the one that called longest ago goes. */
const callersMax = 50;

type Kind = keyof typeof bytesOfCallerMax;
type Counted = 'at' | 'since' | 'ms' | 'ms_max' | 'count';
type Row = { -readonly [Name in Counted]: SignedRequest[Name] } & Omit<SignedRequest, Counted>;

/**
 * Requests of one API in memory, at most `bytesMax`, some 2 MiB. Equal requests are one row, and
 * counted. Callers of the site and strangers have shares of their own, and in a full share the row
 * goes that is oldest of the address with most rows: nobody hides the requests of anybody else.
 */
export class RequestRows {
  /** As `bytesOf` counts them. */
  static readonly bytesMax =
    callersMax * (bytesOfCallerMax.identified + bytesOfCallerMax.rejected) + bytesOfStrangersMax;
  readonly #ofCaller = new Map<string, Readonly<Record<Kind, Share>>>();
  readonly #strangers = new Share(bytesOfStrangersMax);

  list(): SignedRequest[] {
    const shares = [this.#strangers, ...[...this.#ofCaller.values()].flatMap(one => [one.identified, one.rejected])];
    return shares.flatMap(share => share.list());
  }

  /** As counted. */
  get bytes(): number {
    let bytes = this.#strangers.bytes;
    for (const { identified, rejected } of this.#ofCaller.values()) bytes += identified.bytes + rejected.bytes;
    return bytes;
  }

  /** `caller`: a caller of the site; null: a stranger. `row` is asked for when `key` is new. */
  note(
    kind: Kind,
    caller: string | null,
    key: string,
    ms: number,
    at: UnixMs,
    row: () => Omit<SignedRequest, Counted>,
  ): void {
    const share = caller === null ? this.#strangers : this.#shareOf(caller, kind);
    if (kind === 'identified') share.count(key, ms, at, row);
    else share.renew(key, ms, at, row);
  }

  #shareOf(caller: string, kind: Kind): Share {
    const of = this.#ofCaller.get(caller) ?? {
      identified: new Share(bytesOfCallerMax.identified),
      rejected: new Share(bytesOfCallerMax.rejected),
    };
    this.#ofCaller.delete(caller);
    this.#ofCaller.set(caller, of);
    if (this.#ofCaller.size > callersMax) this.#ofCaller.delete(this.#ofCaller.keys().next().value!);
    return of[kind];
  }
}

/** In the order of the last request: the oldest first. */
class Share {
  readonly #bytesMax: number;
  readonly #rows = new Map<string, Row>();
  bytes = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Newest first. */
  list(): SignedRequest[] {
    return [...this.#rows.values()].reverse().map(row => ({ ...row }));
  }

  /** Equal requests are alike but for their time. */
  count(key: string, ms: number, at: UnixMs, make: () => Omit<SignedRequest, Counted>): void {
    const row = this.#rows.get(key);
    if (!row) {
      this.renew(key, ms, at, make);
      return;
    }
    row.at = at;
    row.ms = ms;
    row.ms_max = Math.max(row.ms_max, ms);
    row.count++;
    this.#rows.delete(key);
    this.#rows.set(key, row);
  }

  /** The newest of equal requests is shown, with its timestamp in the string to sign. */
  renew(key: string, ms: number, at: UnixMs, make: () => Omit<SignedRequest, Counted>): void {
    const known = this.#rows.get(key);
    if (known) this.#remove(key, known);
    const { since, ms_max, count } = known ?? { since: at, ms_max: ms, count: 0 };
    this.#add(key, { ...make(), at, ms, since, ms_max: Math.max(ms_max, ms), count: count + 1 });
    while (this.bytes > this.#bytesMax) this.#removeOne();
  }

  #add(key: string, row: Row): void {
    this.#rows.set(key, row);
    this.bytes += bytesOf(key, row);
  }

  #remove(key: string, row: Row): void {
    this.#rows.delete(key);
    this.bytes -= bytesOf(key, row);
  }

  #removeOne(): void {
    const rowsOf = new Map<string, number>();
    for (const { address } of this.#rows.values()) rowsOf.set(address, (rowsOf.get(address) ?? 0) + 1);
    const most = Math.max(...rowsOf.values());
    const [key, row] = [...this.#rows].find(([, { address }]) => rowsOf.get(address) === most)!;
    this.#remove(key, row);
  }
}

/** An object with its numbers, its place in the map, and two bytes a character. */
const rowBytes = 400;
const partBytes = 60;

function bytesOf(key: string, row: Row): number {
  const { caller, address, method, path, command, why, parts } = row;
  let characters = key.length + caller.length + address.length + method.length + path.length + command.length;
  let pieces = parts.length;
  for (const { text } of parts) characters += text.length;
  if (why) {
    characters += why.message.length + why.named.length + why.digest.length;
    pieces += why.signed.length;
    for (const { text } of why.signed) characters += text.length;
  }
  return rowBytes + 2 * characters + pieces * partBytes;
}
