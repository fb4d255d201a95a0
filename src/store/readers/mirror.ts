import type { MirrorReads, UncertainMatch } from '../port/mirror.ts';
import type { Connection } from '../schema/database.ts';

type Row = Record<string, string | number>;

const side = (row: Row, of: 'site' | 'cloud'): UncertainMatch['site'] => ({
  id: row[`${of}_id`] as number,
  time: row[`${of}_time`] as number,
  place: row[`${of}_place`] as string,
  checkType: row[`${of}_type`] as string,
});

const pairs = (table: string, place: string, kind: string): string => `
  SELECT m.id, m.at, m.kind, coalesce(e.ext_id, '') AS ext_id, coalesce(e.name, '') AS name,
    m.site_id, s.check_time_seconds AS site_time, s.check_type AS site_type,
    coalesce(nullif(s.${place}, ''), substr(d.device_id, instr(d.device_id, '_') + 1), '') AS site_place,
    m.cloud_id, c.check_time_seconds AS cloud_time, c.check_type AS cloud_type, coalesce(c.${place}, '') AS cloud_place
    FROM uncertain_match m JOIN ${table} s ON s.id = m.site_id JOIN ${table} c ON c.id = m.cloud_id
    LEFT JOIN employee e ON e.id = c.employee_id LEFT JOIN device d ON d.device_no = s.device_no
    WHERE m.kind = '${kind}'`;

const shown = `${pairs('checkin', 'terminal_id', 'checkin')} UNION ALL ${pairs('access_record', 'door_id', 'access')}
  ORDER BY 1 DESC LIMIT ?`;

/** How far the cloud's lists are copied, and which rows may be duplicates. */
export function mirrorReads({ sql }: Connection): MirrorReads {
  return {
    async mirrorCursor(list) {
      const row = sql('SELECT next_id, whole_at FROM mirror_cursor WHERE list = ?').get(list) as
        | { next_id: number; whole_at: number | null }
        | undefined;
      return { nextId: row?.next_id ?? 0, wholeAt: row?.whole_at ?? null };
    },

    async uncertainMatches(limit) {
      const { many } = sql('SELECT count(*) AS many FROM uncertain_match').get() as { many: number };
      const rows = sql(shown).all(limit) as Row[];
      return {
        total: many,
        rows: rows.map(row => ({
          id: row.id as number,
          at: row.at as number,
          kind: row.kind as UncertainMatch['kind'],
          extId: row.ext_id as string,
          name: row.name as string,
          site: side(row, 'site'),
          cloud: side(row, 'cloud'),
        })),
      };
    },
  };
}
