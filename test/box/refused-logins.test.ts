import { connectAsync } from 'mqtt';
import { expect, test } from 'vitest';
import { LocalBox } from '../support/box.ts';
import { HandClock } from '../support/clock.ts';
import { credentials } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const site = { products: [{ product_id: 'FACE-T1', product_key: 'key-of-the-product', model: 'FT1', access: 'both' }] };

test('logins that are refused before the alerts look for the first time are counted', async () => {
  const alerts = { wait_seconds: 0, rules: { logins: { at: 3, minutes: 0 } } };
  await using box = await LocalBox.make({ listen: { mqtt: '127.0.0.1:0' }, alerts }, site);
  const clock = new HandClock(Date.now());
  box.clock = clock;
  await box.start();
  const guess = { ...credentials({ deviceId: 'FACE-T1_A0001', key: 'wrong' }), reconnectPeriod: 0 };
  for (let count = 0; count < 3; count++)
    await expect(connectAsync(`mqtt://${box.addresses.mqtt}`, guess)).rejects.toThrow();
  const open = async () =>
    (JSON.parse(await box.ask('alerts', '--json')).open as { kind: string }[]).map(one => one.kind);
  expect(await open()).not.toContain('logins');
  await clock.advance(30_000);
  await until('they are told', async () => (await open()).includes('logins'));
});
