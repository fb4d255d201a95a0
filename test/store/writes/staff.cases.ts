import { expect } from 'vitest';
import type { AuditWrites, RoomWrites, TokenWrites } from '../../../src/store/index.ts';
import { at, type Cases, dayMs, type PortStore } from './case.ts';

const admin = { name: 'mei', role: 'admin', passwordHash: 'hash' } as const;
const token = { tokenHash: 't-1', name: 'backup', role: 'staff', madeBy: 'mei', at, endsAt: at + dayMs } as const;
const note: Parameters<AuditWrites['audit']>[0] = {
  ...{ actor: 'mei', role: 'admin', address: '10.0.0.7', action: 'POST /users', subject: 'wang', outcome: 'done', at },
};

const actionsOf = async ({ read }: PortStore) =>
  (await read.auditEntries({ limit: 10 })).map(({ action, actor, at: when }) => [action, actor, when]);

export const staffCases: Cases<AuditWrites & RoomWrites & TokenWrites> = {
  makeToken: async ({ store }) => {
    await store.write.putUser({ ...admin, role: 'viewer' });
    const id = await store.write.makeToken(token);
    const { tokenHash, at: madeAt, ...rest } = token;
    expect(await store.read.tokens()).toEqual([{ ...rest, id, madeAt, usedAt: null, events: null }]);
    // No more than the role that its maker has now.
    expect(await store.read.token(tokenHash)).toMatchObject({ id, role: 'viewer' });
    expect(await store.read.token('another')).toBeNull();

    // Of a program that hears events: its rights are kept, and it sends nothing to devices for a
    // person who is no admin.
    const events = { topics: ['gatehouse/v1/line'], actions: [3001] };
    const program = { ...token, tokenHash: 't-2', name: 'wall', role: 'events', events } as const;
    await store.write.makeToken({ ...program, madeBy: 'command' });
    expect(await store.read.token('t-2')).toMatchObject({ name: 'wall', role: 'events', events });
    await store.write.makeToken({ ...program, tokenHash: 't-3' });
    expect(await store.read.token('t-3')).toMatchObject({ role: 'events', events: { ...events, actions: [] } });
  },
  seeToken: async ({ store }) => {
    const id = await store.write.makeToken({ ...token, madeBy: 'command' });
    await store.write.seeToken({ id, at: at + 60 });
    expect(await store.read.token('t-1')).toMatchObject({ usedAt: at + 60 });
  },
  removeToken: async ({ store }) => {
    const id = await store.write.makeToken({ ...token, madeBy: 'command' });
    expect(await store.write.removeToken({ id })).toBe(true);
    expect(await store.write.removeToken({ id })).toBe(false);
    expect(await store.read.token('t-1')).toBeNull();
  },
  audit: async ({ store }) => {
    const first = await store.write.audit(note);
    const second = await store.write.audit({ ...note, actor: 'wang', outcome: 'refused', at: at + 1, count: 3 });
    expect(second).toBeGreaterThan(first);
    const [newest, oldest] = await store.read.auditEntries({ limit: 10 });
    expect(newest).toMatchObject({ id: second, actor: 'wang', outcome: 'refused', count: 3 });
    expect(oldest).toEqual({ ...note, id: first, said: null, count: 1, lastAt: null });
    expect((await store.read.auditEntries({ limit: 10, actor: 'mei' })).map(({ id }) => id)).toEqual([first]);
    expect((await store.read.auditEntries({ limit: 10, text: 'WANG' })).map(({ id }) => id)).toEqual([second, first]);
    expect(await store.read.verifyAudit()).toMatchObject({ holds: true });
  },
  keepDays: async ({ store }) => {
    expect(await store.read.keptDays()).toEqual({ records: 7, logs: 90 });
    await store.write.keepDays({ records: 3, logs: 30 });
    expect(await store.read.keptDays()).toEqual({ records: 3, logs: 30 });
  },
  retireAudit: async ({ store }) => {
    await store.write.audit(note);
    await store.write.audit({ ...note, at: at + 3 * dayMs });
    await store.write.retireAudit({ before: at + 2 * dayMs, now: at + 4 * dayMs });
    expect(await actionsOf(store)).toEqual([
      ['audit entries removed', 'box', at + 4 * dayMs],
      ['POST /users', 'mei', at + 3 * dayMs],
    ]);
    expect(await store.read.verifyAudit()).toMatchObject({ holds: true, chains: [{ chain: 'done', removed: 1 }] });
  },
};
