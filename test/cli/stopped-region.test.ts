import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { loadConfig, rememberConfig } from '../../src/config/index.ts';
import { runCommand } from '../support/command.ts';
import { aSite } from '../support/site.ts';

test('commands that would open the store of a stopped process of a region say that it has to run, and make none', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-region-'));
  try {
    const dataDir = join(folder, 'data');
    await mkdir(dataDir);
    const store = { engine: 'postgres', url: 'postgresql://a:s3cret@db/c' };
    await writeFile(join(folder, 'site.yaml'), stringify(aSite()));
    await writeFile(join(folder, 'gatehouse.yaml'), stringify({ data_dir: dataDir, store, listen: { mqtts: 'off' } }));
    // As it is left by the process when it ran.
    rememberConfig(loadConfig({ file: 'gatehouse.yaml', env: {}, cwd: folder }).config);
    const commands = [
      ['apply', 'site.yaml', '--data-dir', dataDir],
      ['apply', 'site.yaml', '--config', 'gatehouse.yaml'],
      ['status', '--data-dir', dataDir],
    ];
    for (const words of commands) {
      const { status, stderr } = await runCommand(words, { cwd: folder });
      expect({ words, status }).toEqual({ words, status: 1 });
      expect(stderr).toContain(
        `${dataDir}: this process of a region is stopped, and its store is a database: start it, then repeat the command`,
      );
      expect(stderr).not.toContain('s3cret');
    }
    expect(existsSync(join(dataDir, 'gatehouse.db'))).toBe(false);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
