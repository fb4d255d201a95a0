import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from 'vitest';
import { BoxProcess } from '../support/program.ts';
import { until } from '../support/until.ts';

const simulated = (hotspot: string) => ({
  provisioning: {
    bluetooth: 'off',
    wifi: 'simulated',
    hotspot,
    result_listen: 'off',
    simulated_networks: [{ ssid: 'Plant', key: 'secret123' }],
  },
});

test('the ready line says where the hotspot endpoints are, while the box may be set up', async () => {
  await using box = await BoxProcess.start(simulated('127.0.0.1:0'), {});
  const answer = await fetch(`http://${box.addresses.hotspot}/wifi/list`, { method: 'POST' });
  expect(await answer.json()).toMatchObject({ code: '0', data: [{ ssid: 'Plant' }] });
});

test('a hotspot address that another program has keeps nobody from working: it is said, and taken once it is free', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = `127.0.0.1:${(other.address() as AddressInfo).port}`;
  await using box = await BoxProcess.start(simulated(address), {});
  const report = async () => JSON.parse(await box.ask('setup', '--json'));
  await until('it is said', async () => (await report()).why.includes('another program listens there'));
  expect((await report()).why).toContain(`provisioning.hotspot ${address}`);
  other.close();
  await until('it is taken', async () => (await report()).mode === 'open');
  expect(box.alive).toBe(true);
});
