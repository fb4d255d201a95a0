import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { migrations } from '../../../src/store/schema/migrations.generated.ts';
import { flood, trickle } from '../load.ts';
import type { Scenario } from '../scenario.ts';

/** Of the program before: it had the first ones only. */
const olderVersion = 20;

/**
 * Makes of a stopped box's store one of an older program: the tables and columns that this one had,
 * with what they hold. The tables behind the journal are empty and are filled again from it.
 */
function asOlderProgram(dataDir: string): void {
  const file = join(dataDir, 'gatehouse.db');
  const database = new DatabaseSync(`${file}.older`);
  database.exec('PRAGMA page_size = 2048; PRAGMA journal_mode = WAL');
  for (const { statements } of migrations.slice(0, olderVersion))
    for (const statement of statements) database.exec(statement);
  database.prepare('ATTACH ? AS newer').run(file);
  const columns = (schema: string, table: string): string[] =>
    database
      .prepare(`SELECT name FROM pragma_table_info(?, ?)`)
      .all(table, schema)
      .map(row => String(row.name));
  const tables = database.prepare("SELECT name FROM main.sqlite_schema WHERE type = 'table'").all();
  for (const name of tables.map(row => String(row.name))) {
    if (/^sqlite_|^device_log|^projection_cursor$/.test(name)) continue;
    const common = columns('newer', name).filter(column => columns('main', name).includes(column));
    if (common.length === 0) continue;
    const list = common.map(column => `"${column}"`).join(', ');
    database.exec(`INSERT OR REPLACE INTO main."${name}" (${list}) SELECT ${list} FROM newer."${name}"`);
  }
  database.exec(`INSERT INTO projection_cursor (id, seq) VALUES (1, 0); PRAGMA user_version = ${olderVersion}`);
  database.exec('DETACH newer');
  database.close();
  for (const ending of ['-wal', '-shm']) rmSync(file + ending, { force: true });
  renameSync(`${file}.older`, file);
}

export const migration: Scenario = {
  name: 'migration',
  says: `the store of an older program (schema ${olderVersion}) is brought up to date at a start`,
  settles: true,
  // Opening a store takes ten times as long as reading it.
  share: 3 / 8,
  async play(stage) {
    const box = await stage.box();
    await flood(stage.mqttTerminals(box, 4), stage.notes, { inFlight: 4, records: 100, channel: () => 'log' });
    await box.stop();
    asOlderProgram(stage.dataDir);
    stage.notes.begin();
    await box.start();
    await trickle(stage.mqttTerminals(box, 4, 4), stage.notes, 40);
  },
};
