import { Duplex } from 'node:stream';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { DevicePackets } from '../../../src/devices/mqtt/device-packets.ts';
import { PacketWriter } from '../../../src/devices/mqtt/packets.ts';
import type { MqttEngineOptions } from '../../../src/devices/mqtt/port.ts';
import type { Session } from '../../../src/devices/session.ts';
import { packetType, topicStart } from '../../../src/mqtt-wire/index.ts';
import { publish } from '../../support/mqtt-gateway.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

test('devices that published keep nothing of the answers that were made between their messages', () => {
  const taken: string[] = [];
  const options = {
    store: { directory: { product: () => undefined } },
    pipeline: { message: () => taken.push('message'), log: (_session: Session, path: string) => taken.push(path) },
    note: () => {},
  } as unknown as MqttEngineOptions;
  const device = { deviceId: 'FACE-T1_A1', productId: 'FACE-T1', model: 'FT1' };
  const session = { deviceNo: 1, clientId: 'FACE-T1_A1', device } as unknown as Session;
  const stream = new Duplex({ read() {}, write: (_chunk, _encoding, done) => done() });
  const messages = ['device', 'log/FT1/A1'].map(topic => publish({ topic, payload: '{}' }));
  const answer = JSON.stringify({ mid: '1', data: { text: 'x'.repeat(200) } });
  const devices = 100;

  collect();
  const before = process.memoryUsage().arrayBuffers;
  const packets = Array.from({ length: devices }, () => {
    const one = new DevicePackets(options, session, new PacketWriter(stream, () => {}), { end() {}, fail() {} });
    for (const bytes of messages) {
      one.take(packetType.publish, bytes, 0, topicStart(0), bytes.length);
      // Small buffers are pieces of one of 64 KiB.
      for (let made = 0; made < 64 << 10; made += answer.length) Buffer.from(answer);
    }
    return one;
  });
  collect();
  const kept = process.memoryUsage().arrayBuffers - before;

  expect(taken).toHaveLength(2 * devices);
  expect(packets).toHaveLength(devices);
  expect(kept / devices).toBeLessThan(16 << 10);
});
