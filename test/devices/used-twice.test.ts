import { describe, expect, test } from 'vitest';
import { aGateway, connectMqtt } from '../support/gateway.ts';
import { until } from '../support/until.ts';

const id = 'FACE-T1_A0001';

describe('two devices with one id', () => {
  test('21 logins that end each other are told, with the addresses, and over ten minutes after the last', async () => {
    await using gateway = await aGateway();
    for (let turn = 0; turn < 21; turn++) {
      const client = await connectMqtt(gateway, id);
      if (typeof client === 'number') return expect.unreachable('it is let in');
      await gateway.clock.advance(1000);
      if (turn === 3) expect(gateway.devices.usedTwice()).toEqual([]);
    }
    expect(gateway.devices.usedTwice()).toMatchObject([{ deviceId: id, addresses: ['127.0.0.1'] }]);
    await until('the event is stored', async () => {
      await gateway.clock.advance(1000);
      const events = await gateway.store.read.events([...gateway.store.directory.devices()][0]!.deviceNo, 100);
      return events.some(({ kind, detail }) => kind === 'used_twice' && detail === 'from 127.0.0.1');
    });
    await gateway.clock.advance(10 * 60_000);
    expect(gateway.devices.usedTwice()).toEqual([]);
  });

  test('a device that takes its own place now and then is none of them', async () => {
    await using gateway = await aGateway();
    for (let turn = 0; turn < 8; turn++) {
      await connectMqtt(gateway, id);
      await gateway.clock.advance(20_000);
    }
    expect(gateway.devices.usedTwice()).toEqual([]);
  });
});
