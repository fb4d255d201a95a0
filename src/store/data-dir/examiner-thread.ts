import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parentPort, workerData } from 'node:worker_threads';
import { oldestWriterOf, versionOf } from '../schema/migrate.ts';
import { checkContents, renewContents } from './backup-contents.ts';
import { BackupRefused } from './backup-refused.ts';
import type { DatabaseFacts, ExaminerData, ExaminerReply } from './examination.ts';

/** One examination of a database (examiner.ts); then the thread ends. */
parentPort!.postMessage(reply(workerData as ExaminerData));

function reply(data: ExaminerData): ExaminerReply {
  try {
    if (data.kind === 'facts') return { kind: 'facts', facts: factsOf(data.database) };
    checkContents(data.work, data.file);
    const facts = factsOf(join(data.work, 'gatehouse.db'));
    renewContents(data.work, data.replaced);
    return { kind: 'facts', facts };
  } catch (error) {
    if (error instanceof BackupRefused) return { kind: 'refused', code: error.code, reason: error.reason };
    return { kind: 'failed', message: String((error as Error).message) };
  }
}

function factsOf(path: string): DatabaseFacts {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY name",
      )
      .all() as { name: string }[];
    const counts = tables.map(({ name }) => {
      const row = database.prepare(`SELECT count(*) AS count FROM "${name.replaceAll('"', '""')}"`).get();
      return [name, (row as { count: number }).count];
    });
    return {
      schemaVersion: versionOf(database),
      oldestSchemaVersion: oldestWriterOf(database),
      counts: Object.fromEntries(counts),
      statements: statementsIn(database),
    };
  } finally {
    database.close();
  }
}

/** A store of the first versions keeps no statements. */
function statementsIn(database: DatabaseSync): string | null {
  if (!database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'remembered'").get()) return null;
  const row = database.prepare("SELECT value FROM remembered WHERE service = 'box' AND key = 'statements'").get();
  return (row as { value: string } | undefined)?.value ?? null;
}
