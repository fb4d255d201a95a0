import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { over } from '../../../src/store/domain.ts';
import { StoreError } from '../../../src/store/index.ts';
import { aServicePair } from '../../support/service-pair.ts';
import { aServiceBox, kiosk, type ServiceBox } from '../../support/services.ts';
import { until } from '../../support/until.ts';

const octets = { 'content-type': 'application/octet-stream' };
const send = (box: ServiceBox, bytes: Uint8Array | string, query = 'client=A0001&public=true&name=a.bin') =>
  box.caller.call(`/api/v1.0.0/file?${query}`, { headers: octets, body: bytes as never });

function multipart(...parts: [name: string, fileName: string, type: string, text: string][]) {
  const form = new FormData();
  for (const [name, fileName, type, text] of parts) form.append(name, new Blob([text], { type }), fileName);
  return form;
}

const get = (url: string, headers: Record<string, string> = {}, method = 'GET') => fetch(url, { headers, method });
const stored = (box: ServiceBox): string[] =>
  readdirSync(join(box.opened.dataDir, 'files'), { recursive: true, withFileTypes: true })
    .filter(one => one.isFile())
    .map(one => one.name);

test('a raw body becomes a file with a public link, which gives the same bytes back', async () => {
  await using box = await aServiceBox();
  const bytes = randomBytes(300_000);
  const { status, code, data } = await send(box, bytes);
  expect([status, code]).toEqual([200, 0]);
  expect(data).toEqual({
    file_id: expect.stringMatching(/^gh[0-9a-f]{40}$/),
    public_url: expect.stringContaining(`/public/file/${data.file_id}`),
  });
  const link = data.public_url.replace('https:', 'http:');
  const answer = await get(link);
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
  expect(answer.headers.get('etag')).toBe(`"${createHash('sha256').update(bytes).digest('hex')}"`);
});

test('of a multipart body the first file is taken, whatever its part is called', async () => {
  await using box = await aServiceBox();
  const form = multipart(['file', '照片.png', 'image/png', 'first'], ['other', 'b.png', 'image/png', 'second']);
  form.set('note', 'no file');
  const { data } = await box.caller.call('/api/v1.0.0/file?client=A0001&public=1', { body: form });
  const answer = await get(data.public_url.replace('https:', 'http:'));
  expect(await answer.text()).toBe('first');
  expect(answer.headers.get('content-type')).toBe('image/png');
  expect(answer.headers.get('content-disposition')).toBe("inline; filename*=UTF-8''%E7%85%A7%E7%89%87.png");
});

test('a file that is not public has an id and nothing else, and only its own app finds it', async () => {
  await using box = await aServiceBox();
  const { data } = await send(box, 'mine', 'client=A0001&name=a.txt');
  expect(Object.keys(data)).toEqual(['file_id']);
  const path = `/api/v1.0.0/file/${data.file_id}`;
  expect((await box.caller.call(path)).data).toEqual(data);
  const other = await box.callerOf(kiosk).call(path);
  const none = await box.callerOf(kiosk).call(`/api/v1.0.0/file/gh${'0'.repeat(40)}`);
  expect([other.status, other.code]).toEqual([200, 404]);
  expect(other.msg.replace(data.file_id, '')).toBe(none.msg.replace(`gh${'0'.repeat(40)}`, ''));
  expect((await get(`${box.url}/public/file/${data.file_id}`)).status).toBe(404);
  const { data: open } = await send(box, 'for all');
  expect((await box.callerOf(kiosk).call(`/api/v1.0.0/file/${open.file_id}`)).data).toEqual(open);
});

test('the link is one with TLS unless https is false', async () => {
  await using box = await aServiceBox();
  expect((await send(box, 'x')).data.public_url).toMatch(/^https:/);
  expect((await send(box, 'x', 'client=A&public=true&https=true&name=a')).data.public_url).toMatch(/^https:/);
  expect((await send(box, 'x', 'client=A&public=true&https=false&name=a')).data.public_url).toMatch(/^http:/);
});

test('of a file that is not public the answer is file_id alone, also where it expires', async () => {
  await using box = await aServiceBox();
  const { data } = await send(box, 'private', 'client=A&name=a&expire=60000');
  expect(data).toEqual({ file_id: expect.any(String) });
  expect((await box.caller.call(`/api/v1.0.0/file/${data.file_id}`)).data).toEqual(data);
  await box.clock.advance(60_000);
  expect((await box.caller.call(`/api/v1.0.0/file/${data.file_id}`)).code).toBe(404);
});

test('a file that expires says when, at most in six months, and is gone then', async () => {
  await using box = await aServiceBox();
  const now = box.clock.now();
  const { data } = await send(box, 'for a minute', 'client=A&public=true&name=a&expire=60000');
  expect(data.due_time).toBe(String(now + 60_000));
  const moment = await send(box, 'to a moment', `client=A&public=true&name=a&expire=${now + 5000}`);
  expect(moment.data.due_time).toBe(String(now + 5000));
  const long = await send(box, 'too long', 'client=A&public=true&name=a&expire=99999999999');
  const half = new Date(now);
  half.setUTCMonth(half.getUTCMonth() + 6);
  expect(long.data.due_time).toBe(String(half.getTime()));

  expect(stored(box)).toHaveLength(3);
  await box.clock.advance(60_000);
  expect((await box.caller.call(`/api/v1.0.0/file/${data.file_id}`)).code).toBe(404);
  expect((await get(`${box.url}/public/file/${data.file_id}`)).status).toBe(404);
  await box.services.retire();
  expect(stored(box)).toEqual([long.data.file_id]);
});

test.each([
  ['client', 'public=true&name=a', 'client: needed'],
  ['public', 'client=A&public=maybe&name=a', 'public "maybe": write true or false'],
  ['https', 'client=A&https=2&name=a', 'https "2": write true or false'],
  ['expire', 'client=A&name=a&expire=soon', 'expire "soon": write whole milliseconds'],
  ['expire', 'client=A&name=a&expire=0', 'expire "0": write whole milliseconds'],
  ['expire', 'client=A&name=a&expire=1000000000000', 'expire "1000000000000": that moment has passed'],
  ['name', 'client=A', 'name: needed where the body is the file itself'],
])('a wrong %s is 400 that names it', async (_name, query, reason) => {
  await using box = await aServiceBox();
  expect(await send(box, 'x', query)).toMatchObject({ status: 400, code: 400, msg: expect.stringContaining(reason) });
  expect(stored(box)).toEqual([]);
});

test('a body without a file, of another type, or that is no multipart is 400', async () => {
  await using box = await aServiceBox();
  const call = (headers: Record<string, string>, body: RequestInit['body']) =>
    box.caller.call('/api/v1.0.0/file?client=A&name=a', { headers, body });
  const nameless = '--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nbytes\r\n--b--\r\n';
  expect(await call({ 'content-type': 'multipart/form-data; boundary=b' }, nameless)).toMatchObject({
    status: 400,
    msg: 'the part "file" has no filename, so it is read as text: send it as a file (filename="…" in its Content-Disposition; curl -F file=@NAME)',
  });
  const form = new FormData();
  form.set('note', 'no file');
  expect(await call({}, form)).toMatchObject({ status: 400, msg: expect.stringContaining('no part with a file') });
  expect((await call({ 'content-type': 'text/plain' }, 'x')).status).toBe(400);
  expect((await call({ 'content-type': 'multipart/form-data' }, 'x')).status).toBe(400);
  expect((await call({ 'content-type': 'multipart/form-data; boundary=b' }, 'x')).status).toBe(400);
  const cut = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nthe end is missing';
  expect((await call({ 'content-type': 'multipart/form-data; boundary=b' }, cut)).status).toBe(400);
  expect(stored(box)).toEqual([]);
});

test('an empty file is a file', async () => {
  await using box = await aServiceBox();
  const { data } = await send(box, '');
  const answer = await get(data.public_url.replace('https:', 'http:'));
  expect([answer.status, await answer.text()]).toEqual([200, '']);
});

test('the same call again gets the first answer and stores nothing; with another file it is refused', async () => {
  await using box = await aServiceBox();
  const signature = box.caller.signature();
  const upload = (text: string) =>
    box.caller.call('/api/v1.0.0/file?client=A&name=a', { headers: { ...signature, ...octets }, body: text });
  const first = await upload('once');
  const [again, atOnce] = await Promise.all([upload('once'), upload('once')]);
  expect([again.data, atOnce.data]).toEqual([first.data, first.data]);
  expect(await upload('other')).toMatchObject({ status: 400, msg: expect.stringContaining('make a new nonce') });
  expect(stored(box)).toEqual([first.data.file_id]);
});

test('an upload whose row cannot be written is refused, and leaves no answer for the same call again', async () => {
  await using box = await aServiceBox();
  const { store } = box.opened;
  const { write } = store;
  const putFile = () => Promise.reject(new StoreError('disk_full', 'no room'));
  Object.assign(store, { write: over(write, { putFile }) });
  const headers = { ...box.caller.signature(), ...octets };
  const upload = () => box.caller.call('/api/v1.0.0/file?client=A&name=a', { headers, body: 'once' });
  expect(await upload()).toMatchObject({ status: 503 });
  Object.assign(store, { write });
  expect(await upload()).toMatchObject({ status: 200, code: 0 });
});

test('ranges are answered as RFC 9110 says', async () => {
  await using box = await aServiceBox();
  const { data } = await send(box, '0123456789');
  const link = data.public_url.replace('https:', 'http:');
  const range = async (header: string, more: Record<string, string> = {}) => {
    const answer = await get(link, { range: header, ...more });
    return [answer.status, answer.headers.get('content-range'), await answer.text()];
  };
  expect(await range('bytes=2-4')).toEqual([206, 'bytes 2-4/10', '234']);
  expect(await range('bytes=7-')).toEqual([206, 'bytes 7-9/10', '789']);
  expect(await range('bytes=-3')).toEqual([206, 'bytes 7-9/10', '789']);
  expect(await range('bytes=8-100')).toEqual([206, 'bytes 8-9/10', '89']);
  expect(await range('bytes=10-')).toEqual([416, 'bytes */10', '']);
  expect(await range('bytes=0-1,3-4')).toEqual([200, null, '0123456789']);
  expect(await range('lines=1-2')).toEqual([200, null, '0123456789']);
  const etag = (await get(link)).headers.get('etag')!;
  expect(await range('bytes=2-4', { 'if-range': etag })).toEqual([206, 'bytes 2-4/10', '234']);
  expect(await range('bytes=2-4', { 'if-range': '"other"' })).toEqual([200, null, '0123456789']);
  expect((await get(link, { 'if-none-match': etag })).status).toBe(304);
  const head = await get(link, {}, 'HEAD');
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '10', '']);
});

test('a page that was uploaded is a download and never runs under the name of the box', async () => {
  await using box = await aServiceBox();
  const form = multipart(['file', 'evil".html\r\nx', 'text/html', '<script>alert(1)</script>']);
  const { data } = await box.caller.call('/api/v1.0.0/file?client=A&public=true', { body: form });
  const { headers } = await get(data.public_url.replace('https:', 'http:'));
  expect(headers.get('content-type')).toBe('application/octet-stream');
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''evil[%\w]*\.html[%\w]*$/);
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
});

test('an upload that is cut leaves nothing behind', async () => {
  await using box = await aServiceBox();
  const { port } = new URL(box.url);
  for (const body of [
    'half of it',
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf of it',
  ]) {
    const type = body.startsWith('--b') ? 'multipart/form-data; boundary=b' : 'application/octet-stream';
    const socket = connect(Number(port), '127.0.0.1');
    const headers = Object.entries({ ...box.caller.signature(), 'content-type': type, 'content-length': '1000' });
    socket.write(
      `POST /api/v1.0.0/file?client=A&name=a HTTP/1.1\r\nHost: x\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`,
    );
    await until('it comes in', () => stored(box).length === 1);
    socket.destroy();
    await once(socket, 'close');
    await until('nothing is left', () => stored(box).length === 0);
  }
});

test('a path is no file_id', async () => {
  await using box = await aServiceBox();
  for (const id of ['..%2f..%2fkeys%2fseal.key', 'gh', '%00'])
    expect((await get(`${box.url}/public/file/${id}`)).status).toBe(404);
});

test('a file is as large as limits.file_bytes at most, and the refusal names the bound', async () => {
  await using box = await aServiceBox({ options: { fileBytesMax: 1024 } });
  expect((await send(box, randomBytes(1024))).code).toBe(0);
  expect(await send(box, randomBytes(1025))).toMatchObject({ status: 413, msg: 'a file has at most 1024 bytes' });
});

test('a file that only the cloud has is asked of it, kept, and answered with the line cut', async () => {
  await using pair = await aServicePair();
  const { box, cloud, line } = pair;
  const { data } = await send(cloud, 'at the cloud');
  const ask = (fileId: string) => box.caller.call(`/api/v1.0.0/file/${fileId}`);
  expect((await ask(data.file_id)).data).toEqual(data);
  expect(await ask(`gh${'1'.repeat(40)}`)).toMatchObject({ status: 200, code: 404 });
  line.isUp = false;
  expect((await ask(data.file_id)).data).toEqual(data);
  const down = await ask(`gh${'1'.repeat(40)}`);
  expect(down).toMatchObject({
    status: 503,
    code: 503,
    msg: `file_id "gh${'1'.repeat(40)}": not known here, and the cloud cannot be reached now: ask again when the line is up`,
  });
  expect(down.headers.get('retry-after')).toBe('5');
});
