import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HandClock } from '../../support/clock.ts';
import { aServiceBox } from '../../support/services.ts';
import { suiteNeeding } from '../../support/tools.ts';

const path = (text: string, mode?: string) =>
  `/api/1.0.0/tts?${new URLSearchParams({ text, ...(mode === undefined ? {} : { mode }) })}`;
const mp3Of = async (address: string) => new Uint8Array(await (await fetch(address)).arrayBuffer());

suiteNeeding('espeak-ng', 'espeak-ng', 'the own voice', () => {
  test('a text becomes an mp3 at the box, under both names of the address, spoken once', async () => {
    await using box = await aServiceBox();
    const { data } = await box.caller.call(path('早上好，李梅'));
    expect(data).toEqual({
      origin_str: '早上好，李梅',
      mp3_address: expect.stringMatching(/\/public\/speech\/[0-9a-f]{40}\.mp3$/),
      url: data.mp3_address,
    });
    const answer = await fetch(data.url);
    expect(answer.headers.get('content-type')).toBe('audio/mpeg');
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(2000);
    const [again, atOnce] = await Promise.all([
      box.caller.call(path('早上好，李梅')),
      box.caller.call(path('早上好，李梅', '0')),
    ]);
    expect([again.data, atOnce.data]).toEqual([data, data]);
    expect(readdirSync(join(box.opened.dataDir, 'speech'))).toHaveLength(1);
  });

  test('a name is another speech than the same text', async () => {
    await using box = await aServiceBox();
    const [text, name] = [
      (await box.caller.call(path('单小曾'))).data.url,
      (await box.caller.call(path('单小曾', '1'))).data.url,
    ];
    expect(name).not.toBe(text);
    expect(Buffer.from(await mp3Of(name)).equals(Buffer.from(await mp3Of(text)))).toBe(false);
    expect((await box.caller.call(path('单小曾', '7'))).data.url).toBe(text);
  });
});

test('64 characters are spoken, 65 are 400, Chinese ones count as one', async () => {
  await using box = await aServiceBox({ options: { speechCommand: ['gatehouse-no-such-program'] } });
  expect((await box.caller.call(path('好'.repeat(65)))).status).toBe(400);
  expect((await box.caller.call(path(''))).status).toBe(400);
  expect((await box.caller.call(path('x', 'loud'))).status).toBe(400);
  // Taken, though there is nobody to speak it.
  expect(await box.caller.call(path('好'.repeat(64)))).toMatchObject({ status: 200, code: 503 });
});

test('without a program the failure names it', async () => {
  await using box = await aServiceBox({ options: { speechCommand: ['gatehouse-no-such-program'] } });
  expect(await box.caller.call(path('x'))).toMatchObject({
    code: 503,
    msg: expect.stringContaining('gatehouse-no-such-program'),
  });
});

test("the cloud's voice comes first, and what it said is kept for when the line is cut", async () => {
  const voice = new TextEncoder().encode('an mp3 of the cloud');
  const line = { isUp: true };
  await using box = await aServiceBox({
    clock: new HandClock(),
    options: {
      speechCommand: ['gatehouse-no-such-program'],
      cloud: {
        appId: 'a',
        appKey: 'k',
        async send() {
          if (!line.isUp) throw new Error('connect ECONNREFUSED');
          return {
            status: 200,
            body: JSON.stringify({ code: 0, msg: 'ok', data: { origin_str: 'x', url: 'https://cloud.example/x.mp3' } }),
          };
        },
      },
      download: async url => (url === 'https://cloud.example/x.mp3' ? voice : Promise.reject(new Error('another'))),
    },
  });
  const { data } = await box.caller.call(path('x'));
  const hash = (bytes: Uint8Array) => createHash('md5').update(bytes).digest('hex');
  expect(hash(await mp3Of(data.url.replace('https:', 'http:')))).toBe(hash(voice));
  line.isUp = false;
  expect((await box.caller.call(path('x'))).data).toEqual(data);
  expect((await box.caller.call(path('another'))).code).toBe(503);
});

test('what is no speech of this box is not found', async () => {
  await using box = await aServiceBox();
  for (const name of [`${'0'.repeat(40)}.mp3`, '..%2fkeys.mp3'])
    expect((await fetch(`${box.url}/public/speech/${name}`)).status).toBe(404);
});
