import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Store } from '../../../src/store/index.ts';
import { whyUnusable } from '../../../src/store/postgres/shared-files.ts';
import { postgresOfFile, suiteWithPostgres } from '../../support/postgres.ts';
import { aDatabase, openedPostgresStore, postgresUrl } from '../../support/postgres-store.ts';
import { until } from '../../support/until.ts';

const warned = (store: Pick<Store, 'databaseWarnings'>) => store.databaseWarnings().map(({ code }) => code);

async function aFolder() {
  const path = await mkdtemp(join(tmpdir(), 'gatehouse-files-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

test('the line for the unit is named where the unit keeps the shared directory read-only', () => {
  expect(whyUnusable('/srv/gatehouse', 'EROFS')).toMatch(
    /^store\.files: .*gatehouse\.service.*`systemctl edit gatehouse`.*\[Service\] and ReadWritePaths=\/srv\/gatehouse,/,
  );
});

suiteWithPostgres('the directory that the processes of a region share', () => {
  const postgres = postgresOfFile();

  test('is known to the database from the first process on, and no other is taken', async () => {
    await using folder = await aFolder();
    await using other = await aFolder();
    const url = aDatabase(await postgres());
    await using first = await openedPostgresStore(url, { files: folder.path });
    await using second = await openedPostgresStore(url, { files: folder.path });
    expect(second.epoch).toBe(first.epoch);
    await expect(openedPostgresStore(url, { files: other.path })).rejects.toThrow(
      /^store\.files: .* has no gatehouse-region\.json, which the directory of the other processes has: see that it is mounted here/,
    );
    await expect(openedPostgresStore(url, { files: join(other.path, 'none') })).rejects.toThrow(
      /^store\.files: .* cannot be used \(ENOENT\): see that it is mounted here/,
    );
  });

  test('is known to a database that was restored, and has another epoch since', async () => {
    await using folder = await aFolder();
    const server = await postgres();
    const url = aDatabase(server);
    await (await openedPostgresStore(url, { files: folder.path }))[Symbol.asyncDispose]();
    server.run(/@\/(\w+)/.exec(url)![1]!, "UPDATE meta SET value = 'another' WHERE key = 'epoch'");
    await (await openedPostgresStore(url, { files: folder.path }))[Symbol.asyncDispose]();
  });

  test('is refused to a copy of its database', async () => {
    await using folder = await aFolder();
    const server = await postgres();
    const url = aDatabase(server);
    await (await openedPostgresStore(url, { files: folder.path }))[Symbol.asyncDispose]();
    const copy = postgresUrl(server, server.create(/@\/(\w+)/.exec(url)![1]!));
    await expect(openedPostgresStore(copy, { files: folder.path })).rejects.toThrow(/ is in use by another region/);
  });

  test('is refused when it is that of another region, or its marker is damaged', async () => {
    await using folder = await aFolder();
    await (await openedPostgresStore(aDatabase(await postgres()), { files: folder.path }))[Symbol.asyncDispose]();
    const url = aDatabase(await postgres());
    await expect(openedPostgresStore(url, { files: folder.path })).rejects.toThrow(
      /^store\.files: .* is in use by another region/,
    );
    await writeFile(join(folder.path, 'gatehouse-region.json'), '{}');
    await expect(openedPostgresStore(url, { files: folder.path })).rejects.toThrow(
      /^store\.files: .*gatehouse-region\.json cannot be read/,
    );
  });

  test('may be moved with all that is in it', async () => {
    await using folder = await aFolder();
    await using other = await aFolder();
    const url = aDatabase(await postgres());
    await (await openedPostgresStore(url, { files: folder.path }))[Symbol.asyncDispose]();
    await rename(join(folder.path, 'gatehouse-region.json'), join(other.path, 'gatehouse-region.json'));
    await using moved = await openedPostgresStore(url, { files: other.path });
    expect(moved.healthState()).toBe('ok');
  });

  test('is asked for as soon as there are two processes', async () => {
    await using folder = await aFolder();
    const url = aDatabase(await postgres());
    await using without = await openedPostgresStore(url);
    await until('it has looked', () => warned(without).includes('no_standby'));
    expect(warned(without)).not.toContain('own_files');
    await using sharing = await openedPostgresStore(url, { files: folder.path });
    await until('it says so', () => warned(without).includes('own_files'));
    await until('the other has looked', () => warned(sharing).includes('no_standby'));
    expect(warned(sharing)).not.toContain('own_files');
  });
});
