import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { CheckpointedPages } from '../../../src/store/schema/write-ahead-log.ts';
import { makeExt4, mountExt4 } from '../../power/ext4.ts';
import { extentsOf } from '../../power/extents.ts';
import { FuseDisk } from '../../power/fuse-disk.ts';
import { sh } from '../../power/sh.ts';
import { suiteWhere } from '../../support/tools.ts';

type Checkpointed = { readonly log: number; readonly checkpointed: number };

/**
 * Rows are committed, and a checkpoint moves them while somebody reads, so that it is not synced.
 * What it wrote then fails, once. Returns what is on the disk when the next checkpoint has moved
 * all of the log, and the log is overwritten.
 */
async function rowsOnDisk(mend: (pages: CheckpointedPages, frames: number) => void): Promise<string> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-checkpoint-'));
  parts.defer(() => rm(folder, { recursive: true, force: true }));
  const image = join(folder, 'image');
  await makeExt4(image, 32);
  const disk = parts.use(await FuseDisk.make({ image }));
  const mounted = parts.use(await mountExt4(disk.file));
  const file = join(mounted.folder, 'x.db');
  using pages = new CheckpointedPages(file);
  using database = new DatabaseSync(file);
  const checkpoint = (mode: string) =>
    database.prepare(`PRAGMA wal_checkpoint(${mode})`).get() as unknown as Checkpointed;
  database.exec('PRAGMA page_size = 2048; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0');
  database.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = database.prepare('INSERT INTO t (text) VALUES (?)');
  database.exec('BEGIN');
  for (let row = 0; row < 300; row++) insert.run('a'.repeat(1000));
  database.exec('COMMIT');
  checkpoint('TRUNCATE');
  await sh('sync', '-f', file);

  database.exec("UPDATE t SET text = replace(text, 'a', 'b') WHERE id <= 150");
  const reader = new DatabaseSync(file, { readOnly: true });
  reader.exec('BEGIN; SELECT count(*) FROM t');
  database.exec("UPDATE t SET text = replace(text, 'a', 'b') WHERE id > 150");
  const errors = (await extentsOf(file)).map(({ fromSector, toSector }) => ({
    ...{ on: 'write' as const, fromSector, toSector },
  }));
  disk.setFaults({ errors });
  const { log, checkpointed } = checkpoint('PASSIVE');
  expect(checkpointed).toBeLessThan(log);
  await sh('sync', '-f', file).catch(() => {});
  disk.setFaults({});
  reader.close();

  expect(() => checkpoint('PASSIVE')).toThrow('disk I/O error');
  pages.doubt();
  mend(pages, checkpoint('NOOP').checkpointed);
  expect(checkpoint('PASSIVE')).toMatchObject({ log, checkpointed: log });
  database.exec("INSERT INTO t (text) VALUES ('c')");
  await sh('sync', '-f', file);

  const left = join(folder, 'left');
  await sh('cp', image, left);
  await sh('e2fsck', '-y', left).catch(() => {});
  await using again = await mountExt4(left);
  using after = new DatabaseSync(join(again.folder, 'x.db'));
  const rows = after.prepare('SELECT substr(text, 1, 1) AS first, count(*) AS count FROM t GROUP BY 1').all();
  return rows.map(({ first, count }) => `${count} ${first}`).join(', ');
}

suiteWhere(FuseDisk.possible, FuseDisk.needs, 'pages that a checkpoint wrote and the disk did not take, once', () => {
  test('are on the disk once they were written again', async () => {
    expect(await rowsOnDisk((pages, frames) => pages.makeWhole(frames))).toBe('300 b, 1 c');
  });

  test('would be lost without that, and nobody would say so', async () => {
    expect(await rowsOnDisk(() => {})).toBe('150 a, 150 b, 1 c');
  });
});
