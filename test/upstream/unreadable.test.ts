import { expect, test } from 'vitest';
import { append } from '../support/store.ts';
import { until } from '../support/until.ts';
import { aCloudFor, anUplink, configFor } from '../support/uplink.ts';

const id = 'FACE-T1_A0001';
const messages = [
  Buffer.from('{"mid":"1","from":"FACE-T1_A0001","time":0,"data":{"name":"\xc0\xee"}}', 'latin1'),
  Buffer.from('{"mid":"2","from":"FACE-T1_A0001","time":0,"action":2001,"data":{"reco'),
  Buffer.from('\0\0\0'),
  Buffer.from('{"mid":"3","time":01}'),
];

const transports = [
  ['MQTT', 'per-device', {}],
  ['HTTP', 'per-device', { deviceMqtt: undefined }],
  ['batches', 'batch', { deviceMqtt: undefined }],
] as const;

test.each(transports)(
  'what nobody can read goes up byte for byte and in its order, over %s',
  async (way, mode, change) => {
    await using cloud = await aCloudFor();
    await using uplink = await anUplink(configFor(cloud, mode, change), { devices: [id] });
    const device = await uplink.device(id);
    for (const payload of messages) {
      const record = {
        deviceNo: device.deviceNo,
        channel: 'device',
        logPath: '',
        receivedAt: 1_763_600_000_000,
      } as const;
      await append(uplink.store, { ...record, marks: { malformed: true }, payload });
    }
    uplink.upstream.presence(device.deviceNo, true);
    await until('they arrived', () => cloud.malformed().length >= messages.length);
    expect(cloud.malformed().map(({ bytes }) => Buffer.from(bytes))).toEqual(messages);
    await until('nothing waits', async () => (await uplink.store.read.waiting()).total === 0);
    // A cloud that answers each message refuses these, and they are in its list.
    expect(await uplink.store.read.parkedCount()).toBe(way === 'MQTT' ? 0 : messages.length);
  },
);

test('where features stay at the site, nothing that nobody can read leaves it', async () => {
  await using cloud = await aCloudFor();
  await using uplink = await anUplink(configFor(cloud), { devices: [id], featuresStay: true });
  const device = await uplink.device(id);
  await uplink.say(device, '{"action":2003,"data":{"feature_type":"fa"', 'device', { malformed: true });
  await uplink.punches(device, 1, 1);
  uplink.upstream.presence(device.deviceNo, true);
  await until('the next arrived', () => cloud.arrivals.countOf(id) === 1);
  expect(cloud.malformed()).toEqual([]);
});
