import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { Sessions } from '../../src/accounts/sessions.ts';
import { StaffAccess, staffCookie } from '../../src/accounts/staff/access.ts';
import { newToken } from '../../src/accounts/tokens.ts';
import { HandClock } from '../support/clock.ts';

/** Whose store counts what is looked up in it, and holds nothing. */
function anAccess() {
  const lookedUp: string[] = [];
  const audited: unknown[] = [];
  const find = (what: string) => async () => {
    lookedUp.push(what);
    return null;
  };
  const store = {
    read: { token: find('token'), session: find('session') },
    write: {},
    audit: { note: async (entry: unknown) => void audited.push(entry) },
  } as never;
  const clock = new HandClock();
  const access = new StaffAccess({ store, clock, sessions: new Sessions({ store, clock }) });
  const why = async (headers: Record<string, string>) => {
    const request = { method: 'GET', headers, socket: { remoteAddress: '192.168.1.9' } };
    const found = await access.identify(request as unknown as IncomingMessage);
    return found.ok ? 'in' : found.why;
  };
  return { lookedUp, why, access };
}

test('a cookie or token that the box cannot have made is looked up nowhere', async () => {
  const { lookedUp, why, access } = anAccess();
  const none = ['', 'x', 'x'.repeat(42), 'x'.repeat(44), 'x'.repeat(4000), `${newToken().slice(1)}=`];
  for (const one of none) {
    expect(await why({ cookie: `${staffCookie}=${one}` })).toBe('nobody');
    expect(await why({ authorization: `Bearer ${one}` })).toBe('nobody');
    expect(await access.programOf(one)).toBe(null);
  }
  expect(await why({})).toBe('nobody');
  expect(lookedUp).toEqual([]);
});

test('one that it may have made is', async () => {
  const { lookedUp, why, access } = anAccess();
  for (let round = 0; round < 20; round++) {
    expect(await why({ cookie: `${staffCookie}=${newToken()}` })).toBe('expired');
    expect(await why({ authorization: `Bearer ${newToken()}` })).toBe('expired');
    await access.programOf(newToken());
  }
  expect(lookedUp).toEqual(Array.from({ length: 20 }, () => ['session', 'token', 'token']).flat());
});
