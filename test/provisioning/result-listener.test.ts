import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { encodeSetupDatagram, type SetupResult } from '../../src/platform/setup-result.ts';
import { ResultListener } from '../../src/provisioning/site-devices/result-listener.ts';
import { HandClock } from '../support/clock.ts';
import { keptLog } from '../support/kept-log.ts';
import { aSetUp } from '../support/site-devices.ts';
import { until } from '../support/until.ts';

const result: SetupResult = {
  deviceId: 'FACE-T1_A0001',
  model: 'FT1',
  status: 0,
  error: null,
  message: '',
  mac: '02:00:00:00:01:00',
  address: '127.0.0.1',
  mask: '255.0.0.0',
  gateway: '127.0.0.254',
};

async function listening(change: Partial<Parameters<typeof ResultListener.open>[0]> = {}) {
  const heard: SetupResult[] = [];
  const clock = new HandClock();
  const { log, texts } = keptLog();
  const listener = await ResultListener.open({
    address: { host: '127.0.0.1', port: 0 },
    ownDeviceId: 'GATEHOUSE_000001',
    clock,
    log,
    onResult: one => heard.push(one),
    ...change,
  });
  const socket = createSocket('udp4');
  const say = (bytes: Uint8Array) => new Promise(resolve => socket.send(bytes, listener.port, '127.0.0.1', resolve));
  return {
    listener,
    heard,
    clock,
    warned: texts.warn,
    say,
    async [Symbol.asyncDispose]() {
      socket.close();
      await listener[Symbol.asyncDispose]();
    },
  };
}

test('a result that is repeated is heard once in 60 s, another one of the same device at once', async () => {
  await using box = await listening();
  for (let sent = 0; sent < 3; sent++) await box.say(encodeSetupDatagram(result));
  await box.say(encodeSetupDatagram({ ...result, status: -2, error: -3 }));
  await until('both are heard', () => box.heard.length === 2);
  await box.clock.advance(61_000);
  await box.say(encodeSetupDatagram({ ...result, status: -2, error: -3 }));
  await until('it is heard again', () => box.heard.length === 3);
  expect(box.heard.map(({ status }) => status)).toEqual([0, -2, -2]);
  box.listener.expectNews('FACE-T1_A0001');
  await box.say(encodeSetupDatagram({ ...result, status: -2, error: -3 }));
  await box.say(encodeSetupDatagram({ ...result, deviceId: 'FACE-T1_LAST' }));
  await until('of the attempt before it is none', () => box.heard.at(-1)?.deviceId === 'FACE-T1_LAST');
  expect(box.heard).toHaveLength(4);
  await box.clock.advance(3000);
  await box.say(encodeSetupDatagram({ ...result, status: -2, error: -3 }));
  await until('after new settings it is news', () => box.heard.length === 5);
});

test('reversed addresses are turned where the sender tells it; letters of the id are made one', async () => {
  await using box = await listening();
  const turned = { address: '1.0.0.127', mask: '0.0.0.255', gateway: '254.0.0.127' };
  await box.say(encodeSetupDatagram({ ...result, ...turned, deviceId: 'face-t1_a0001' }));
  await until('it is heard', () => box.heard.length === 1);
  expect(box.heard[0]).toEqual(result);
});

test("the box's own result, garbage, and what is too large or too much are dropped", async () => {
  await using box = await listening();
  await box.say(encodeSetupDatagram({ ...result, deviceId: 'gatehouse_000001' }));
  await box.say(Buffer.from('hello'));
  await box.say(Buffer.alloc(2000, 0x40));
  await box.say(encodeSetupDatagram({ ...result, deviceId: 'no device id' }));
  await until('three are dropped', () => box.listener.dropped === 3);
  for (let sent = 0; sent < 150; sent++)
    await box.say(encodeSetupDatagram({ ...result, deviceId: `FACE-T1_B${sent}` }));
  await until('what is over is dropped', () => box.heard.length + box.listener.dropped === 153);
  expect(box.heard.length).toBeLessThanOrEqual(100);
});

test('a port that is taken is a warning, and tried again every minute', async () => {
  const other = createSocket('udp4');
  other.bind(0, '127.0.0.1');
  await once(other, 'listening');
  await using box = await listening({ address: { host: '127.0.0.1', port: other.address().port } });
  expect(box.listener.port).toBe(0);
  expect(box.warned).toEqual([expect.stringContaining('tried again every minute')]);
  await box.clock.advance(60_000);
  await new Promise(resolve => other.close(() => resolve(null)));
  await until('it listens', async () => {
    await box.clock.advance(60_000);
    return box.listener.port > 0;
  });
  await box.say(encodeSetupDatagram(result));
  await until('it hears', () => box.heard.length === 1);
});

test('results that devices announce are stored, and can be read', async () => {
  await using box = await aSetUp({ openRadio: null, resultListen: { host: '127.0.0.1', port: 0 } });
  const heard: SetupResult[] = [];
  box.devices.onResult(one => heard.push(one));
  const socket = createSocket('udp4');
  socket.send(encodeSetupDatagram(result), box.devices.resultPort, '127.0.0.1');
  await until('it is kept', async () => (await box.devices.results(5)).length === 1);
  socket.close();
  expect(heard).toEqual([result]);
  expect(await box.devices.results(5)).toMatchObject([{ deviceId: 'FACE-T1_A0001', via: 'udp', status: 0 }]);
});
