import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aStore } from '../../support/store.ts';
import { until } from '../../support/until.ts';

test('a start deletes the copies that a backup which was cut off left, and nothing that is begun after it', async () => {
  await using opened = await aStore();
  await opened.store[Symbol.asyncDispose]();
  const left = join(opened.dataDir, '.transfer-backup-left');
  await mkdir(left);
  await writeFile(join(left, 'gatehouse.db'), 'half a copy');
  await opened.reopen();
  const begun = await mkdtemp(join(opened.dataDir, '.transfer-backup-'));
  await until('it is gone', () => !existsSync(left));
  expect(existsSync(begun)).toBe(true);
});
