import type { Connection } from '../../schema/database.ts';

/** With the person go the corrections; one that is about others too stays for them. */
export function deleteCorrections({ sql }: Connection, extId: string): void {
  const rows = sql('SELECT DISTINCT correction_id AS id FROM correction_item WHERE ext_id = ?').all(extId);
  sql('DELETE FROM correction_item WHERE ext_id = ?').run(extId);
  for (const { id } of rows as { id: number }[]) {
    if (sql('SELECT 1 FROM correction_item WHERE correction_id = ? LIMIT 1').get(id)) continue;
    sql('DELETE FROM correction_decision WHERE correction_id = ?').run(id);
    sql('DELETE FROM correction WHERE id = ?').run(id);
  }
}
