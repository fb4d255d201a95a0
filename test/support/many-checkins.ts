import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { checkInData } from '../../src/platform/check-data.ts';

export const filledFrom = 1_763_000_000;

/**
 * Puts check-ins straight into the tables of a store that nobody has open, as if they had been
 * reported one a second, with the initialization after the check-in `sinceId`: through the gateway
 * millions would take an hour. Creates `people` employees under the root.
 */
export function fillCheckIns(
  dataDir: string,
  count: number,
  { people = 3000, sinceId = 0 }: { readonly people?: number; readonly sinceId?: number } = {},
): void {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'));
  database.exec('PRAGMA synchronous = OFF; PRAGMA cache_size = -65536; BEGIN');
  const employ = database.prepare(
    "INSERT INTO employee (id, ext_id, name, employee_num, department_id, title, search_keys) VALUES (?, ?, ?, ?, 1, '', '')",
  );
  for (let no = 1; no <= people; no++) employ.run(no, `e${no}`, `员工 ${no}`, String(no).padStart(6, '0'));
  const insert = database.prepare(
    'INSERT INTO checkin (id, seq, device_no, received_at, record_id, employee_id, check_type, check_time_seconds, check_data) VALUES (?, 0, 1, ?, ?, ?, ?, ?, ?)',
  );
  const facts = { deviceName: 'North gate', serialNumber: 'A0001' };
  for (let id = 1; id <= count; id++) {
    const no = (id % people) + 1;
    const person = {
      employeeNum: String(no).padStart(6, '0'),
      name: `员工 ${no}`,
      departmentId: '1',
      departmentName: 'Plant',
    };
    const data = JSON.stringify(checkInData('fa', {}, { ...facts, person }));
    insert.run(id, (filledFrom + id) * 1000, '', no, 'fa', filledFrom + id, data);
    if (id % 200_000 === 0) database.exec('COMMIT; BEGIN');
  }
  database.prepare("UPDATE counter SET value = ? WHERE name = 'checkin'").run(count);
  database
    .prepare("INSERT OR REPLACE INTO meta VALUES ('checkins_since', ?)")
    .run(JSON.stringify({ id: sinceId, at: filledFrom * 1000 }));
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}
