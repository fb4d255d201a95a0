import { gunzipSync, zstdDecompressSync } from 'node:zlib';
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
  ['prefers zstd', 'gzip, deflate, br, zstd', long],
  ['accepts zstd for a text that is compressed on another thread', 'zstd;q=0.5', long.repeat(10)],
])('a client that %s gets zstd', async (_, accepted, text) => {
  const { body, headers } = await compressed(text, accepted);
  expect(headers).toEqual({ Vary: 'Accept-Encoding', 'Content-Encoding': 'zstd' });
  expect(zstdDecompressSync(body).toString()).toBe(text);
});

test.each([
  ['a short text', 'short', 'gzip'],
  ['a text for a client that names no encoding', long, undefined],
  ['a text for a client that refuses gzip', long, 'gzip;q=0, br'],
  ['a text for a client that refuses both', long, 'zstd; Q=0.0, gzip;q=0'],
])('%s is sent as it is', async (_, text, accepted) => {
  expect(await compressed(text, accepted)).toEqual({ body: text, headers: { Vary: 'Accept-Encoding' } });
});
