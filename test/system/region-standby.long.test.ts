import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { Postgres, suiteWithPostgres } from '../support/postgres.ts';
import { postgresUrl } from '../support/postgres-store.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite } from '../support/site.ts';
import { until } from '../support/until.ts';

/** Commits of the server wait for this standby from now on; empty: for none. */
async function waitsFor(postgres: Postgres, standby: string): Promise<void> {
  postgres.run('postgres', `ALTER SYSTEM SET synchronous_standby_names = '${standby}'`);
  postgres.run('postgres', 'SELECT pg_reload_conf()');
  await until('the setting', () => postgres.run('postgres', 'SHOW synchronous_standby_names').trim() === standby);
}

suiteWithPostgres('a process of a region', () => {
  test('refuses while its standby is away, says so, goes on by itself, and ends with 69 when the server has gone', async () => {
    await using parts = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-standby-'));
    parts.defer(() => rm(folder, { recursive: true, force: true }));
    const postgres = parts.use(await Postgres.start());
    const urlFile = join(folder, 'url');
    await writeFile(urlFile, postgresUrl(postgres, postgres.create()), { mode: 0o600 });
    const config = { store: { engine: 'postgres', url: `file:${urlFile}` }, listen: { mqtts: 'off' } };
    const region = parts.use(await BoxProcess.start(config, aSite()));
    const more = join(folder, 'more.yaml');
    const product = { product_id: 'MORE', product_key: 'a-key-of-more-products', name: 'More', access: 'http' };
    await writeFile(more, stringify({ products: [product] }));
    const status = () => region.ask('status');
    await until('it is said', async () => /database the database has no synchronous standby/.test(await status()));

    await waitsFor(postgres, 'away');
    const refused = await region.run('apply', more);
    expect(refused.status).toBe(1);
    expect(refused.stderr).toContain('no synchronous standby is connected to the database');
    expect(await status()).toContain('NOTHING IS ACKNOWLEDGED: no synchronous standby is connected to the database');

    await waitsFor(postgres, '');
    await until('it goes on', async () => !/NOTHING IS ACKNOWLEDGED/.test(await status()));
    await region.ask('apply', more);

    await postgres.crash();
    await until('it has ended', () => !region.alive);
    expect(await region.stop()).toBe(69);
    expect(region.stderr).toContain('the database is gone: the process ends and should be started again');
    await region.start();
    await until('it is back', async () => /database the database has no/.test(await status()));
  });
});
