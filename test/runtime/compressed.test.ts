import { gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { compressed } from '../../src/runtime/compressed.ts';

const long = 'the same again, '.repeat(1000);

test('a long text is compressed for a client that accepts gzip, and says so', async () => {
  const { body, headers } = await compressed(long, 'br, gzip, deflate');
  expect(headers).toEqual({ Vary: 'Accept-Encoding', 'Content-Encoding': 'gzip' });
  expect(gunzipSync(body).toString()).toBe(long);
  expect(body.length).toBeLessThan(long.length / 20);
});

test.each([
  ['a short text', 'short', 'gzip'],
  ['a text for a client that names no encoding', long, undefined],
  ['a text for a client that refuses gzip', long, 'gzip;q=0, br'],
])('%s is sent as it is', async (_, text, accepted) => {
  expect(await compressed(text, accepted)).toEqual({ body: text, headers: { Vary: 'Accept-Encoding' } });
});
