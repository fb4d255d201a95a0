import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { appleProfile } from '../../../src/admin/ui/certificates.ts';
import { openCertificates } from '../../../src/operations/index.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import { realClock } from '../../../src/runtime/real-world.ts';
import { aStore } from '../../support/store.ts';

test('the profile for Apple devices is the same for the same certificate, and takes any name of a site', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'gatehouse-profile-'));
  const options = { dir, names: ['box'], addresses: [], clock: realClock, log: silentLog };
  await using certificates = await openCertificates(options);
  const ca = new X509Certificate(certificates.caPem);
  const profile = appleProfile(ca, 'Plant <4> & Co');
  expect(profile).toBe(appleProfile(ca, 'Plant <4> & Co'));
  expect(profile).toContain('<string>Gatehouse Plant &lt;4&gt; &amp; Co</string>');
  const ids = [...profile.matchAll(/PayloadUUID<\/key><string>([^<]*)/g)].map(match => match[1]);
  expect(new Set(ids).size).toBe(2);
  for (const id of ids) expect(id).toMatch(/^[0-9A-F]{8}-[0-9A-F]{4}-5[0-9A-F]{3}-8[0-9A-F]{3}-[0-9A-F]{12}$/);
  await rm(dir, { recursive: true });
});

test('the audit log is read page by page, the newest first, and found by person and text', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const entry = { role: 'admin', address: '192.0.2.7', outcome: 'done' } as const;
  for (let at = 0; at < 6; at++)
    await store.write.audit({
      ...entry,
      at,
      actor: at % 2 === 0 ? 'mei' : 'li',
      action: 'POST /tokens',
      subject: `S${at}`,
    });
  const all = await store.read.auditEntries({ limit: 4 });
  expect(all.map(one => one.subject)).toEqual(['S5', 'S4', 'S3', 'S2']);
  const rest = await store.read.auditEntries({ limit: 4, before: all.at(-1)!.id });
  expect(rest.map(one => one.subject)).toEqual(['S1', 'S0']);
  const ofMei = await store.read.auditEntries({ limit: 4, actor: 'mei' });
  expect(ofMei.map(one => one.subject)).toEqual(['S4', 'S2', 'S0']);
  expect(await store.read.auditEntries({ limit: 4, actor: 'mei', text: 'post /TOKENS s2' })).toMatchObject([{ at: 2 }]);
  expect(await store.read.auditEntries({ limit: 4, actor: 'mei', text: 's3' })).toEqual([]);
});
