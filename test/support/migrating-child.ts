import { Bridge } from '../../src/store/postgres/bridge.ts';
import { postgresMigrations } from '../../src/store/postgres/ddl.ts';
import { migratePostgres } from '../../src/store/postgres/migrate.ts';

/** Migrates as a version with one more migration does, which blocks its thread: `URL MS STATEMENT…`. */
const [url, patienceMs, ...statements] = process.argv.slice(2);
try {
  const migrations = [...postgresMigrations(), { name: '20991231000000_next', statements }];
  migratePostgres(new Bridge(url!), { migrations, patienceMs: Number(patienceMs) });
} catch (error) {
  process.stdout.write((error as Error).message);
}
