import { Duplex } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { DevicePackets } from '../../../src/devices/mqtt/device-packets.ts';
import type { MqttGatewayOptions } from '../../../src/devices/mqtt/options.ts';
import { PacketWriter } from '../../../src/devices/mqtt/packets.ts';
import type { Session } from '../../../src/devices/session.ts';
import { packetType, topicStart } from '../../../src/mqtt-wire/index.ts';
import { publish } from '../../support/mqtt-gateway.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('devices that published keep nothing of the answers that were made between their messages', async () => {
  const taken: string[] = [];
  const options = {
    store: { directory: { product: () => undefined } },
    pipeline: { message: () => taken.push('message'), log: (_session: Session, path: string) => taken.push(path) },
    note: () => {},
  } as unknown as MqttGatewayOptions;
  const device = { deviceId: 'FACE-T1_A1', productId: 'FACE-T1', model: 'FT1' };
  const session = { deviceNo: 1, clientId: 'FACE-T1_A1', device } as unknown as Session;
  const stream = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const messages = ['device', 'log/FT1/A1'].map(topic => publish({ topic, payload: '{}' }));
  const answer = JSON.stringify({ mid: '1', data: { text: 'x'.repeat(200) } });
  const devices = 100;
  // Small buffers are pieces of one of 64 KiB. Each of those is watched, as the freed bytes that the
  // process reports are counted by another thread, some time after the collection.
  const pools: WeakRef<ArrayBufferLike>[] = [];
  const makeAnswers = () => {
    for (let made = 0; made < Buffer.poolSize; made += answer.length) {
      const pool = Buffer.from(answer).buffer;
      if (pools.at(-1)?.deref() !== pool) pools.push(new WeakRef(pool));
    }
  };

  const packets = Array.from({ length: devices }, () => {
    const one = new DevicePackets(options, session, new PacketWriter(stream, () => {}), { end() {}, fail() {} });
    for (const bytes of messages) {
      one.take(packetType.publish, bytes, 0, topicStart(0), bytes.length);
      makeAnswers();
    }
    return one;
  });
  // What a WeakRef was asked for stays until the current turn is over.
  await new Promise(resolve => setImmediate(resolve));
  collect();
  const kept = pools.filter(pool => pool.deref()).length;

  expect(taken).toHaveLength(2 * devices);
  expect(packets).toHaveLength(devices);
  expect(pools.length).toBeGreaterThanOrEqual(2 * devices);
  // The one that is in use, and those of the test's own messages.
  expect(kept).toBeLessThanOrEqual(1 + messages.length);
});
