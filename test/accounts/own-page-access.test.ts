import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { OwnPageAccess, ownPageCookie } from '../../src/accounts/employees/own-page-access.ts';
import { HandClock } from '../support/clock.ts';
import { applied, aStore } from '../support/store.ts';

const dayMs = 24 * 3600_000;

async function anAccess() {
  const opened = await aStore();
  const { store } = opened;
  const department = { ext_id: 'd1' };
  await applied(store, {
    departments: [{ ext_id: 'd1', name: 'Assembly' }],
    employees: [{ ext_id: 'e1', name: 'Li Mei', mobile: '', employee_num: '1001', department }],
  });
  const clock = new HandClock();
  const access = new OwnPageAccess({ store, clock, site: { timezone: 'Asia/Shanghai' } });
  const code = async () => {
    const made = await access.makeCodes(['e1']);
    return made.ok ? made.codes[0]!.code : '';
  };
  return {
    ...{ store, clock, access, code },
    open: async () => (await access.open(await code(), '192.0.2.7')) as { id: string },
    /** Whether a browser with this session id is let in. */
    async isIn(id: string): Promise<boolean> {
      const headers = { cookie: `${ownPageCookie.name}=${id}` };
      return typeof (await access.identify({ method: 'GET', headers } as IncomingMessage)) === 'object';
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  };
}

test('a code that nobody used ends after two weeks', async () => {
  await using office = await anAccess();
  const [first, second] = [await office.code(), await office.code()];
  office.clock.set(office.clock.now() + 14 * dayMs - 1);
  // The newer one has ended the older.
  expect(await office.access.open(first, '192.0.2.7')).toBe('wrong');
  office.clock.set(office.clock.now() + 1);
  expect(await office.access.open(second, '192.0.2.7')).toBe('wrong');
});

test('a browser stays signed in for a year, unless it stays away for two months', async () => {
  await using office = await anAccess();
  const [often, seldom] = [await office.open(), await office.open()];
  const opened = office.clock.now();
  for (let days = 59; days < 365; days += 59) {
    office.clock.set(opened + days * dayMs);
    expect(await office.isIn(often.id)).toBe(true);
    if (days === 59) expect(await office.isIn(seldom.id)).toBe(true);
  }
  expect(await office.isIn(seldom.id)).toBe(false);
  office.clock.set(opened + 365 * dayMs - 1);
  expect(await office.isIn(often.id)).toBe(true);
  office.clock.set(opened + 365 * dayMs);
  expect(await office.isIn(often.id)).toBe(false);
});

test('what nobody can have been given is looked up nowhere', async () => {
  await using office = await anAccess();
  expect(await office.isIn('')).toBe(false);
  expect(await office.isIn("' OR 1=1 --")).toBe(false);
  expect(await office.isIn('x'.repeat(43))).toBe(false);
});
