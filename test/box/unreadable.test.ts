import { connectAsync } from 'mqtt';
import { expect, test } from 'vitest';
import { realClock } from '../../src/runtime/real-world.ts';
import { LocalBox } from '../support/box.ts';
import { HandClock } from '../support/clock.ts';
import { credentials } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const id = 'FACE-T1_A0001';
const site = {
  products: [{ product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1', access: 'both' }],
  devices: [{ device_id: id, name: 'North gate' }],
};
const punch = (mid: string, name: string): Buffer =>
  Buffer.from(
    JSON.stringify({
      ...{ mid, from: id, to: 'system', time: 0, action: 2001 },
      data: { records: [{ ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_000, check_data: { n: name } }] },
    }),
    'latin1',
  );

test('a punch with a name in GBK is counted, explained and shown with its first bytes', async () => {
  await using box = await LocalBox.make({}, site);
  const clock = new HandClock(realClock.now());
  box.clock = clock;
  await box.start();
  const client = await connectAsync(`mqtts://${box.addresses.mqtts}`, {
    ...credentials({ deviceId: id, key: 'key-of-the-product' }),
    ca: box.opened.caPem,
    protocolVersion: 4,
  });
  await client.publishAsync('device', Buffer.concat([punch('1', 'Li'), Buffer.from([0])]), { qos: 1 });
  await client.publishAsync('device', punch('2', '\xc0\xee\xc3\xb7'), { qos: 1 });
  await client.endAsync();
  await box.opened.store.catchUp();
  expect(await box.export('checkins')).toHaveLength(1);
  expect(await box.ask('status')).toMatch(
    /^unread +FACE-T1_A0001 has sent 1 message since .* that nobody can read, .*: GBK in place of UTF-8\. They are kept/m,
  );
  const { devices } = JSON.parse(await box.ask('status', '--json'));
  expect(devices.unreadable).toMatchObject([{ device_id: id, messages: 1, why: 'GBK in place of UTF-8' }]);
  const ofDevice = await box.ask('status', '--device', id);
  expect(ofDevice).toContain('1 message that nobody can read since');
  expect(ofDevice).toMatch(/begins with \{"mid":"2","from":"FACE-T1_A0001","to":"system","time":0,"actio/);
  const facts = JSON.parse(await box.ask('status', '--device', id, '--json'));
  expect(facts.ledger).toMatchObject([{ unreadable: { why: 'GBK in place of UTF-8' } }, { unreadable: null }]);
  const open = async () => JSON.parse(await box.ask('alerts', '--json')).open as { kind: string; subject: string }[];
  await until('the alert is open', async () => {
    await clock.advance(30_000);
    return (await open()).some(({ kind, subject }) => kind === 'unreadable' && subject === id);
  });
  expect(await box.ask('alerts')).toContain('Unreadable messages from North gate: GBK in place of UTF-8 (1 so far)');
});
