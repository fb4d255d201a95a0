import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { aBox, type LocalBox } from '../support/box.ts';

const site = { users: [{ name: 'mei', password: 'a-long-enough-password', role: 'admin' }] };

/** As somebody with the database file in hand. */
function tampered(box: LocalBox, sql: string): void {
  const database = new DatabaseSync(join(box.dataDir, 'gatehouse.db'), { timeout: 5000 });
  database.exec(sql);
  database.close();
}

test('the audit log is verified and exported, running and stopped; a changed entry is named, with exit status 1; heads that were kept stand in it', async () => {
  await using box = await aBox({}, site);
  for (const name of ['one', 'two', 'three']) await box.ask('token', 'create', '--role', 'viewer', '--name', name);
  const first = await box.run('audit', 'verify');
  expect(first).toMatchObject({ status: 0, stdout: expect.stringMatching(/^the audit log holds: /) });
  expect(first.stdout).toMatch(/^head done \d+ [0-9a-f]{64}$/m);
  const heads = join(box.folder, 'heads.txt');
  await writeFile(heads, first.stdout);
  await box.ask('token', 'create', '--role', 'viewer', '--name', 'four');
  expect(await box.run('audit', 'verify', '--heads', heads)).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('the kept heads stand in it'),
  });

  const exported = await box.run('audit', 'export');
  const rows = exported.stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(rows.filter(row => row.action === 'POST /tokens').map(row => row.subject)).toEqual([
    'one',
    'two',
    'three',
    'four',
  ]);
  expect(rows.every(row => /^[0-9a-f]{64}$/.test(row.hash))).toBe(true);
  expect(exported).toMatchObject({ status: 0, stderr: expect.stringContaining('the audit log holds') });
  const csv = await box.run('audit', 'export', '--format', 'csv');
  expect(csv.stdout.split('\r\n')[0]).toBe(
    'id,chain,at,lastAt,count,actor,role,address,action,subject,said,outcome,hash',
  );

  const { id } = rows.find(row => row.subject === 'two');
  tampered(box, `UPDATE audit_entry SET subject = 'nothing' WHERE id = ${id}`);
  expect(await box.run('audit', 'verify')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining(`number ${id} of "done"`),
  });
  await box.stop();
  expect(await box.run('audit', 'verify', '--json')).toMatchObject({ status: 1 });
  expect(await box.run('audit', 'export')).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('does NOT hold'),
  });
  expect(await box.run('audit', 'verify', '--heads', join(box.dataDir, 'owner.pid'))).toMatchObject({ status: 1 });
});
