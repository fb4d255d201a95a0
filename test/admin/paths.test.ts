import { expect, test } from 'vitest';
import { backupsResource } from '../../src/admin/backups.ts';
import type { BoxAdmin } from '../../src/admin/index.ts';
import { type BundleReport, updatesResource } from '../../src/admin/updates.ts';
import type { Store } from '../../src/store/index.ts';
import { anAdminApi, anIdentity } from '../support/admin.ts';
import { HandClock } from '../support/clock.ts';

/** What the routes that take a path do with one that a caller on the network sends. */
function aBox() {
  const asked: object[] = [];
  const found = { file: '/run/gatehouse-usb/sda1/new.raucb', name: 'new.raucb', bytes: 1 };
  const bundle = (file: string): BundleReport => ({
    ...{ file, kind: 'program', compatible: '', version: '0.1.0', description: '', refused: null },
    refused_said: null,
    olderThan: '0.2.0',
  });
  const updates = updatesResource.running({
    updates: {
      report: async () => ({
        ...{ impossible: null, impossible_said: null, other: null, progress: null, last: null, found: [found] },
        runs: { version: '0.2.0', program: 'packaged', slot: null, system: '' },
      }),
      async inspect(file) {
        asked.push({ inspect: file });
        return bundle(file);
      },
      async start(file, options) {
        asked.push({ start: file, ...options });
        return bundle(file);
      },
      receive: async () => bundle(''),
      rollBack: async () => {},
    },
  });
  const written = { file: 'x', bytes: 1, records: 1, left_out: { files: 0, speech: 0, packages: 0, unknown: [] } };
  const store = {
    async backup(call: object) {
      asked.push(call);
      return written;
    },
    read: { remembered: async () => ({ value: 'age1', at: 1 }) },
    write: { remember: async () => {} },
  } as unknown as Store;
  const backups = backupsResource.stopped({ store, owning: act => act(store), clock: new HandClock(1) });
  const identity = anIdentity('admin');
  const app = anAdminApi({ updates, backups } as Partial<BoxAdmin> as BoxAdmin, identity);
  return {
    asked,
    audited: identity.audited,
    bundle: found.file,
    async post(path: string, body: object) {
      const headers = { 'content-type': 'application/json' };
      const answer = await app.request(path, { method: 'POST', body: JSON.stringify(body), headers });
      return { status: answer.status, problem: (await answer.json()) as { title: string } };
    },
  };
}

test.each(['/update/inspect', '/update'])(
  '%s over HTTPS takes a bundle that the box has found, and no other path',
  async path => {
    const box = aBox();
    for (const file of ['/etc/shadow', '/var/lib/gatehouse/keys/seal.key', '/run/gatehouse-usb/sda1/../sda1/new.raucb'])
      expect(await box.post(path, { file })).toMatchObject({ status: 422, problem: { title: 'update_unknown_file' } });
    expect(box.asked).toEqual([]);
    expect(await box.post(path, { file: box.bundle })).toMatchObject({ status: 200 });
    expect(box.asked).toHaveLength(1);
  },
);

test('an older bundle is let through by an administrator who says so, and the audit log has it', async () => {
  const box = aBox();
  await box.post('/update', { file: box.bundle, allow_older: true });
  expect(box.asked).toEqual([{ start: box.bundle, allowOlder: true }]);
  expect(box.audited).toMatchObject([{ actor: 'mei', subject: 'program 0.1.0, older than 0.2.0: allowed' }]);
});

test('a backup over HTTPS is named in the backup folder, and no path is taken', async () => {
  const box = aBox();
  for (const file of ['/var/lib/gatehouse/gatehouse.db', '../gatehouse.db', 'keys/x', '.hidden', 'a b', '']) {
    const { status } = await box.post('/backup', { file });
    expect([file, status]).toEqual([file, 400]);
  }
  expect(box.asked).toEqual([]);
  expect(await box.post('/backup', { file: 'monday.gh' })).toMatchObject({ status: 200 });
  expect(box.asked).toMatchObject([{ to: { name: 'monday.gh' } }]);
});
