import { DatabaseSync } from 'node:sqlite';
import { beforeEach, expect, test } from 'vitest';
import { moveRows } from '../../../src/store/people/person-rows.ts';
import { migrations } from '../../../src/store/schema/migrations.generated.ts';

let database: DatabaseSync;
const sql = (text: string) => database.prepare(text);
const rows = (text: string) =>
  sql(text)
    .all()
    .map(row => ({ ...row }));

beforeEach(() => {
  database = new DatabaseSync(':memory:');
  for (const { statements } of migrations) for (const statement of statements) database.exec(statement);
});

const records = { table: 'biometric_record', column: 'ext_id', beside: ['seq'] };
const putRecords = () =>
  database.exec("INSERT INTO biometric_record (ext_id, seq) VALUES ('old', 1), ('old', 2), ('new', 2), ('new', 3)");

test('rows get the new value, and one that has it already makes way', () => {
  putRecords();
  moveRows({ sql }, records, 'old', 'new');
  expect(rows('SELECT * FROM biometric_record ORDER BY seq')).toEqual([1, 2, 3].map(seq => ({ ext_id: 'new', seq })));
});

test('what comes replaces the other columns too', () => {
  database.exec(
    "INSERT INTO feature_failure (ext_id, feature_type, device_no, at) VALUES ('old', 'face', 1, 10), ('new', 'face', 1, 20), ('new', 'face', 2, 30)",
  );
  moveRows(
    { sql },
    { table: 'feature_failure', column: 'ext_id', beside: ['feature_type', 'device_no'] },
    'old',
    'new',
  );
  expect(rows('SELECT ext_id, device_no, at FROM feature_failure ORDER BY device_no')).toEqual([
    { ext_id: 'new', device_no: 1, at: 10 },
    { ext_id: 'new', device_no: 2, at: 30 },
  ]);
});

test('the key is the column alone', () => {
  database.exec("INSERT INTO employment (ext_id, from_date) VALUES ('old', '2026-01-01'), ('new', '2025-01-01')");
  moveRows({ sql }, { table: 'employment', column: 'ext_id', beside: [] }, 'old', 'new');
  expect(rows('SELECT ext_id, from_date FROM employment')).toEqual([{ ext_id: 'new', from_date: '2026-01-01' }]);
});

test('rows of another kind stay, and make no way', () => {
  const put = sql(
    "INSERT INTO roster_rule (target_kind, target_id, cycle, anchor, from_date, recorded_at, recorded_by) VALUES (?, ?, '[]', '', '2026-01-01', 0, ?)",
  );
  put.run('person', 'old', 'a');
  put.run('person', 'new', 'b');
  put.run('department', 'new', 'c');
  put.run('department', 'old', 'd');
  const rules = { table: 'roster_rule', column: 'target_id', beside: ['target_kind', 'from_date'] };
  moveRows({ sql }, { ...rules, only: "target_kind = 'person'" }, 'old', 'new');
  expect(rows('SELECT target_kind, target_id, recorded_by FROM roster_rule ORDER BY recorded_by')).toEqual([
    { target_kind: 'person', target_id: 'new', recorded_by: 'a' },
    { target_kind: 'department', target_id: 'new', recorded_by: 'c' },
    { target_kind: 'department', target_id: 'old', recorded_by: 'd' },
  ]);
});

test('the same value again changes nothing', () => {
  putRecords();
  moveRows({ sql }, records, 'old', 'old');
  expect(rows('SELECT * FROM biometric_record')).toHaveLength(4);
});
