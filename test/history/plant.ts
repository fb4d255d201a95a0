import type { Entry, RecordOf, Row } from './entry.ts';
import type { Rule } from './findings.ts';

type Of<Op extends Entry['op']> = Extract<Entry, { op: Op }>;
type Plant = (entries: readonly Entry[]) => Entry[] | null;

/**
 * Faults to be put into a copy of a good history, each with the rule that must name it: whoever
 * relies on the checker shows with them that it sees. Null: this history has no place for it.
 */
export const faults = {
  'a lost row': { rule: 'lost', plant: lostRow },
  'a row that is there twice': { rule: 'duplicate', plant: doubledRow },
  'a log twice': { rule: 'duplicate', plant: logTwice },
  'two rows that changed places': { rule: 'out of order', plant: entries => swapped(entries, 'row') },
  'a loss on the way up': { rule: 'lost', plant: lostArrival },
  'two arrivals that changed places': { rule: 'out of order', plant: entries => swapped(entries, 'arrival') },
  'another mid': { rule: 'changed', plant: otherMid },
  'a row that the store below has not': { rule: 'unlike', plant: otherReceipt },
  'a gap in a page': { rule: 'gap', plant: pageWithGap },
  'an event left out': { rule: 'gap', plant: entries => without(middle(indicesOf(entries, 'event')), entries) },
  'an event twice': { rule: 'repeated', plant: entries => again(middle(indicesOf(entries, 'event')), entries) },
  'a late acknowledgement': { rule: 'late', plant: lateAck },
  'a row that a restore has undone': { rule: 'returned', plant: returnedRow },
  'a message twice': { rule: 'duplicate', plant: entries => again(middle(indicesOf(entries, 'message')), entries) },
  'a message left out': { rule: 'lost', plant: entries => without(middle(indicesOf(entries, 'message')), entries) },
  'a command without an answer': {
    rule: 'lost',
    plant: entries => without(middle(indicesOf(entries, 'answer')), entries),
  },
  'a command answered twice': {
    rule: 'duplicate',
    plant: entries => again(middle(indicesOf(entries, 'answer')), entries),
  },
} as const satisfies Record<string, { rule: Rule; plant: Plant }>;

export type Fault = keyof typeof faults;

const keyOf = ({ device, kind, n }: RecordOf): string => `${device}\n${kind}\n${n}`;

function indicesOf(
  entries: readonly Entry[],
  op: Entry['op'],
  fits: (entry: never, at: number) => boolean = () => true,
) {
  return entries.flatMap((entry, at) => (entry.op === op && fits(entry as never, at) ? [at] : []));
}

const middle = (indices: readonly number[]): number | undefined => indices[Math.floor(indices.length / 2)];

function without(at: number | undefined, entries: readonly Entry[]): Entry[] | null {
  return at === undefined ? null : entries.toSpliced(at, 1);
}

function again(at: number | undefined, entries: readonly Entry[]): Entry[] | null {
  return at === undefined ? null : entries.toSpliced(at, 0, entries[at]!);
}

/** The records that were acknowledged before each last reading or drained line. */
function acknowledged(entries: readonly Entry[]): Map<string, number> {
  const lines = new Map<string, number>();
  for (const [at, entry] of entries.entries())
    if (entry.op === 'ack' && !lines.has(keyOf(entry))) lines.set(keyOf(entry), at);
  return lines;
}

/** Where the reading of a row begins. */
function beginOf(entries: readonly Entry[], row: Row, at: number): number {
  return entries.findLastIndex(
    (one, before) => before < at && one.op === 'read' && one.store === row.store && one.kind === row.kind,
  );
}

function lostRow(entries: readonly Entry[]): Entry[] | null {
  const acks = acknowledged(entries);
  const readings = new Map<string, number>();
  let begun = -1;
  const rows: number[] = [];
  for (const [at, entry] of entries.entries()) {
    if (entry.op === 'read') readings.set(`${entry.store}\n${entry.kind}`, at);
    if (entry.op !== 'row') continue;
    begun = readings.get(`${entry.store}\n${entry.kind}`) ?? -1;
    if ((acks.get(keyOf(entry)) ?? Number.POSITIVE_INFINITY) < begun) rows.push(at);
  }
  const at = middle(rows);
  if (at === undefined) return null;
  const lost = entries[at] as Of<'row'>;
  const from = beginOf(entries, lost, at);
  const to = entries.findIndex(
    (one, after) => after > at && one.op === 'read_end' && one.store === lost.store && one.kind === lost.kind,
  );
  return entries.filter(
    (one, place) =>
      !(place > from && place < to && one.op === 'row' && one.store === lost.store && keyOf(one) === keyOf(lost)),
  );
}

const withMids = (entries: readonly Entry[]): Set<string> =>
  new Set(entries.flatMap(entry => (entry.op === 'send' && entry.mid !== undefined ? [keyOf(entry)] : [])));

function doubledRow(entries: readonly Entry[]): Entry[] | null {
  const known = withMids(entries);
  const at = middle(indicesOf(entries, 'row', (entry: Of<'row'>) => known.has(keyOf(entry))));
  if (at === undefined) return null;
  const { id: _id, ...row } = entries[at] as Of<'row'>;
  return entries.toSpliced(at + 1, 0, row);
}

/** With the session that it came in, or more often than it can have been sent. */
function logTwice(entries: readonly Entry[]): Entry[] | null {
  const known = withMids(entries);
  const logins = new Set(entries.flatMap(entry => (entry.op === 'login' ? [entry.device] : [])));
  const at = middle(
    indicesOf(entries, 'row', (entry: Of<'row'>) => !known.has(keyOf(entry)) && logins.has(entry.device)),
  );
  if (at === undefined) return null;
  const { id: _id, ...row } = entries[at] as Of<'row'>;
  const times = row.session === undefined ? entries.filter(({ op }) => op === 'login').length + 1 : 1;
  return entries.toSpliced(at + 1, 0, ...Array.from({ length: times }, () => row));
}

/** Two of one device and kind that stand beside each other, each the first of its record. */
function swapped(entries: readonly Entry[], op: 'row' | 'arrival'): Entry[] | null {
  const last = new Map<string, { at: number; n: number }>();
  const seen = new Set<string>();
  const pairs: [number, number][] = [];
  for (const [at, entry] of entries.entries()) {
    if (entry.op === 'read' && op === 'row') for (const known of [seen, last]) known.clear();
    if (entry.op !== op) continue;
    const where = entry.op === 'row' ? entry.store : entry.to;
    const stream = `${where}\n${entry.device}\n${entry.kind}`;
    const before = last.get(stream);
    const isFirst = !seen.has(`${where}\n${keyOf(entry)}`);
    seen.add(`${where}\n${keyOf(entry)}`);
    if (isFirst && before && before.n < entry.n) pairs.push([before.at, at]);
    if (isFirst) last.set(stream, { at, n: entry.n });
    else last.delete(stream);
  }
  const pair = pairs[Math.floor(pairs.length / 2)];
  if (!pair) return null;
  // The older one comes behind: the younger one may not have been sent when the older one came.
  const [older, younger] = pair;
  const { id: _id, ...moved } = entries[older] as Of<'row'>;
  return entries.toSpliced(younger + 1, 0, { ...moved, at: entries[younger]!.at }).toSpliced(older, 1);
}

function lostArrival(entries: readonly Entry[]): Entry[] | null {
  const acks = acknowledged(entries);
  const drainedAt = entries.findLastIndex(({ op }) => op === 'drained');
  const at = middle(
    indicesOf(entries, 'arrival', (entry: Of<'arrival'>) => (acks.get(keyOf(entry)) ?? drainedAt) < drainedAt),
  );
  if (at === undefined) return null;
  const lost = entries[at] as Of<'arrival'>;
  return entries.filter(one => !(one.op === 'arrival' && one.to === lost.to && keyOf(one) === keyOf(lost)));
}

function otherMid(entries: readonly Entry[]): Entry[] | null {
  const at = middle(indicesOf(entries, 'arrival', (entry: Of<'arrival'>) => entry.mid !== undefined));
  return at === undefined ? null : entries.with(at, { ...(entries[at] as Of<'arrival'>), mid: 'planted' });
}

function otherReceipt(entries: readonly Entry[]): Entry[] | null {
  const stores = new Set(
    entries.flatMap(entry => (entry.op === 'read' && entry.as !== undefined ? [entry.store] : [])),
  );
  const at = middle(indicesOf(entries, 'row', (entry: Of<'row'>) => stores.has(entry.store)));
  if (at === undefined) return null;
  const row = entries[at] as Of<'row'>;
  return entries.with(at, { ...row, received: (row.received ?? 0) + 1 });
}

function pageWithGap(entries: readonly Entry[]): Entry[] | null {
  const at = middle(indicesOf(entries, 'page', (entry: Of<'page'>) => entry.ids.length > 0));
  if (at === undefined) return null;
  const page = entries[at] as Of<'page'>;
  return entries.with(at, { ...page, ids: page.ids.slice(1) });
}

/** An exchange of a session is told as one of the session before, whose successor had logged in. */
function lateAck(entries: readonly Entry[]): Entry[] | null {
  const sends = new Map<string, number>();
  const pairs: [number, number][] = [];
  for (const [at, entry] of entries.entries()) {
    if (entry.op === 'send') sends.set(keyOf(entry), at);
    if (entry.op !== 'ack' || (entry.session ?? 0) < 2) continue;
    const sent = sends.get(keyOf(entry));
    if (sent !== undefined && (entries[sent] as Of<'send'>).session === entry.session) pairs.push([sent, at]);
  }
  const pair = pairs[Math.floor(pairs.length / 2)];
  if (!pair) return null;
  const copy = [...entries];
  for (const at of pair) {
    const entry = entries[at] as Of<'send'> | Of<'ack'>;
    copy[at] = { ...entry, session: entry.session! - 1 };
  }
  return copy;
}

/** A record acknowledged behind the moment is read again after the moment was restored. */
function returnedRow(entries: readonly Entry[]): Entry[] | null {
  const restored = entries.findIndex(({ op }) => op === 'restored');
  if (restored < 0) return null;
  const moment = entries.findIndex(one => one.op === 'moment' && one.name === (entries[restored] as Of<'restored'>).to);
  const firsts = new Map<string, number>();
  for (const [at, entry] of entries.entries())
    if (entry.op === 'send' && !firsts.has(keyOf(entry))) firsts.set(keyOf(entry), at);
  const undone = entries.findIndex(
    (one, at) => at > moment && at < restored && one.op === 'ack' && firsts.get(keyOf(one))! > moment,
  );
  if (undone < 0) return null;
  const { device, kind, n } = entries[undone] as Of<'ack'>;
  const begin = entries.findIndex((one, at) => at > restored && one.op === 'read' && one.kind === kind);
  if (begin < 0) return null;
  const { at, by, store } = entries[begin] as Of<'read'>;
  return entries.toSpliced(begin + 1, 0, { at, by, op: 'row', store, device, kind, n });
}
