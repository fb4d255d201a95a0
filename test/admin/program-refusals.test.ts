import { expect, test } from 'vitest';
import { Programs } from '../../src/events/programs.ts';
import type { AdminToken } from '../../src/store/index.ts';
import { refusalInChinese, refusalInEnglish } from '../../web-ui/src/pages/integrations/program-refusals.ts';
import { HandClock } from '../support/clock.ts';

const wall: AdminToken & { readonly events: object } = {
  ...{ id: 1, name: 'wall', role: 'events', events: { topics: [], actions: [] } },
  ...{ madeBy: 'mei', madeAt: 0, endsAt: null, usedAt: null },
};

/** Why logins are refused, as the broker says it. */
async function loginRefusals(): Promise<string[]> {
  const programs = new Programs(new HandClock(), async token => (token === 'good' ? wall : null));
  const said: unknown[] = [];
  said.push(await programs.login('wall', '', '192.168.1.9'));
  said.push(await programs.login('wall', 'wrong', '192.168.1.9'));
  said.push(await programs.login('till', 'good', '192.168.1.9'));
  for (let one = 0; one < 32; one++) programs.came({ tokenId: 1, name: 'wall', rights: wall.events });
  said.push(await programs.login('wall', 'good', '192.168.1.9'));
  for (let one = 0; one < 20; one++) await programs.login('wall', 'wrong', '192.168.1.8');
  said.push(await programs.login('wall', 'good', '192.168.1.8'));
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
  expect(refusalInEnglish(refusals[6]!)).toBe(
    'May not subscribe to logs/#: its token allows line. Make a new token to let it hear more.',
  );
});

test('a sentence that the page does not know stays as it is', () => {
  expect(refusalInChinese('something else')).toBe('something else');
});
