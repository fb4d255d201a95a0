import { expect, onTestFinished, test } from 'vitest';
import { SideConnection } from '../../../src/store/postgres/side-connection.ts';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase } from '../../support/postgres-store.ts';

suiteWithPostgres('a connection that several parts share', () => {
  const postgres = postgresOfFile();

  test('runs what is asked at the same time one by one and in order, and goes on after a wrong statement', async () => {
    const warnings: string[] = [];
    const note = ({ message }: Error) => void warnings.push(message);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const side = await SideConnection.open(aDatabase(await postgres()));
    onTestFinished(() => side.close());
    await side.query('CREATE TEMPORARY TABLE seen (no serial, word text)');
    const wrong = side.query('SELECT 1 / 0');
    const words = Array.from({ length: 20 }, (_, word) => String(word));
    const all = words.map(word => side.query({ text: 'INSERT INTO seen (word) VALUES ($1)', values: [word] }));
    await expect(wrong).rejects.toThrow('division by zero');
    await Promise.all(all);
    const rows = await side.query<{ word: string }>('SELECT word FROM seen ORDER BY no');
    expect(rows.map(({ word }) => word)).toEqual(words);
    // The driver warns of a statement that is asked while another runs.
    await new Promise(setImmediate);
    expect(warnings).toEqual([]);
  });

  test('says that it broke, unless it was closed', async () => {
    const server = await postgres();
    const url = aDatabase(server);
    const [broken, closed] = [await SideConnection.open(url), await SideConnection.open(url)];
    const breaks = Promise.withResolvers<void>();
    broken.onBroken(() => breaks.resolve());
    let said = false;
    closed.onBroken(() => {
      said = true;
    });
    await closed.close();
    const [own] = await broken.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    server.run('postgres', `SELECT pg_terminate_backend(${own!.pid})`);
    await breaks.promise;
    await expect(broken.query('SELECT 1')).rejects.toThrow();
    expect(said).toBe(false);
  });
});
