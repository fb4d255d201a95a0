import { expect, test } from 'vitest';
import { aGateway, anHttpDevice, ask, type Gateway } from '../../support/gateway.ts';
import { aProduct, applied } from '../../support/store.ts';
import { until } from '../../support/until.ts';

const box = 'GATEHOUSE_000002';
const products = [aProduct(), aProduct({ product_id: 'GATEHOUSE' })];
const report = { at: 1_763_600_000_000, version: '1.4.0', environment: 'test' };

async function aBoxBelow(gateway: Gateway, listed = true) {
  if (listed) await applied(gateway.store, { boxes: [{ box_id: box }] });
  const { authorization, pull } = await anHttpDevice(gateway, box);
  const post = (path: string, body: string, shown = authorization) =>
    ask(`${gateway.httpUrl}/api/v1.0/batch/${box}${path}`, { headers: { authorization: shown }, body });
  return {
    pull,
    say: (body: unknown, shown?: string) =>
      post('/status', typeof body === 'string' ? body : JSON.stringify(body), shown),
    send: () => post('', ''),
  };
}
const heard = async ({ store }: Gateway) => (await store.read.boxesHeard())[0];

test('what a listed box says of itself is kept, with the time by the clock here', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  expect(await below.say(report)).toMatchObject({ status: 200, json: { code: 0, msg: 'ok' } });
  expect(await heard(gateway)).toMatchObject({
    boxId: box,
    heardAt: gateway.clock.now(),
    reportedAt: gateway.clock.now(),
    report: { ...report, outbox: null },
  });
});

test('of a box that is not listed, or not logged in, nothing is kept', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway, false);
  expect(await below.say(report)).toMatchObject({ status: 403 });
  expect(await below.say(report, 'wrong')).toMatchObject({ status: 406 });
  expect(await heard(gateway)).toBeUndefined();
});

test('what cannot be read is refused with the reason, and leaves the report before as it was', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  await below.say(report);
  expect(await below.say({ ...report, version: 2 })).toMatchObject({
    status: 400,
    json: { code: 400, msg: 'what the box says of itself cannot be read: version: must be a text' },
  });
  expect(await below.say('{')).toMatchObject({ status: 400 });
  expect(await below.say({ ...report, more: 'x'.repeat(5000) })).toMatchObject({ status: 413 });
  expect((await heard(gateway))?.report?.version).toBe('1.4.0');
});

test('more than a few reports in a minute are turned away', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  for (let no = 1; no <= 6; no++) expect((await below.say({ ...report, version: `${no}` })).status).toBe(200);
  expect(await below.say(report)).toMatchObject({ status: 429, headers: { 'retry-after': '60' } });
  expect((await heard(gateway))?.report?.version).toBe('6');
  await gateway.clock.advance(60_000);
  expect((await below.say(report)).status).toBe(200);
});

test('a box whose program sends no reports is heard by its batches and pulls, and written down once a minute', async () => {
  await using gateway = await aGateway({ products });
  const below = await aBoxBelow(gateway);
  expect((await below.send()).status).toBe(200);
  const first = gateway.clock.now();
  await until('it is written down', async () => (await heard(gateway))?.heardAt === first);
  expect((await heard(gateway))?.report).toBeNull();
  await gateway.clock.advance(59_000);
  await below.pull();
  await gateway.clock.advance(1000);
  const second = gateway.clock.now();
  await below.pull();
  await until('it is written down again', async () => (await heard(gateway))?.heardAt === second);
});
