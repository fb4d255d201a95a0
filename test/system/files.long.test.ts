import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deedMBMax, watchOwnMemory } from '../support/own-memory.ts';
import { BoxProcess } from '../support/program.ts';
import { ServiceCaller } from '../support/services.ts';
import { until } from '../support/until.ts';

const MiB = 1 << 20;
const app = { app_id: 'hr-portal', app_key: 'k1' };

let box: BoxProcess;
let memory: ReturnType<typeof watchOwnMemory>;
let ca: string;
beforeAll(async () => {
  box = await BoxProcess.start({}, { apps: [app] });
  memory = watchOwnMemory(box.pid);
  ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
});
afterAll(async () => {
  memory?.[Symbol.dispose]();
  await box?.[Symbol.asyncDispose]();
});

/** Different in each MiB, so that pieces in the wrong order show. */
function mebibyte(no: number): Buffer {
  const bytes = Buffer.alloc(MiB, no & 0xff);
  bytes.writeUInt32BE(no, 0);
  return bytes;
}

interface Ended {
  readonly status: number;
  readonly body: string;
  /** How much had been handed to the socket when the answer came. */
  readonly sentMiB: number;
}

/** Sends so many MiB as fast as they are taken; chunked unless `announced`. */
const upload = (count: number, { announced, multipart }: { announced: boolean; multipart: boolean }) =>
  new Promise<Ended>((resolve, reject) => {
    const caller = new ServiceCaller('', Date.now, app);
    const before = multipart
      ? '--frontier\r\nContent-Disposition: form-data; name="file"; filename="big.bin"\r\nContent-Type: application/octet-stream\r\n\r\n'
      : '';
    const after = multipart ? '\r\n--frontier--\r\n' : '';
    let sentMiB = 0;
    let answered = false;
    const outgoing = request(
      `https://${box.addresses.https}/api/v1.0.0/file?client=A0001&public=true&name=big.bin`,
      {
        method: 'POST',
        ca,
        headers: {
          ...caller.signature(Math.random().toString(36).slice(2, 8)),
          'content-type': multipart ? 'multipart/form-data; boundary=frontier' : 'application/octet-stream',
          ...(announced ? { 'content-length': String(count * MiB + before.length + after.length) } : {}),
        },
      },
      incoming => {
        answered = true;
        let body = '';
        incoming.setEncoding('utf8').on('data', text => (body += text));
        incoming.on('end', () => resolve({ status: incoming.statusCode!, body, sentMiB }));
      },
    );
    outgoing.on('error', error => (answered ? undefined : reject(error)));
    outgoing.write(before);
    const more = () => {
      while (sentMiB < count && !answered)
        if (!outgoing.write(mebibyte(sentMiB++))) return void outgoing.once('drain', more);
      if (!answered) outgoing.end(after);
    };
    more();
  });

const download = (url: string) =>
  new Promise<{ bytes: number; sha256: string }>((resolve, reject) => {
    const outgoing = request(url, { ca }, incoming => {
      const hash = createHash('sha256');
      let bytes = 0;
      incoming.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        hash.update(chunk);
      });
      incoming.on('end', () => resolve({ bytes, sha256: hash.digest('hex') }));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });

const stored = (): string[] =>
  readdirSync(join(box.dataDir, 'files'), { recursive: true, withFileTypes: true })
    .filter(one => one.isFile())
    .map(one => one.name);

test(`500 MiB go up, in both forms, and down again, with less than ${deedMBMax} MB of the box’s own; 501 MiB are refused and leave nothing`, async () => {
  const expected = createHash('sha256');
  for (let no = 0; no < 500; no++) expected.update(mebibyte(no));
  const sha256 = expected.digest('hex');
  for (const how of [
    { announced: true, multipart: false },
    { announced: false, multipart: true },
  ]) {
    const { status, body } = await upload(500, how);
    expect(status, body).toBe(200);
    const { data } = JSON.parse(body);
    expect(await download(data.public_url)).toEqual({ bytes: 500 * MiB, sha256 });
  }
  expect(stored()).toHaveLength(2);

  const early = await upload(501, { announced: true, multipart: false });
  expect([early.status, JSON.parse(early.body)]).toEqual([413, { code: 413, msg: 'a body has at most 500 MiB here' }]);
  expect(early.sentMiB).toBeLessThan(50);
  for (const multipart of [false, true]) {
    const late = await upload(501, { announced: false, multipart }).catch(error => ({
      status: 413,
      body: String(error),
    }));
    expect(late.status, late.body).toBe(413);
  }
  // The answer does not wait for what came in to be removed.
  await until('what was refused leaves nothing', () => stored().length === 2);
  process.stdout.write(`500 MiB twice up and down: the box held ${Math.round(memory.peakMB)} MB of its own at most\n`);
  expect(memory.peakMB).toBeLessThan(deedMBMax);
});

test('a box that is killed in the middle of an upload starts without what came in', async () => {
  const before = stored();
  const uploading = upload(400, { announced: true, multipart: false }).catch(() => null);
  const incoming = join(box.dataDir, 'files', 'incoming');
  while (readdirSync(incoming).length === 0) await new Promise(resolve => setImmediate(resolve));
  await box.kill9();
  await uploading;
  expect(readdirSync(incoming)).toHaveLength(1);
  await box.start();
  expect(stored()).toEqual(before);
});
