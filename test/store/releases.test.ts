import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { releases } from '../../scripts/migrations.ts';
import { restoreBackup } from '../../src/store/index.ts';
import { recovery } from '../support/backups.ts';
import { aStore } from '../support/store.ts';

/** `releases/1.0.0.backup`: made by this release, to the recovery key of the tests. */
const backupOf = (release: string): string => fileURLToPath(new URL(`releases/${release}.backup`, import.meta.url));

test('a backup that any release has made is restored, and its store is brought up to date', async () => {
  for (const release of releases()) {
    await using opened = await aStore();
    await opened.store[Symbol.asyncDispose]();
    await restoreBackup({ file: backupOf(release), dataDir: opened.dataDir, key: recovery.key });
    const store = await opened.reopen();
    expect(await store.read.newestRecords(), release).toHaveProperty('checkins');
  }
});
