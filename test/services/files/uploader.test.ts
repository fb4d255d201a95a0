import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { aServicePair } from '../../support/service-pair.ts';
import { kiosk } from '../../support/services.ts';

test('files wait while the line is cut, go up in the background, and are the same there', async () => {
  await using pair = await aServicePair();
  const { box, cloud, line } = pair;
  line.isUp = false;
  const bytes = randomBytes(200_000);
  const { data } = await box.caller.call('/api/v1.0.0/file?client=A&public=true&name=a.bin&expire=86400000', {
    headers: { 'content-type': 'application/octet-stream' },
    body: bytes,
  });
  expect((await box.services.waiting()).files).toBe(1);
  line.isUp = true;
  await pair.eventually('it is there', async () => (await box.services.waiting()).files === 0);
  const { cloudFileId } = (await box.opened.store.read.file(data.file_id))!;
  const there = await cloud.callerOf(kiosk).call(`/api/v1.0.0/file/${cloudFileId}`);
  expect(there.data).toMatchObject({ file_id: cloudFileId, due_time: expect.any(String) });
  const answer = await fetch(there.data.public_url.replace('https:', 'http:'));
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
});

test('a file that ran out before the line was up is not sent', async () => {
  await using pair = await aServicePair();
  const { box, line } = pair;
  line.isUp = false;
  await box.caller.call('/api/v1.0.0/file?client=A&name=a&expire=1000', {
    headers: { 'content-type': 'application/octet-stream' },
    body: 'x',
  });
  await pair.clock.advance(2000);
  line.isUp = true;
  await pair.eventually('it is done', async () => (await box.services.waiting()).files === 0);
  expect(line.asked).toEqual([]);
});
