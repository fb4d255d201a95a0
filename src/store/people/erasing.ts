import { and, desc, eq, isNotNull, lte, sql } from 'drizzle-orm';
import { holdersOf, withoutBiometrics } from '../../platform/biometrics.ts';
import { parseEnvelope } from '../../platform/envelope.ts';
import { parsedDigitByDigit, textOf, withoutPadding } from '../../platform/json-bytes.ts';
import { cursorsOf, parked } from '../domains/forwarding/tables.ts';
import { withPayloads } from '../journal/segment.ts';
import type { SegmentReader } from '../journal/segment-reader.ts';
import { eachDevice, readSegment, sealSegment, UnreadableSegment } from '../journal/segment-row.ts';
import type { JournalRecord, Seq } from '../port/journal.ts';
import type { EraseReport, ErasureRow, PeopleReads } from '../port/people.ts';
import type { KnownDevices } from '../readers/stored-devices.ts';
import type { Connection } from '../schema/database.ts';
import { biometricRecord, erasure } from '../schema/people.ts';
import { type Params, query } from '../schema/query.ts';
import { takeOutOfInbox } from './people-data.ts';

/**
 * Which records of the journal hold whose features and pictures (table `biometric_record`). The
 * projection adds entries as it goes, in its transaction.
 */
export class BiometricIndex {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  add(seq: number, data: Readonly<Record<string, unknown>>): void {
    for (const extId of holdersOf(data))
      this.#connection.later(
        'INSERT INTO biometric_record (ext_id, seq) VALUES (?, ?) ON CONFLICT (ext_id, seq) DO NOTHING',
        ...[extId, seq],
      );
  }

  /** Adds a record whose envelope was not parsed yet. */
  addRecord({ seq, channel, payload }: JournalRecord): void {
    if (channel !== 'device') return;
    const read = parseEnvelope(payload);
    if (read.ok) this.add(seq, read.value.data);
  }
}

/**
 * Notes that records received up to now lose the features and pictures of these people, and empties
 * at once what the cloud does not need.
 */
export function erase(connection: Connection, extIds: ReadonlySet<string>, at: number): void {
  const { sql } = connection;
  const { seq } = sql(
    `SELECT max((SELECT seq FROM projection_cursor WHERE id = 1),
       coalesce((SELECT first_seq + count - 1 FROM segment ORDER BY first_seq DESC LIMIT 1), 0)) AS seq`,
  ).get() as { seq: number };
  for (const extId of extIds) {
    sql('INSERT INTO erasure (ext_id, at, through_seq) VALUES (?, ?, ?)').run(extId, at, seq);
    sql('DELETE FROM organization_write WHERE subject = ?').run(`features of ${extId}`);
  }
  takeOutOfInbox(connection, extIds, null);
}

/**
 * Up to which record each of these people was erased, 0 if nobody asked for it. Such a record may
 * be projected only later.
 */
export const erasedThrough = ({ each }: Connection, extIds: readonly string[]): number[] =>
  each(
    'SELECT coalesce(max(through_seq), 0) AS seq FROM erasure WHERE ext_id = ?',
    extIds.map(extId => [extId]),
  ).map(row => (row as { seq: number }).seq);

/** A step delays other commits, so it is bounded to a few milliseconds. */
const stepRows = 200;
const stepBytes = 512 << 10;
/** How long an erasure is shown after it is complete. */
const shownMs = 30 * 24 * 3600 * 1000;

interface Due {
  readonly ext_id: string;
  readonly seq: number;
}

interface Head {
  readonly first_seq: number;
  readonly count: number;
  readonly devices: Uint8Array;
}

/**
 * Removes the features and pictures of erased people from the journal, as soon as the cloud has had
 * the record. Rewrites the segment; each record keeps its place and number, and all others stay
 * byte for byte. Runs in the writer thread, in steps, each in the caller's transaction.
 */
export class Erasing {
  readonly #connection: Connection;
  readonly #upstream: boolean;
  /** Up to here the records that are due were processed in this round. */
  #after = 0;
  /** Of segments, unpacked. */
  #openedBytes = 0;

  constructor(connection: Connection, upstream: boolean) {
    this.#connection = connection;
    this.#upstream = upstream;
  }

  step(now: number, projectedSeq: number): EraseReport {
    const rewritten: number[] = [];
    const more = this.#connection.overwriting(() => this.#rewriteSome(rewritten));
    this.#close(now, projectedSeq);
    return { rewritten, more };
  }

  #rewriteSome(rewritten: number[]): boolean {
    const due = this.#connection
      .sql(
        // CROSS JOIN: starts from the few erased people, never from the records of everybody.
        `SELECT DISTINCT b.ext_id, b.seq FROM erasure e CROSS JOIN biometric_record b ON b.ext_id = e.ext_id AND b.seq > ?1 AND b.seq <= e.through_seq
           WHERE e.done_at IS NULL ORDER BY b.seq, b.ext_id LIMIT ?2`,
      )
      .all(this.#after, stepRows) as unknown as Due[];
    const bytesUntil = this.#openedBytes + stepBytes;
    for (let at = 0; at < due.length; ) {
      if (this.#openedBytes >= bytesUntil) return true;
      const head = this.#headOf(due[at]!.seq);
      const last = head ? head.first_seq + head.count - 1 : due[at]!.seq;
      // All records of the segment that are due, also those after the end of this page.
      const ofSegment = head ? this.#dueIn(head) : [due[at]!];
      if (head && this.#rewrite(head, ofSegment)) rewritten.push(head.first_seq);
      // Without its segment there is nothing to rewrite.
      if (!head) for (const one of ofSegment) this.#forget(one);
      this.#after = last;
      while (at < due.length && due[at]!.seq <= last) at++;
    }
    if (due.length === stepRows) return true;
    this.#after = 0;
    return false;
  }

  #headOf(seq: number): Head | undefined {
    const head = this.#connection
      .sql(
        `SELECT first_seq, count, devices FROM segment
           WHERE first_seq <= ? ORDER BY first_seq DESC LIMIT 1`,
      )
      .get(seq) as Head | undefined;
    return head && seq < head.first_seq + head.count ? head : undefined;
  }

  #dueIn({ first_seq, count }: Head): Due[] {
    return this.#connection
      .sql(
        `SELECT b.ext_id, b.seq FROM biometric_record b WHERE b.seq BETWEEN ? AND ? AND EXISTS
           (SELECT 1 FROM erasure e WHERE e.ext_id = b.ext_id AND e.through_seq >= b.seq AND e.done_at IS NULL)`,
      )
      .all(first_seq, first_seq + count - 1) as unknown as Due[];
  }

  #rewrite(head: Head, due: readonly Due[]): boolean {
    if (this.#allWaits(head)) return false;
    const { sql, seal } = this.#connection;
    const whose = new Map<number, Set<string>>();
    for (const { ext_id, seq } of due) whose.set(seq, (whose.get(seq) ?? new Set()).add(ext_id));
    try {
      const packed = readSegment(this.#connection, head.first_seq);
      if (!packed) return false;
      this.#openedBytes += packed.length;
      const gone = new Set<number>();
      const rewritten = withPayloads(packed, head.first_seq, record => {
        const extIds = whose.get(record.seq);
        if (!extIds || this.#waits(record)) return null;
        gone.add(record.seq);
        return this.#without(record, extIds);
      });
      if (gone.size === 0) return false;
      sql('UPDATE segment SET sealed_records = ? WHERE first_seq = ?').run(
        sealSegment(seal, rewritten, head.first_seq),
        head.first_seq,
      );
      for (const one of due) if (gone.has(one.seq)) this.#forget(one);
      return true;
    } catch (error) {
      // An unreadable segment stays until retention drops it: nothing can be removed from it.
      if (error instanceof UnreadableSegment) return false;
      throw error;
    }
  }

  /** A person whom the index does not list for this message had another ext id when it was sent. */
  #without({ seq, payload }: JournalRecord, extIds: ReadonlySet<string>): Buffer {
    const message = parsedDigitByDigit(textOf(withoutPadding(payload))) as {
      data: Record<string, unknown>;
    };
    const rows = this.#connection.sql('SELECT ext_id FROM biometric_record WHERE seq = ?').all(seq) as Pick<
      Due,
      'ext_id'
    >[];
    const others = new Set(rows.map(row => row.ext_id).filter(extId => !extIds.has(extId)));
    const named = [...holdersOf(message.data)];
    const own = named.filter(extId => extIds.has(extId));
    const gone = own.length === extIds.size ? own : named.filter(extId => !others.has(extId));
    return withoutBiometrics(message, new Set(gone));
  }

  #forget({ ext_id, seq }: Due): void {
    this.#connection.sql('DELETE FROM biometric_record WHERE ext_id = ? AND seq = ?').run(ext_id, seq);
  }

  /** By the head alone: whether all its records wait for the cloud. */
  #allWaits({ first_seq, devices }: Head): boolean {
    if (!this.#upstream) return false;
    let all = true;
    eachDevice(devices, (device, count, channel) => {
      if (channel === 'log') return;
      const cursors = cursorsOf(this.#connection, device);
      if (count === 0 || !cursors || cursors.device >= first_seq) all = false;
    });
    return all;
  }

  /** Whether the cloud has not had it yet: to be forwarded and not confirmed, or parked. */
  #waits({ seq, deviceNo, channel, marks }: JournalRecord): boolean {
    if (this.#connection.sql('SELECT 1 FROM parked WHERE seq = ?').get(seq)) return true;
    if (!this.#upstream || marks.local) return false;
    const cursors = cursorsOf(this.#connection, deviceNo);
    return cursors !== undefined && seq > cursors[channel];
  }

  /** Notes the erasures whose last record is gone. */
  #close(now: number, projectedSeq: number): void {
    const { sql } = this.#connection;
    sql(
      `UPDATE erasure SET done_at = ?1 WHERE done_at IS NULL AND through_seq <= ?2 AND NOT EXISTS
         (SELECT 1 FROM biometric_record b WHERE b.ext_id = erasure.ext_id AND b.seq <= erasure.through_seq)`,
    ).run(now, projectedSeq);
    sql('DELETE FROM erasure WHERE done_at < ?').run(now - shownMs);
  }
}

/** How many of a person's remaining records are checked to say whether they wait for the cloud. */
const lookedAtMax = 20;

/** The people who were erased, and what the journal still holds of them (erasing.ts). */
export function erasureReads(
  { orm }: Connection,
  journal: SegmentReader,
  devices: KnownDevices,
  hasCloud: boolean,
): Pick<PeopleReads, 'erasures'> {
  const newest = query((value: Params<{ extId: string; throughSeq: number; limit: number }>) =>
    orm
      .select({ seq: biometricRecord.seq })
      .from(biometricRecord)
      .where(and(eq(biometricRecord.extId, value.extId), lte(biometricRecord.seq, value.throughSeq)))
      .orderBy(desc(biometricRecord.seq))
      .limit(value.limit),
  );
  const erasures = query((value: Params<{ limit: number }>) =>
    orm
      .select({
        extId: erasure.extId,
        at: erasure.at,
        doneAt: erasure.doneAt,
        throughSeq: erasure.throughSeq,
        held: sql`(SELECT count(*) FROM ${biometricRecord}
            WHERE ${biometricRecord.extId} = ${erasure.extId} AND ${biometricRecord.seq} <= ${erasure.throughSeq})`.mapWith(
          Number,
        ),
      })
      .from(erasure)
      .orderBy(isNotNull(erasure.doneAt), desc(erasure.id))
      .limit(value.limit),
  );
  const isParked = query((value: Params<{ seq: number }>) =>
    orm.select({ seq: parked.seq }).from(parked).where(eq(parked.seq, value.seq)),
  );

  const waits = (seq: Seq): boolean => {
    if (isParked.get({ seq })) return true;
    if (!hasCloud) return false;
    const record = journal.record(seq);
    if (!record || record.marks.local) return false;
    const device = devices.deviceByNo(record.deviceNo);
    return device !== undefined && seq > device.forwarded[record.channel];
  };

  return {
    async erasures(limit) {
      return erasures.all({ limit }).map(({ throughSeq, held, ...row }): ErasureRow => {
        if (row.doneAt !== null) return { ...row, held: 0, waitsForCloud: false };
        const seqs = newest.all({ extId: row.extId, throughSeq, limit: lookedAtMax });
        return { ...row, held, waitsForCloud: seqs.some(({ seq }) => waits(seq)) };
      });
    },
  };
}
