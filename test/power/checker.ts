import { type Findings, nothingFound } from './findings.ts';
import type { DeviceNotes, RecordingNotes } from './recording.ts';
import type { Stored, StoredRecord } from './stored.ts';

export interface Demands {
  /**
   * A full disk may drop the oldest records of each device, and counts them: what was committed is
   * what the journal holds and what is counted as dropped.
   */
  readonly mayDrop?: boolean;
  /** Retention may remove every segment: the journal then goes on behind what the tables have. */
  readonly mayEmpty?: boolean;
}

/** Compares a store after a cut with what was acknowledged until then. */
export function checkStored(stored: Stored, notes: RecordingNotes, entries: number, demands: Demands = {}): Findings {
  const found = nothingFound();
  if (stored.quickCheck !== 'ok') found.unreadable.push(`the database is damaged: ${stored.quickCheck}`);
  for (const seq of stored.damagedSegments) found.unreadable.push(`the segment ${seq} cannot be opened`);
  for (const device of notes.devices) checkDevice(stored, device, entries, demands, found);
  checkTables(stored, demands, found);
  if (demands.mayDrop) checkCounts(stored, found);
  else if (stored.dropped > 0) found.lost.push(`${stored.dropped} records were dropped`);
  if (stored.auditBroken !== null) found.inconsistent.push(`the audit log is broken: ${stored.auditBroken}`);
  return found;
}

function checkDevice(stored: Stored, device: DeviceNotes, entries: number, demands: Demands, found: Findings): void {
  const deviceNo = stored.deviceNos.get(device.deviceId.toUpperCase());
  const own = stored.journal.filter(record => record.deviceNo === deviceNo);
  for (let at = 1; at < own.length; at++)
    if (own[at]!.seq <= own[at - 1]!.seq) found.inconsistent.push(`${device.deviceId}: ${own[at]!.seq} is there twice`);
  for (const channel of ['device', 'log'] as const) {
    const sent = device.sent.filter(record => record.channel === channel);
    const places = new Map(sent.map(({ text }, place) => [text, place]));
    const held = new Set<number>();
    let last = -1;
    for (const { seq, text } of own.filter(record => record.channel === channel)) {
      const place = places.get(text);
      if (place === undefined) found.unreadable.push(`${device.deviceId}: ${seq} is not what it sent: ${text}`);
      // Sent again, because the acknowledgement did not arrive.
      else if (held.has(place)) continue;
      else {
        if (place < last) found.outOfOrder.push(`${device.deviceId}: ${seq} was sent before its predecessor`);
        held.add(place);
        last = place;
      }
    }
    if (channel === 'log')
      for (const log of stored.logs)
        if (log.deviceNo === deviceNo && places.has(log.text)) held.add(places.get(log.text)!);
    const missing = sent.flatMap(({ position }, place) =>
      position !== null && position <= entries && !held.has(place) ? [place] : [],
    );
    const oldestHeld = Math.min(...held);
    for (const place of missing)
      if (!demands.mayDrop || place > oldestHeld)
        found.lost.push(`${device.deviceId}: ${channel} record ${place}: ${sent[place]!.text.slice(0, 80)}`);
  }
}

/** The tables hold what the journal holds up to their cursor, as far back as it reaches. */
function checkTables(stored: Stored, { mayEmpty = false }: Demands, found: Findings): void {
  if (stored.cursor > stored.lastSeq && !(mayEmpty && stored.journal.length === 0))
    found.inconsistent.push(`the tables are at ${stored.cursor}, the journal ends at ${stored.lastSeq}`);
  const since = stored.journal[0]?.seq ?? Number.POSITIVE_INFINITY;
  const filled = stored.journal.filter(record => record.seq <= stored.cursor);
  const seqs = (fits: (record: StoredRecord) => boolean) => filled.filter(fits).map(record => record.seq);
  const compare = (table: string, rows: readonly number[], journal: readonly number[]) => {
    const there = new Set(rows);
    const wanted = new Set(journal);
    for (const seq of wanted) if (!there.has(seq)) found.inconsistent.push(`${table} lack ${seq}`);
    for (const seq of there)
      if (seq >= since && !wanted.has(seq)) found.inconsistent.push(`${table} have ${seq}, which the journal has not`);
  };
  const logs = stored.logs.map(row => row.seq);
  compare(
    'logs',
    logs,
    seqs(record => record.channel === 'log'),
  );
  compare(
    'check-ins',
    stored.checkinSeqs,
    seqs(record => record.action === 2001),
  );
}

/**
 * Numbers are given without gaps, so what is not in the journal was dropped. A block of logs goes
 * with the last of its segments: it may still have some that are counted.
 */
function checkCounts(stored: Stored, found: Findings): void {
  const missing = stored.lastSeq - new Set(stored.journal.map(record => record.seq)).size;
  if (missing !== stored.dropped)
    found.inconsistent.push(`${missing} records are missing, ${stored.dropped} are counted as dropped`);
}

/**
 * Of a box above that has nothing but lines of boxes below: the cursor that it answers with stands
 * at the last of them. What a cursor ahead of the journal has passed is never sent again.
 */
export function checkBatchCursor({ batchCursor, journal }: Stored, found: Findings): void {
  if (batchCursor > journal.length)
    found.lost.push(`the box below is told that ${batchCursor} lines are here, and ${journal.length} are`);
  if (batchCursor < journal.length)
    found.inconsistent.push(`${journal.length} lines are here, and the box below is asked from ${batchCursor} on`);
}
