import { expect, test } from 'vitest';
import { aBoxWithEveryListener } from '../support/every-listener.ts';

/** Summaries and descriptions, with the path of each in the document. */
function* textsOf(value: unknown, path = ''): Generator<readonly [path: string, text: string]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    const isText = (key === 'summary' || key === 'description') && typeof inner === 'string';
    if (isText) yield [`${path}/${key}`, inner];
    else yield* textsOf(inner, `${path}/${key}`);
  }
}

test('/openapi.json?lang=zh says each summary and description in Chinese, and is the same document otherwise', async () => {
  await using running = await aBoxWithEveryListener();
  const documentAt = async (query: string) => {
    const answer = await running.box.served.https.fetch(new Request(`https://box/openapi.json${query}`), {});
    return answer.json();
  };
  const chinese = await documentAt('?lang=zh');
  const texts = [...textsOf(chinese)];
  expect(texts.length).toBeGreaterThan(1500);
  expect(texts.filter(([, text]) => !/\p{Script=Han}/u.test(text))).toEqual([]);

  const english = [...textsOf(await documentAt(''))];
  expect(english.map(([path]) => path)).toEqual(texts.map(([path]) => path));
  expect(english.filter(([, text]) => /\p{Script=Han}|\u001f/u.test(text))).toEqual([]);
  expect(await documentAt('?lang=fr')).toEqual(await documentAt(''));
});
