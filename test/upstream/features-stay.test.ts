import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Seq } from '../../src/store/index.ts';
import { until } from '../support/until.ts';
import { aCloudFor, anUplink, configFor } from '../support/uplink.ts';

const id = 'FACE-T1_A1';
const value = () => randomBytes(90).toString('base64');

/** As it was told, and as the bytes that it stands for. */
const formsOf = (text: string): Buffer[] => [
  Buffer.from(text),
  Buffer.from(text, 'utf16le'),
  Buffer.from(Buffer.from(text).toString('base64').replace(/=+$/, '')),
  Buffer.from(Buffer.from(text).toString('hex')),
  Buffer.from(text, 'base64').subarray(0, 40),
];

const transports = [
  ['MQTT, a session for each device', 'per-device', {}],
  ['MQTT, the session of the box', 'gateway', {}],
  ['HTTP', 'per-device', { deviceMqtt: undefined }],
  ['batches', 'batch', {}],
] as const;

test.each(transports)(
  'where features stay, no face, fingerprint, PIN or photo goes up, and everything else does, in order (%s)',
  async (_way, mode, change) => {
    const secrets = { face: value(), finger: value(), pin: value(), photo: value(), odd: value(), echo: value() };
    await using cloud = await aCloudFor({});
    await using uplink = await anUplink(configFor(cloud, mode, change), { featuresStay: true, devices: [id] });
    const device = await uplink.device(id);
    const say = (mid: string, action: number | string, data: object) =>
      uplink.say(
        device,
        `{"mid":"${mid}","from":"${id}","to":"system","time":0,"action":${action},"data":${JSON.stringify(data)}}`,
      );
    const feature = (feature_type: string, secret: string) => ({
      ext_id: 'e1',
      feature_type,
      feature_alg: 'base64',
      values: [secret],
    });
    const passage = { ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_000, check_result: 0 };
    await say('p1', 2001, { records: [{ ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_000 }] });
    await say('f1', 2003, feature('fa', secrets.face));
    await say('f2', 2003, feature('fp', secrets.finger));
    await say('f3', 2003, feature('pass', secrets.pin));
    await say('a1', 2002, { records: [{ ...passage, capture_img: secrets.photo }, passage] });
    // Written in an odd way, and wrong: it stays all the same.
    await say('f4', '2.003e3', { ...feature('fa', secrets.odd), ext_id: 7 });
    // What the box sent to a terminal, sent back by it.
    await say('s1', 2101, { upsert: [{ ext_id: 'e1', features: [feature('fa', secrets.echo)] }], remove: [] });
    await say('c1', 2003, feature('card', '0012345678'));
    await say('p2', 2001, { records: [{ ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_001 }] });
    await say('f5', 2003, feature('fa', secrets.face));
    const arrived = () =>
      cloud.arrivals.of(id).map(({ payload }) => JSON.parse(payload) as { mid: string; data: object });
    await until('the last that goes up is there', () => arrived().some(({ mid }) => mid === 'p2'));
    await until('nothing waits', async () => (await uplink.upstream.status()).outbox.waiting === 0);
    expect(arrived().map(({ mid }) => mid)).toEqual(['p1', 'a1', 'c1', 'p2']);
    expect(arrived()[1]!.data).toEqual({ records: [passage, passage] });
    const received = Buffer.from(
      cloud.arrivals
        .of(id)
        .map(one => JSON.stringify(one))
        .join('\n'),
    );
    for (const [what, secret] of Object.entries(secrets))
      for (const form of formsOf(secret)) expect(received.includes(form), what).toBe(false);
    await until('it is written down', async () => (await uplink.store.read.waiting()).total === 0);
  },
);

test.each(transports)(
  'where features stay, a face that the cloud had refused before is not sent again, and the list says why (%s)',
  async (_way, mode, change) => {
    const face = value();
    await using cloud = await aCloudFor({});
    await using uplink = await anUplink(configFor(cloud, mode, change), { featuresStay: true, devices: [id] });
    const device = await uplink.device(id);
    const { store } = uplink;
    const data = { ext_id: 'e1', feature_type: 'fa', feature_alg: 'base64', values: [face] };
    const envelope = { mid: 'f1', from: id, to: 'system', time: 1, action: 2003, data };
    await uplink.say(device, JSON.stringify(envelope));
    await until('it was passed over', async () => (await store.read.waiting()).total === 0);
    const { deviceNo } = device;
    const refused = { deviceNo, channel: 'device', at: 1, code: 400, reason: 'refused' } as const;
    await store.write.park({ seq: 1 as Seq, ...refused });
    expect(await uplink.upstream.sendAgain(null)).toBe(1);
    await until('it is parked again', async () => (await store.read.parked())[0]?.sendAgain === false);
    expect(await store.read.parked()).toMatchObject([
      { seq: 1, code: 403, reason: 'features stay at this site (features.upstream: off)' },
    ]);
    expect(cloud.arrivals.of(id)).toEqual([]);
  },
);
