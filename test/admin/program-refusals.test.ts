import { expect, test } from 'vitest';
import { readCommand, readReplay } from '../../src/events/asked.ts';
import { Programs } from '../../src/events/programs.ts';
import { eventTopics } from '../../src/platform/event-topics.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { AdminToken } from '../../src/store/index.ts';
import { refusalInChinese, refusalInEnglish } from '../../web-ui/src/pages/integrations/program-refusals.ts';
import { HandClock } from '../support/clock.ts';

const wall: AdminToken & { readonly events: object } = {
  ...{ id: 1, name: 'wall', role: 'events', events: { topics: [], actions: [] } },
  ...{ madeBy: 'mei', madeAt: 0, endsAt: 2e12, usedAt: null },
};

/** Why logins are refused, as the broker says it. */
async function loginRefusals(): Promise<string[]> {
  const programs = new Programs(new HandClock(), silentLog, async token => (token === 'good' ? wall : null));
  const said: unknown[] = [];
  said.push(await programs.login('wall', '', '192.168.1.9'));
  said.push(await programs.login('wall', 'wrong', '192.168.1.9'));
  said.push(await programs.login('till', 'good', '192.168.1.9'));
  for (let one = 0; one < 32; one++) programs.came({ tokenId: 1, name: 'wall', rights: wall.events });
  said.push(await programs.login('wall', 'good', '192.168.1.9'));
  return said.map(String);
}

test('why a program was refused is said in both languages, with what to do', async () => {
  const refusals = [
    ...(await loginRefusals()),
    'the program has 5 sessions that outlive their connections already: use one of their client ids, or a clean session',
    'may not subscribe to gatehouse/v1/logs/#: its token allows gatehouse/v1/line',
    'may not subscribe to gatehouse/v1/logs/#: it has 100 subscriptions already',
    'may not publish to gatehouse/v1/line: the connection was ended',
    'published more than 200 messages in a second: the connection was ended',
    'published a retained message beyond the 50 that it may have: the connection was ended',
    'more than 10 commands in a second: nothing was sent',
  ];
  for (const why of refusals) {
    expect(refusalInChinese(why), why).toMatch(/[\u4e00-\u9fff].*[：，。]/);
    expect(refusalInChinese(why)).not.toContain('already');
    // A sentence, and then another one or what stands behind the colon.
    expect(refusalInEnglish(why)).toMatch(/^[A-Z].*(:|\. )/);
  }
  expect(refusalInEnglish(refusals[5]!)).toBe(
    'May not subscribe to logs/#: its token allows line. Make a new token to let it hear more.',
  );
});

/** What is wrong with requests, as the box says it. */
function mistakes(): string[] {
  const own = `${eventTopics.answers('wall')}/1`;
  const rights = { topics: ['gatehouse/v1/checkins/#'], actions: [4001] };
  const asked = (request: unknown) => Buffer.from(JSON.stringify(request));
  const replay = (change: object) =>
    readReplay('wall', rights, asked({ kind: 'checkins', response_topic: own, ...change }));
  const command = (change: object) => readCommand('wall', rights, asked({ action: 4001, ...change }), new Set([2001]));
  const said = [
    replay({ response_topic: 'elsewhere' }),
    replay({ kind: 'faces' }),
    replay({ kind: 'logs' }),
    replay({ after: 'yesterday' }),
    replay({ limit: 100_000 }),
    readReplay('wall', rights, Buffer.from('no JSON')),
    command({ response_topic: 'elsewhere' }),
    command({ action: 'open' }),
    command({ action: 2001 }),
    command({ action: 4002 }),
    command({ data: 'open' }),
    command({ timeout_s: 0 }),
  ];
  for (const one of said) expect(typeof one, JSON.stringify(one)).toBe('string');
  expect(new Set(said).size).toBeGreaterThan(10);
  return said.map(String);
}

test('what was wrong with a request is said in Chinese from the first word to the last', () => {
  const refusals = [
    ...mistakes(),
    '10 requests wait already',
    '100 commands wait for answers already',
    'FACE-T1_A9: no such device',
    'FACE-T1_A9: not connected; nothing was sent',
  ];
  for (const why of refusals)
    for (const of of ['a replay', 'a command'])
      expect(refusalInChinese(`${of} was refused: ${why}`), why).not.toMatch(/[a-z]+ [a-z]+/);
});

test('a sentence that the page does not know stays as it is', () => {
  expect(refusalInChinese('something else')).toBe('something else');
});
