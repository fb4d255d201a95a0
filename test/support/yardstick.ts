import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';

/**
 * A fixed piece of work (SQLite, JSON, hashing) in a process of its own: prints the seconds of
 * processor time that it took.
 */
const before = process.cpuUsage();
const database = new DatabaseSync(':memory:');
database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT); CREATE INDEX by_body ON t (body)');
const insert = database.prepare('INSERT INTO t (body) VALUES (?)');
for (let round = 0; round < 60_000; round++) {
  const body = JSON.stringify({ round, text: createHash('sha256').update(String(round)).digest('hex') });
  insert.run((JSON.parse(body) as { text: string }).text);
}
database.prepare('SELECT body FROM t ORDER BY body DESC').all();
database.close();
const { user, system } = process.cpuUsage(before);
process.stdout.write(String((user + system) / 1e6));
