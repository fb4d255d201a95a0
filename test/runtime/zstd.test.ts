import { randomBytes } from 'node:crypto';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { zstdCompressed, zstdUnpacked } from '../../src/runtime/zstd.ts';

const bytesMax = 1 << 20;

test.each([0, 1, 300, 16 << 10, (16 << 10) + 1, 300_000])('%i bytes come back as they were', async length => {
  for (const bytes of [randomBytes(length), Buffer.alloc(length, 'a record ')]) {
    const frame = await zstdCompressed(bytes);
    expect((await zstdUnpacked(frame, bytesMax)).equals(bytes)).toBe(true);
  }
});

test.each([2000, 300_000, 8 << 20])(
  '%i bytes in a small frame are refused by a lower bound, and only by that',
  async length => {
    const frame = zstdCompressSync(Buffer.alloc(length));
    expect(frame.length).toBeLessThan(16 << 10);
    expect((await zstdUnpacked(frame, length)).length).toBe(length);
    await expect(zstdUnpacked(frame, length - 1)).rejects.toMatchObject({ code: 'ERR_BUFFER_TOO_LARGE' });
  },
);

test('what is no zstd is refused, whole or cut off', async () => {
  const frame = zstdCompressSync(Buffer.alloc(2000, 'text'));
  for (const bytes of [Buffer.from('no zstd'), frame.subarray(0, frame.length - 1), randomBytes(20_000)])
    await expect(zstdUnpacked(bytes, bytesMax)).rejects.not.toMatchObject({ code: 'ERR_BUFFER_TOO_LARGE' });
});
