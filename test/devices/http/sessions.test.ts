import { expect, test } from 'vitest';
import { HttpSessions } from '../../../src/devices/http/sessions.ts';
import type { Session } from '../../../src/devices/session.ts';
import { regionOfOne } from '../../../src/store/port/region.ts';
import { deviceEnds } from '../../../src/words/device-ends.ts';
import type { Reason } from '../../../src/words/sentences.ts';
import { HandClock } from '../../support/clock.ts';

const session = { deviceNo: 1 } as Session;

function someSessions() {
  const clock = new HandClock();
  const ended: string[] = [];
  const nothing = () => {};
  const events = { cameOver: nothing, left: nothing, ended: (_: Session, why: Reason) => ended.push(why.reason) };
  return {
    clock,
    ended,
    sessions: new HttpSessions(
      clock,
      { ...events, whyOver: () => null, refresh: async () => false },
      regionOfOne().shared.httpSessions,
    ),
  };
}

test('a value is found with and without Bearer, on whatever connection', async () => {
  const { sessions } = someSessions();
  const value = await sessions.open(session, 30);
  const connection = {};
  for (const header of [value, value, `Bearer ${value}`, `bearer  ${value}`])
    expect(sessions.find(header, connection)?.session).toBe(session);
  expect(sessions.find(value, {})?.session).toBe(session);
});

test('a connection that showed the right value is refused with a wrong one, and with none', async () => {
  const { sessions } = someSessions();
  const value = await sessions.open(session, 30);
  const connection = {};
  sessions.find(value, connection);
  expect(sessions.find(`${value}x`, connection)).toBeNull();
  expect(sessions.find(undefined, connection)).toBeNull();
  expect(sessions.find(value, connection)?.session).toBe(session);
});

test('a value that was ended is refused on the connection that showed it too', async () => {
  const { sessions } = someSessions();
  const value = await sessions.open(session, 30);
  const connection = {};
  const found = sessions.find(value, connection)!;
  sessions.end(found, deviceEnds.say('went_offline'));
  expect(sessions.find(value, connection)).toBeNull();
});

test('a value ends after three silent periods, at least 90 s, also on its own connection', async () => {
  const { sessions, clock, ended } = someSessions();
  const value = await sessions.open(session, 10);
  const connection = {};
  await clock.advance(90_000);
  expect(sessions.find(value, connection)).not.toBeNull();
  await clock.advance(90_001);
  expect(sessions.find(value, connection)).toBeNull();
  await clock.advance(0);
  expect(ended).toEqual(['silent for several keepAliveTime periods']);
});

test('the value of before lives until the new one is used, on the same connection too', async () => {
  const { sessions, clock, ended } = someSessions();
  const connection = {};
  const old = await sessions.open(session, 30);
  sessions.find(old, connection);
  const next = await sessions.open(session, 30);
  expect(sessions.find(old, connection)).not.toBeNull();
  expect(sessions.find(next, connection)).not.toBeNull();
  expect(sessions.find(old, connection)).toBeNull();
  await clock.advance(0);
  expect(ended).toEqual(['connected again']);
});
