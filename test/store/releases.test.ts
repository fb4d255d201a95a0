import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { releases } from '../../scripts/migrations.ts';
import { restoreBackup } from '../../src/store/index.ts';
import { aBoxPlace } from '../support/box-under-test.ts';
import { fixtureOf, releasesWithFixture } from '../support/release-fixture.ts';
import { aStore } from '../support/store.ts';

/** `test/updates/releases.nightly.test.ts` updates the boxes of these releases, and takes them back. */

const columnsOf = (dataDir: string): unknown[] => {
  using database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { readOnly: true });
  const of = "FROM sqlite_schema AS t, pragma_table_info(t.name) AS c WHERE t.type = 'table' ORDER BY 1";
  return database
    .prepare(`SELECT t.name || '.' || c.name AS name ${of}`)
    .all()
    .map(({ name }) => name);
};

test.each([...new Set([...releases(), ...releasesWithFixture()])])(
  'the backup that release %s has made is restored, and its store gets the tables of a new one',
  async release => {
    const key = await readFile(join(fixtureOf(release), 'recovery-key.txt'), 'utf8');
    const { folder, dataDir } = await aBoxPlace({ GATEHOUSE_ENVIRONMENT: 'production' });
    try {
      await restoreBackup({ file: join(fixtureOf(release), 'store.gh'), dataDir, key });
      await using opened = await aStore({ dataDir, environment: 'production' });
      await using fresh = await aStore();
      // They differ where the migration of a release was changed after it.
      expect(columnsOf(dataDir)).toEqual(columnsOf(fresh.dataDir));
      expect((await opened.store.read.newestRecords()).checkins).toBeGreaterThan(0);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);
