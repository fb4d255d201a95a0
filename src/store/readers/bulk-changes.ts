import type { BulkChange, BulkChangeReads } from '../port/bulk-changes.ts';
import type { Connection } from '../schema/database.ts';

/** Changes of many devices or people that can be undone. */
export const bulkChangeReads = ({ sql }: Connection): BulkChangeReads => ({
  async bulkChanges({ id, since }) {
    const rows = sql(
      `SELECT id, at, by, what, (SELECT count(*) FROM bulk_change_row r WHERE r.bulk_id = b.id) AS rows
         FROM bulk_change b WHERE at >= ?1 AND (id = ?2 OR ?2 IS NULL) ORDER BY id DESC`,
    ).all(since, id ?? null) as unknown as BulkChange[];
    return rows.map(row => ({ ...row }));
  },
});
