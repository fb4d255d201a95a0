import { expect, test } from 'vitest';
import { readCommand, readReplay } from '../../src/events/asked.ts';
import { Programs } from '../../src/events/programs.ts';
import { eventTopics } from '../../src/platform/event-topics.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { AdminToken } from '../../src/store/index.ts';
import { programRefusals, requestMistakes } from '../../src/words/programs.ts';
import { inChinese, inEnglish, type Reason } from '../../src/words/sentences.ts';
import { HandClock } from '../support/clock.ts';

const wall: AdminToken & { readonly events: object } = {
  ...{ id: 1, name: 'wall', role: 'events', events: { topics: [], actions: [] } },
  ...{ madeBy: 'mei', madeAt: 0, endsAt: 2e12, usedAt: null },
};

/** Why logins are refused, as the broker says it. */
async function loginRefusals(): Promise<Reason[]> {
  const programs = new Programs(new HandClock(), silentLog, async token => (token === 'good' ? wall : null));
  for (let one = 0; one < 32; one++) programs.came({ tokenId: 1, name: 'wall', rights: wall.events });
  const tried = [
    ['wall', ''],
    ['wall', 'wrong'],
    ['till', 'good'],
    ['wall', 'good'],
  ] as const;
  return (await Promise.all(
    tried.map(([name, password]) => programs.login(name, password, '192.168.1.9')),
  )) as unknown as Reason[];
}

test('why a login was refused is said in both languages, with what to do', async () => {
  for (const why of await loginRefusals()) {
    expect(inEnglish(why, programRefusals)).toBe(why.reason);
    expect(inChinese(why, programRefusals)).toMatch(/[\u4e00-\u9fff].*[：，。]/);
  }
});

/** What is wrong with requests, as the box says it. */
function mistakes(): Reason[] {
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
  return said.map(one => (one as { mistake: Reason }).mistake);
}

test('what was wrong with a request is said in Chinese from the first word to the last', () => {
  const found = mistakes();
  expect(new Set(found.map(({ code }) => code)).size).toBeGreaterThan(9);
  for (const { reason, code, params } of found) {
    const refusal = programRefusals.say('command_refused', { ...params, mistake: code });
    expect(refusal.reason).toBe(`a command was refused: ${reason}`);
    expect(inChinese(refusal, programRefusals)).toBe(
      `命令被拒绝：${inChinese({ reason, code, params }, requestMistakes)}`,
    );
    expect(inChinese(refusal, programRefusals), reason).not.toMatch(/[a-z]+ [a-z]+/);
  }
});
