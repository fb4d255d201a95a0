import type { DeviceNo } from '../../src/store/index.ts';
import type { Entry } from '../history/entry.ts';
import type { Rule } from '../history/findings.ts';
import { judgeAll } from '../history/judge.ts';
import { type Findings, nothingFound } from './findings.ts';
import type { RecordingNotes } from './recording.ts';
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
  for (let at = 1; at < stored.journal.length; at++)
    if (stored.journal[at]!.seq <= stored.journal[at - 1]!.seq)
      found.inconsistent.push(`${stored.journal[at]!.seq} is there twice`);
  checkRecords(stored, notes, entries, demands, found);
  checkTables(stored, demands, found);
  if (demands.mayDrop) checkCounts(stored, found);
  else if (stored.dropped > 0) found.lost.push(`${stored.dropped} records were dropped`);
  if (stored.auditBroken !== null) found.inconsistent.push(`the audit log is broken: ${stored.auditBroken}`);
  return found;
}

/**
 * The records of each device, judged as every history is. A record that was sent again, because its
 * acknowledgement did not arrive, may be there again.
 */
function checkRecords(stored: Stored, notes: RecordingNotes, entries: number, demands: Demands, found: Findings): void {
  for (const { rule, says } of judgeAll(historyOf(stored, notes, entries, demands)).findings) {
    // A cut may come before the first acknowledgement.
    if (rule === 'unjudged') continue;
    found[faultOf[rule] ?? 'inconsistent'].push(says);
  }
}

const faultOf: Partial<Record<Rule, keyof Findings>> = {
  ...{ lost: 'lost', 'out of order': 'outOfOrder', unknown: 'unreadable' },
};

/** History of a cut: acknowledgements until then, the journal and the table of logs after it. */
function* historyOf(stored: Stored, notes: RecordingNotes, entries: number, { mayDrop }: Demands): Generator<Entry> {
  const by = { at: 0, by: 'device' };
  for (const kind of ['device', 'log'] as const) {
    const numbers = new Map<DeviceNo, { device: string; ofText: Map<string, number> }>();
    for (const { deviceId: device, sent } of notes.devices) {
      const ofText = new Map<string, number>();
      for (const { text, position } of sent.filter(record => record.channel === kind)) {
        const n = ofText.size + 1;
        ofText.set(text, n);
        yield { ...by, op: 'send', device, kind, n };
        if (position !== null && position <= entries) yield { ...by, op: 'ack', device, kind, n };
      }
      const deviceNo = stored.deviceNos.get(device.toUpperCase());
      if (deviceNo !== undefined) numbers.set(deviceNo, { device, ofText });
    }
    const rows = new Map(stored.journal.filter(record => record.channel === kind).map(record => [record.seq, record]));
    const all =
      kind === 'log' ? [...stored.logs.filter(({ seq }) => !rows.has(seq)), ...rows.values()] : [...rows.values()];
    yield { ...by, op: 'read', store: 'the cut store', kind, ...(mayDrop && { may_lack: 'oldest' }) };
    for (const { seq, deviceNo, text } of all.sort((one, other) => one.seq - other.seq)) {
      const known = numbers.get(deviceNo);
      // 0 is no number of any record: nobody sent it.
      if (known)
        yield {
          ...by,
          op: 'row',
          store: 'the cut store',
          kind,
          device: known.device,
          n: known.ofText.get(text) ?? 0,
          id: seq,
        };
    }
    yield { ...by, op: 'read_end', store: 'the cut store', kind };
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
