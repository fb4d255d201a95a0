import { expect, test } from 'vitest';
import { aClient } from '../../support/every-caller.ts';
import { aServiceBox, kiosk, portal } from '../../support/services.ts';
import { applied } from '../../support/store.ts';

/**
 * SPEC 5.6 and 7.2, through the door. A file that is not there answers 200 and code 404: the
 * signature was taken.
 */
const path = '/api/v1.0.0/file/none';

test('a call that is signed as SPEC 5.6 says is taken', async () => {
  await using box = await aServiceBox();
  expect(await box.caller.call(path)).toMatchObject({ status: 200, code: 404 });
});

test.each(['app_id', 'timestamp', 'nonce', 'sig'])('without %s it is 400, and said', async name => {
  await using box = await aServiceBox();
  for (const headers of [{ [name]: null }, { [name]: '' }])
    expect(await box.caller.call(path, { headers })).toMatchObject({
      status: 400,
      code: 400,
      msg: `send the header ${name}`,
    });
});

test('a signature is good for 10 minutes, and a day ahead', async () => {
  await using box = await aServiceBox();
  const at = (offset: number) => box.caller.signature('nonce1', String(box.clock.now() + offset));
  const minutes = 60_000;
  const day = 24 * 60 * minutes;
  for (const offset of [0, -10 * minutes, 10 * minutes])
    expect((await box.caller.call(path, { headers: at(offset) })).status).toBe(200);
  expect(box.services.markedCalls()).toEqual([]);
  for (const offset of [10 * minutes + 1, day])
    expect((await box.caller.call(path, { headers: at(offset) })).status).toBe(200);
  expect(box.services.markedCalls()).toMatchObject([{ app_id: 'hr-portal', mistake: 'clock_ahead', count: 2 }]);
  for (const [offset, says] of [
    [-10 * minutes - 1, 'more than 10 minutes behind'],
    [day + 1, 'more than a day ahead'],
  ] as const)
    expect(await box.caller.call(path, { headers: at(offset) })).toMatchObject({
      status: 400,
      msg: expect.stringContaining(says),
    });
});

test('a timestamp in seconds is read as what it is, one that is no number is 400', async () => {
  await using box = await aServiceBox();
  const seconds = box.caller.signature('nonce1', String(Math.floor(box.clock.now() / 1000)));
  expect((await box.caller.call(path, { headers: seconds })).status).toBe(200);
  expect(box.services.markedCalls()).toMatchObject([
    { app_id: 'hr-portal', path, mistake: 'timestamp_in_seconds', message: expect.stringContaining('13 digits') },
  ]);
  for (const timestamp of ['yesterday', '12', '-1763600000000'])
    expect((await box.caller.call(path, { headers: box.caller.signature('nonce1', timestamp) })).status).toBe(400);
});

test('a wrong sig and an unknown app_id are 401 in the same words; the digest counts without case', async () => {
  await using box = await aServiceBox();
  const wrong = await box.caller.call(path, { headers: { sig: 'f'.repeat(32) } });
  const stranger = await box.callerOf({ app_id: 'stranger', app_key: 'x' }).call(path);
  expect([wrong.status, stranger.status]).toEqual([401, 401]);
  expect(stranger.msg).toBe(wrong.msg);
  const right = box.caller.signature();
  expect((await box.caller.call(path, { headers: { ...right, sig: right.sig!.toUpperCase() } })).status).toBe(200);
});

test('a nonce with a timestamp that is ahead is remembered for as long as the signature is valid', async () => {
  await using box = await aServiceBox();
  const hour = 3600_000;
  const body = { content: { template: 'late' }, target: [{ mobile: '13800000000', mobile_region: '86' }] };
  await applied(box.opened.store, { message_templates: [{ template: 'late', body: 'late' }] });
  const headers = box.caller.signature('nonce1', String(box.clock.now() + 10 * hour));
  const send = () => box.caller.post('/api/1.0.0/message/short-message', body, { headers });
  const first = await send();
  expect(first.code).toBe(0);
  for (let passed = 0; passed < 10 * hour; passed += 2 * hour) {
    await box.services.retire();
    expect((await send()).data).toBe(first.data);
    await box.clock.advance(2 * hour);
  }
  await box.clock.advance(11 * 60_000);
  expect((await send()).status).toBe(400);
  await box.clock.advance(hour);
  await box.services.retire();
  const { appId, timestamp, nonce } = { appId: 'hr-portal', timestamp: headers.timestamp!, nonce: 'nonce1' };
  expect(await box.opened.store.read.signedAnswer({ appId, timestamp, nonce })).toBeNull();
});

test('an app has room for 10000 calls that are ahead, and goes on with a clock that is right', async () => {
  await using box = await aServiceBox();
  await applied(box.opened.store, { message_templates: [{ template: 'late', body: 'late' }] });
  const timestamp = String(box.clock.now() + 3600_000);
  const put = (at: number) =>
    box.opened.store.write.putSignedAnswer({
      appId: 'hr-portal',
      timestamp,
      nonce: `n${at}`,
      bodyHash: '',
      answer: '{}',
      at: box.clock.now(),
    });
  await Promise.all(Array.from({ length: 10_000 }, (_, index) => put(index)));
  const body = { content: { template: 'late' }, target: [{ mobile: '13800000000', mobile_region: '86' }] };
  const send = (headers: Record<string, string>) =>
    box.caller.post('/api/1.0.0/message/short-message', body, { headers });
  const full = await send(box.caller.signature('another', timestamp));
  expect([full.status, full.headers.get('retry-after')]).toEqual([429, '600']);
  expect(full.msg).toContain('set the clock');
  expect((await send(box.caller.signature('right1'))).code).toBe(0);
});

test('app_id may come as app-id, since proxies take underscores out', async () => {
  await using box = await aServiceBox();
  const { app_id, ...rest } = box.caller.signature();
  expect((await box.caller.call(path, { headers: { ...rest, app_id: null, 'app-id': app_id! } })).status).toBe(200);
});

test('both spellings of the version in the path are served', async () => {
  await using box = await aServiceBox();
  expect((await box.caller.call('/api/1.0.0/file/none')).code).toBe(404);
  expect(await box.caller.call('/api/2.0.0/file/none')).toMatchObject({ status: 404, code: 404, msg: 'no such path' });
});

test('an app that guesses from an address has to wait, the right signature too', async () => {
  await using box = await aServiceBox();
  for (let turn = 0; turn < 60; turn++) await box.caller.call(path, { headers: { sig: `guess ${turn}` } });
  const slowed = await box.caller.call(path);
  expect([slowed.status, slowed.headers.get('retry-after')]).toEqual([429, '60']);
  await box.clock.advance(60_000);
  expect((await box.caller.call(path)).status).toBe(200);
});

test('a right signature with a key that nobody guesses is taken beside wrong ones of the same app', async () => {
  const rotated = { app_id: 'rotated', app_key: '9f86d081884c7d659a2feaa0c55ad015' };
  await using box = await aServiceBox({ site: { apps: [rotated] } });
  const before = box.callerOf({ ...rotated, app_key: 'the key before' });
  for (let turn = 0; turn < 60; turn++) await before.call(path);
  expect((await before.call(path)).status).toBe(429);
  expect((await box.callerOf(rotated).call(path)).status).toBe(200);
});

test('an app that signs wrongly shuts out neither its neighbours behind one address nor itself elsewhere', async () => {
  await using box = await aServiceBox();
  for (let turn = 0; turn < 60; turn++) await box.caller.call(path, { headers: { sig: `guess ${turn}` } });
  for (let turn = 0; turn < 60; turn++) await box.callerOf({ app_id: `nobody ${turn}`, app_key: 'x' }).call(path);
  expect((await box.caller.call(path)).status).toBe(429);
  expect((await box.callerOf({ app_id: 'nobody else', app_key: 'x' }).call(path)).status).toBe(429);
  expect((await box.callerOf(kiosk).call(path)).status).toBe(200);
  using elsewhere = aClient({ address: new URL(box.url).host }, '127.0.0.9');
  expect((await elsewhere.ask({ method: 'GET', path, headers: box.caller.signature() })).status).toBe(200);
});

test('people at the box read what was wrong with a signature, with the string that should be under it and without the key', async () => {
  await using box = await aServiceBox();
  const swapped = box.callerOf({ app_id: portal.app_key, app_key: portal.app_id }).signature('nonce1');
  await box.caller.call(path, { headers: { ...swapped, app_id: portal.app_id } });
  const [last] = box.services.refusedCalls();
  expect(last).toMatchObject({
    ...{ caller: 'hr-portal', path, method: 'GET', status: 401, code: 401, count: 1 },
    why: {
      ...{ message: 'app_id and app_key are the wrong way round', differs_at: 0 },
      signed: [
        { name: 'app_id', text: 'app_id=********' },
        { name: 'app_key', text: '&app_key=hr-portal' },
        { name: 'nonce', text: '&nonce=nonce1' },
        { name: 'timestamp', text: `&timestamp=${box.clock.now()}` },
      ],
    },
  });
  expect(last!.parts.map(({ text }) => text).join('')).toBe(
    `app_id=hr-portal&app_key=********&nonce=nonce1&timestamp=${box.clock.now()}`,
  );
  await box.callerOf({ app_id: 'stranger', app_key: 'x' }).call(path);
  expect(box.services.refusedCalls()[0]).toMatchObject({
    why: { message: 'no app with this app_id stands in the site', signed: [] },
    parts: [],
  });
  expect(JSON.stringify(box.services.refusedCalls())).not.toContain(portal.app_key);
});
