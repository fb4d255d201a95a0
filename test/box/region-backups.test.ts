import { expect, test } from 'vitest';
import { adminOf } from '../support/admin-token.ts';
import { LocalBox } from '../support/box.ts';
import { postgresOfFile, suiteWithPostgres } from '../support/postgres.ts';
import { aDatabase } from '../support/postgres-store.ts';

suiteWithPostgres('a region', () => {
  const postgres = postgresOfFile();

  test('speaks of no backups of its own: nowhere is one missing, and none can be made, restored or planned', async () => {
    const store = { engine: 'postgres', url: aDatabase(await postgres()) };
    await using box = await LocalBox.make({ store, listen: { metrics: '127.0.0.1:0' } });
    await box.start();
    const admin = await adminOf(box);
    expect((await admin('GET', '/status')).json).toMatchObject({ backup: null });
    expect((await admin('GET', '/today')).json).toMatchObject({ status: { backup: null } });
    expect((await admin('GET', '/system')).json).toMatchObject({ backup: null });
    expect(await box.ask('status')).toMatch(/^backup {3}by the database server: docs\/region-backups\.md$/m);
    expect(await (await fetch(`http://${box.addresses.metrics}/metrics`)).text()).not.toContain('gatehouse_backup');
    expect((await box.run('doctor', '--data-dir', box.dataDir)).stdout).not.toMatch(/backup/i);

    const asked: [method: string, path: string, body?: object][] = [
      ['GET', '/backup'],
      ['GET', '/backup/settings'],
      ['PUT', '/backup/settings', { settings: { directory: { path: box.folder } } }],
      ['GET', '/backup/sftp'],
      ['POST', '/backup/file', {}],
      ['POST', '/backup/now', {}],
      ['POST', '/backup', { file: 'monday.gh' }],
      ['GET', '/backup/download'],
      ['POST', '/recovery-key', {}],
      ['POST', '/restore'],
    ];
    const says = 'the database server of a region makes its backups, and restores them: docs/region-backups.md';
    for (const [method, path, body] of asked) {
      const { status, json } = await admin(method, path, body);
      expect({ path, status, ...(json as object) }).toMatchObject({ path, status: 409, detail: says });
    }
    const command = await box.run('backup', `${box.folder}/monday.gh`, '--data-dir', box.dataDir);
    expect(command).toMatchObject({ status: 1, stderr: expect.stringContaining(says) });
  });
});
