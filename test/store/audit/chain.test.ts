import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import type { AuditNote, AuditRow, Store } from '../../../src/store/index.ts';
import { aStore } from '../../support/store.ts';

const at = 1_763_600_000_000;
const dayMs = 24 * 3600_000;
const yearMs = 365 * dayMs;

const entry = (change: Partial<AuditNote> = {}): AuditNote => ({
  actor: 'mei',
  role: 'admin',
  address: '192.0.2.7',
  action: 'PUT /users/wu',
  subject: 'wu',
  outcome: 'done',
  ...change,
});

/** Changes of three kinds, one after the other. */
async function written(store: Store, rounds = 3): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    await store.write.audit({ ...entry({ subject: `change ${round}` }), at: at + round });
    await store.write.audit({ ...entry({ action: 'GET /people/:id/features', read: true }), at: at + round });
    await store.write.audit({ ...entry({ outcome: 'refused' }), at: at + round });
  }
}

/** As somebody with the file in hand, while the box runs. */
function tampered(dataDir: string, sql: string, ...values: (string | number | null)[]): void {
  const database = new DatabaseSync(join(dataDir, 'gatehouse.db'), { timeout: 5000 });
  database.prepare(sql).run(...values);
  database.close();
}

async function rowsOf(store: Store): Promise<AuditRow[]> {
  const rows: AuditRow[] = [];
  for await (const row of store.read.auditRows()) rows.push(row);
  return rows;
}

test('an untouched log holds, says how much it holds, and its hashes can be counted from an export with SHA-256 alone', async () => {
  await using opened = await aStore();
  await written(opened.store);
  const verdict = await opened.store.read.verifyAudit();
  expect(verdict).toMatchObject({ holds: true, broken: null });
  expect(verdict.chains.map(({ chain, entries }) => [chain, entries])).toEqual([
    ['done', 3],
    ['read', 3],
    ['refused', 3],
  ]);
  let before = '0'.repeat(64);
  for (const row of await rowsOf(opened.store)) {
    if (row.chain !== 'done') continue;
    const { id, lastAt, count, actor, role, address, action, subject, said, outcome } = row;
    const fields = [before, 'done', id, row.at, lastAt, count, actor, role, address, action, subject, said, outcome];
    expect(row.hash).toBe(createHash('sha256').update(JSON.stringify(fields)).digest('hex'));
    before = row.hash!;
  }
});

test.each<[string, string, number]>([
  ['an entry that was changed', "UPDATE audit_entry SET subject = 'somebody else' WHERE id = 4", 4],
  ['a time that was changed', 'UPDATE audit_entry SET at = at + 1 WHERE id = 4', 4],
  ['a count that was changed', 'UPDATE audit_entry SET count = 2 WHERE id = 4', 4],
  ['a hash that was changed', "UPDATE audit_entry SET hash = replace(hash, 'a', 'b') WHERE id = 4", 4],
  ['an entry that was removed: the next one', 'DELETE FROM audit_entry WHERE id = 4', 7],
  [
    'an entry that was put in',
    "INSERT INTO audit_entry (at, actor, role, address, action, subject, outcome, chain, hash) VALUES (1, 'li', 'admin', '', 'x', '', 'done', 'done', 'x')",
    10,
  ],
  ['the newest entry when the end was cut off', 'DELETE FROM audit_entry WHERE id = 7', 7],
  ['an entry that was moved to another chain', "UPDATE audit_entry SET chain = 'refused' WHERE id = 4", 4],
])('verifying names %s', async (_, sql, broken) => {
  await using opened = await aStore();
  await written(opened.store);
  expect((await opened.store.read.verifyAudit()).holds).toBe(true);
  tampered(opened.dataDir, sql);
  const verdict = await opened.store.read.verifyAudit();
  expect(verdict.holds).toBe(false);
  expect(verdict.broken?.id).toBe(broken);
});

test('a log that was rewritten completely is detected with a head that was kept elsewhere', async () => {
  await using opened = await aStore();
  await written(opened.store);
  const kept = (await opened.store.read.verifyAudit()).chains.map(({ head }) => head);
  await written(opened.store);
  expect(await opened.store.read.verifyAudit(kept)).toMatchObject({ holds: true, kept_gone: [] });
  // Whoever can write the file can count every hash again.
  tampered(opened.dataDir, "UPDATE audit_entry SET subject = 'nothing' WHERE id = 7");
  let before = '0'.repeat(64);
  for (const row of await rowsOf(opened.store)) {
    if (row.chain !== 'done') continue;
    const { id, lastAt, count, actor, role, address, action, subject, said, outcome } = row;
    const fields = [before, 'done', id, row.at, lastAt, count, actor, role, address, action, subject, said, outcome];
    before = createHash('sha256').update(JSON.stringify(fields)).digest('hex');
    tampered(opened.dataDir, 'UPDATE audit_entry SET hash = ? WHERE id = ?', before, id);
    tampered(opened.dataDir, "UPDATE audit_chain SET head_hash = ? WHERE chain = 'done'", before);
  }
  expect((await opened.store.read.verifyAudit()).holds).toBe(true);
  expect((await opened.store.read.verifyAudit(kept)).broken).toMatchObject({ id: 7, chain: 'done' });
});

test('a log whose end was cut off with its head set back is detected with a head that was kept elsewhere', async () => {
  await using opened = await aStore();
  await written(opened.store);
  const kept = (await opened.store.read.verifyAudit()).chains.map(({ head }) => head);
  tampered(opened.dataDir, 'DELETE FROM audit_entry WHERE id = 7');
  tampered(
    opened.dataDir,
    "UPDATE audit_chain SET head_id = 4, head_hash = (SELECT hash FROM audit_entry WHERE id = 4) WHERE chain = 'done'",
  );
  expect((await opened.store.read.verifyAudit()).holds).toBe(true);
  expect((await opened.store.read.verifyAudit(kept)).broken).toMatchObject({ id: 7, chain: 'done' });
});

test('what is older than a year goes from the old end, an entry says so, and the rest still holds', async () => {
  await using opened = await aStore();
  const { store } = opened;
  await written(store);
  const now = at + yearMs + 2 * dayMs;
  await store.write.audit({ ...entry({ subject: 'young' }), at: now - dayMs });
  await store.write.retireAudit({ before: now - yearMs, now });
  const verdict = await store.read.verifyAudit();
  expect(verdict).toMatchObject({ holds: true });
  expect(verdict.chains.map(({ chain, removed }) => [chain, removed])).toEqual([
    ['done', 3],
    ['read', 3],
    ['refused', 3],
  ]);
  const left = await store.read.auditEntries({ limit: 50 });
  expect(left.map(one => one.action)).toEqual([...Array(3).fill('audit entries removed'), 'PUT /users/wu']);
  expect(left[2]!.subject).toMatch(/^3 of "done", up to number 7 with hash [0-9a-f]{64}: older than a year$/);
  // Once a day at most: the log does not grow by saying that it shrinks.
  await store.write.retireAudit({ before: now - yearMs + 3600_000, now: now + 3600_000 });
  expect(await store.read.auditEntries({ limit: 50 })).toHaveLength(4);
});

test('a number is never given again, also when the newest entry was removed with all others', async () => {
  await using opened = await aStore();
  const { store } = opened;
  for (const when of [at, at + 1]) await store.write.audit({ ...entry(), at: when });
  const now = at + yearMs + 2 * dayMs;
  await store.write.retireAudit({ before: now - yearMs, now });
  expect((await rowsOf(store)).map(({ id, action }) => [id, action])).toEqual([[3, 'audit entries removed']]);
});

test('an entry from a clock that ran ahead, or fell back to 1970, holds nothing back and takes nothing young with it', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const now = at + yearMs + 2 * dayMs;
  await store.write.audit({ ...entry({ subject: 'old' }), at });
  await store.write.audit({ ...entry({ subject: 'from the future' }), at: now + 900 * dayMs });
  await store.write.audit({ ...entry({ subject: 'old too' }), at });
  await store.write.audit({ ...entry({ subject: 'young' }), at: now - dayMs });
  await store.write.audit({ ...entry({ subject: 'from 1970' }), at: 1000 });
  await store.write.retireAudit({ before: now - yearMs, now });
  const left = await store.read.auditEntries({ limit: 50, actor: 'mei' });
  expect(left.map(one => one.subject)).toEqual(['from 1970', 'young']);
  expect((await store.read.verifyAudit()).holds).toBe(true);
});

test('a field takes no more room than its bound, whatever is sent, and is read back as it was hashed', async () => {
  await using opened = await aStore();
  const { store } = opened;
  const nasty = `\u0000\ud800${'𝄞'.repeat(20_000)}\n`;
  await store.write.audit({ ...entry({ actor: nasty, address: nasty, action: nasty, subject: nasty }), at });
  const [stored] = await rowsOf(store);
  expect(JSON.stringify(stored).length).toBeLessThan(1500);
  expect(stored!.subject).toHaveLength(200);
  expect((await store.read.verifyAudit()).holds).toBe(true);
});

test('a refusal chain of attackers is bounded in rows; nothing that was done goes for it', async () => {
  await using opened = await aStore();
  const { store } = opened;
  await store.write.audit({ ...entry({ subject: 'the one change' }), at });
  await Promise.all(
    Array.from({ length: 20_500 }, (_, no) =>
      store.write.audit({ ...entry({ outcome: 'refused', subject: `${no}` }), at: at + no }),
    ),
  );
  await store.write.retireAudit({ before: at - yearMs, now: at + 60_000 });
  const verdict = await store.read.verifyAudit();
  expect(verdict.holds).toBe(true);
  expect(verdict.chains.find(({ chain }) => chain === 'refused')).toMatchObject({ entries: 18_000, removed: 2500 });
  expect((await store.read.auditEntries({ limit: 9, actor: 'mei', text: 'the one change' })).length).toBe(1);
});
