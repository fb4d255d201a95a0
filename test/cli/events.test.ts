import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import mqtt from 'mqtt';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { realClock } from '../../src/runtime/real-world.ts';
import { startSimDevices } from '../../tools/sim/index.ts';
import { aBox, type LocalBox } from '../support/box.ts';
import { runCommand } from '../support/command.ts';
import { until } from '../support/until.ts';

/** `gatehouse events` on a box that serves programs. */

const product = { product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1', access: 'both' };

let box: LocalBox;
beforeAll(async () => {
  box = await aBox({ listen: { events: '127.0.0.1:0' } }, { products: [product] });
});
afterAll(() => box?.[Symbol.asyncDispose]());

const punching = async (firstSerial: string) =>
  startSimDevices({
    clock: realClock,
    // Every record is a check-in.
    random: () => 0.5,
    url: `mqtts://${box.addresses.mqtts}`,
    ca: await box.ask('trust', 'export'),
    product: product.product_id,
    productKey: product.product_key,
    model: 'FT1',
    count: 1,
    rate: 20,
    recordsMax: 3,
    firstSerial,
  });
const eventsOf = async (...options: string[]) => {
  const lines = (await box.ask('events', '--json', ...options)).split('\n').filter(Boolean);
  return lines.map(line => JSON.parse(line) as { kind: string; seq: number; device_id: string });
};

test('events are listed oldest first, of one device, of one kind, after a seq', async () => {
  await using _first = await punching('A0001');
  await using _second = await punching('B0001');
  await until('all are listed', async () => (await eventsOf('--kind', 'checkins')).length === 6);
  const all = await eventsOf('--kind', 'checkins');
  expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).toSorted((one, other) => one - other));
  expect(await eventsOf('--device', 'FACE-T1_A0001', '--kind', 'checkins')).toHaveLength(3);
  expect(await eventsOf('--kind', 'access', '--kind', 'checkins')).toEqual(all);
  expect(await eventsOf('--kind', 'checkins', '--since', String(all[3]!.seq))).toEqual(all.slice(4));
  expect(await eventsOf('--kind', 'checkins', '--since', '0s')).toEqual([]);
  const shown = await box.ask('events', '--kind', 'checkins', '--since', '1h');
  expect(shown.trim().split('\n')[0]).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \S+ {2}check-in {2}FACE-T1_[AB]0001 {2}/,
  );
});

test('a seq without a kind, and an unknown kind, are wrong usage', async () => {
  expect(await box.run('events', '--since', '12')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('--kind'),
  });
  expect(await box.run('events', '--kind', 'doors')).toMatchObject({ status: 2 });
});

test('programs are listed with their connections and the reason for the last refusal', async () => {
  const token = (await box.ask('token', 'create', '--role', 'events', '--name', 'wall', '--topics', 'line')).trim();
  const url = `mqtt://${box.addresses.events}`;
  const client = await mqtt.connectAsync(url, { username: 'wall', password: token });
  await client.subscribeAsync('gatehouse/v1/checkins/#').catch(() => {});
  await mqtt.connectAsync(url, { username: 'till', password: 'wrong', reconnectPeriod: 0 }).catch(() => {});
  const shown = await box.ask('events', 'programs');
  expect(shown).toContain(`programs log in at ${url}`);
  expect(shown).toMatch(/^wall +1 +0 .*may not subscribe to gatehouse\/v1\/checkins\/#/m);
  expect(shown).toMatch(/^refused: till from 127\.0\.0\.1, .*the token is not known/m);
  expect(JSON.parse(await box.ask('events', 'programs', '--json'))).toMatchObject({
    listens: { address: box.addresses.events, tls: false },
    rows: [{ name: 'wall', topics: ['gatehouse/v1/line'], peoples_data: false, connections: 1 }],
  });
  await client.endAsync();
});

test('a box without the broker says so, and lists events all the same', async () => {
  await using silent = await aBox({}, {});
  expect(await silent.ask('events', 'programs')).toContain('`listen.events` is off');
  expect(await silent.ask('events')).toBe('');
  await silent.stop();
  expect(await runCommand(['events', '--data-dir', silent.dataDir])).toMatchObject({ status: 1 });
});

test('the simulated terminal of the guide punches as people of the site', async () => {
  const employees = [{ ext_id: 'e1', name: 'Li Mei', employee_num: '1001', department: { ext_id: '0' } }];
  await using site = await aBox(
    {},
    { products: [product], departments: [{ ext_id: '0', name: 'Plant 4' }], employees },
  );
  await writeFile(join(site.folder, 'trust.pem'), await site.ask('trust', 'export'));
  const command = ['sim', 'device', '--site', 'site.yaml', '--mqtts', site.addresses.mqtts!, '--ca', 'trust.pem'];
  const outcome = await runCommand([...command, '--rate', '50', '--records', '12'], { cwd: site.folder });
  expect(outcome).toMatchObject({ status: 0, stdout: expect.stringMatching(/said 12, acknowledged 12/) });
  const events = (await site.ask('events', '--kind', 'checkins', '--json')).split('\n').filter(Boolean);
  expect(events.length).toBeGreaterThan(0);
  for (const event of events) expect(JSON.parse(event)).toMatchObject({ known: true, name: 'Li Mei' });
});
