import type { JournalReader } from '../journal/read.ts';
import type { Seq } from '../port/journal.ts';
import type { ErasureRow, PeopleReads } from '../port/people.ts';
import type { Connection } from '../schema/database.ts';
import type { KnownDevices } from './stored-devices.ts';

/**
 * Of what is still held of somebody, so many records are looked at to say whether the cloud has to
 * have them first.
 */
const lookedAtMax = 20;

/** Who was erased, and what the journal still holds of them (erasing.ts). */
export function erasureReads(
  { sql }: Connection,
  journal: JournalReader,
  devices: KnownDevices,
  hasCloud: boolean,
): Pick<PeopleReads, 'erasures'> {
  const waits = (seq: Seq): boolean => {
    if (sql('SELECT 1 FROM parked WHERE seq = ?').get(seq)) return true;
    if (!hasCloud) return false;
    const record = journal.record(seq);
    if (!record || record.marks.quarantined || record.marks.local) return false;
    const device = devices.deviceByNo(record.deviceNo);
    return device !== undefined && seq > device.forwarded[record.channel];
  };

  return {
    async erasures(limit) {
      const rows = sql(
        `SELECT e.ext_id, e.at, e.done_at, e.through_seq,
           (SELECT count(*) FROM biometric_record b WHERE b.ext_id = e.ext_id AND b.seq <= e.through_seq) AS held
           FROM erasure e ORDER BY e.done_at IS NOT NULL, e.id DESC LIMIT ?`,
      ).all(limit) as { ext_id: string; at: number; done_at: number | null; through_seq: number; held: number }[];
      const newest = sql('SELECT seq FROM biometric_record WHERE ext_id = ? AND seq <= ? ORDER BY seq DESC LIMIT ?');
      return rows.map((row): ErasureRow => {
        const isDone = row.done_at !== null;
        const seqs = isDone ? [] : (newest.all(row.ext_id, row.through_seq, lookedAtMax) as { seq: Seq }[]);
        return {
          extId: row.ext_id,
          at: row.at,
          doneAt: row.done_at,
          held: isDone ? 0 : row.held,
          waitsForCloud: seqs.some(({ seq }) => waits(seq)),
        };
      });
    },
  };
}
