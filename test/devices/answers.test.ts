import { describe, expect, test } from 'vitest';
import type { UpstreamView } from '../../src/devices/index.ts';
import { type ActionSettings, actionTable, defaultActions } from '../../src/platform/actions.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock, realRandom } from '../../src/runtime/real-world.ts';
import { openUpstream, trustOf, type Upstream } from '../../src/upstream/index.ts';
import { aGateway, connectMqtt, type Gateway } from '../support/gateway.ts';
import { productKey } from '../support/site.ts';
import { aProduct, aStore } from '../support/store.ts';
import { until } from '../support/until.ts';
import { aCloudFor, configFor } from '../support/uplink.ts';

const id = 'FACE-T1_A0001';
const good = { records: [{ ext_id: 'e1', check_type: 'fa', check_time: 1_763_600_000 }] };

interface Heard {
  readonly mid: string;
  readonly action: number;
  readonly data: { readonly code: number };
}

/** A device at a box, behind which a cloud answers what the site leaves to it. */
async function aSite(settings: Partial<ActionSettings>) {
  const parts = new AsyncDisposableStack();
  const cloud = parts.use(await aCloudFor());
  const opened = parts.use(await aStore({ actions: { ...defaultActions, ...settings } }));
  const actions = actionTable({ ...defaultActions, ...settings });
  let upstream: Upstream | null = null;
  const line = { up: true };
  const view: UpstreamView = {
    standsAlone: false,
    isUp: () => line.up,
    whenUp: async () => line.up,
    tryLogin: async () => 'unreachable',
  };
  const gateway: Gateway = parts.use(
    await aGateway({ opened, actions, upstream: view, products: [aProduct({ product_key: productKey })] }),
  );
  const goUp = async () => {
    upstream = parts.use(
      await openUpstream({
        config: configFor(cloud),
        trust: trustOf(undefined),
        box: null,
        store: opened.store,
        clock: realClock,
        random: realRandom,
        log: silentLog,
        actions,
        leaving: null,
        trueTime: () => null,
        cloudLimits: { logPerSecond: 20, logPerDay: 10_000, timeZone: 'Asia/Shanghai' },
        fromCloud: (deviceNo, payload) => gateway.devices.fromCloud(deviceNo, payload),
      }),
    );
    for (const { deviceNo } of opened.store.directory.devices()) upstream.presence(deviceNo, true);
    gateway.devices.onPresence((deviceNo, online) => upstream?.presence(deviceNo, online));
  };
  const client = await connectMqtt(gateway, id, productKey);
  if (typeof client === 'number') throw new Error(`CONNACK ${client}`);
  parts.defer(() => client.endAsync(true).then(() => {}));
  const heard: Heard[] = [];
  client.on('message', (_topic, payload) => heard.push(JSON.parse(payload.toString())));
  await client.subscribeAsync(`$client/${id}`);
  return {
    cloud,
    gateway,
    heard,
    line,
    goUp,
    say: (mid: string, action: number, data: object) =>
      client.publishAsync('device', JSON.stringify({ mid, from: id, to: 'system', time: 0, action, data }), { qos: 1 }),
    hears: (mid: string, times = 1) =>
      until(`${mid} is answered`, () => heard.filter(one => one.mid === mid).length >= times),
    arrived: (count: number) => until('it is at the cloud', () => cloud.arrivals.countOf(id) >= count),
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

const answersTo = ({ heard }: { heard: readonly Heard[] }, mid: string) =>
  heard.filter(one => one.mid === mid).map(({ data }) => data.code);

describe('each message gets one final answer:', () => {
  test("the box's, and the cloud's own is dropped", async () => {
    await using site = await aSite({});
    await site.goUp();
    await site.say('mine', 2001, good);
    await site.say('last', 2001, { records: 'none' });
    await site.hears('last', 2);
    expect(answersTo(site, 'mine')).toEqual([0]);
  });

  test("the cloud's behind the 400 of the box, where the box refused and passed the message on", async () => {
    await using site = await aSite({});
    await site.goUp();
    await site.say('bad', 2001, { records: 'none' });
    await site.hears('bad', 2);
    expect(site.heard.map(({ mid, action, data }) => [mid, action, data.code])).toEqual([
      ['bad', 2001, 400],
      ['bad', 2001, 400],
    ]);
  });

  test('the cloud alone answers what the site leaves to it, also what the box would refuse; the tables are filled', async () => {
    await using site = await aSite({ checkin_report: { code: 2001, answered_by: 'cloud' } });
    await site.say('early', 2001, good);
    await site.say('wrong', 2001, { records: 'none' });
    await site.say('probe', 1002, {});
    await site.hears('probe');
    // The line is down: nothing yet.
    expect(answersTo(site, 'early')).toEqual([]);
    await site.gateway.store.catchUp();
    expect(await site.gateway.store.read.checkins({ limit: 10 })).toHaveLength(1);
    await site.goUp();
    await site.hears('wrong');
    expect([answersTo(site, 'early'), answersTo(site, 'wrong')]).toEqual([[0], [400]]);
  });
});

test('an action that is off is kept, passed on and answered by nobody here, and fills no table', async () => {
  await using site = await aSite({ checkin_report: 'off' });
  await site.goUp();
  await site.say('off', 2001, good);
  await site.say('probe', 1002, {});
  await site.hears('probe');
  await site.arrived(2);
  await site.hears('off');
  // What is heard is the cloud's own answer, passed on like any message of it.
  expect(answersTo(site, 'off')).toEqual([0]);
  await site.gateway.store.catchUp();
  expect(await site.gateway.store.read.checkins({ limit: 10 })).toEqual([]);
});

test('a question for the time that is left to the cloud is answered by it, and by the box while the line is down', async () => {
  await using site = await aSite({ time_sync: { code: 1002, answered_by: 'cloud' } });
  await site.goUp();
  await site.say('up', 1002, {});
  await site.hears('up');
  expect(site.cloud.arrivals.countOf(id)).toBe(1);
  site.line.up = false;
  await site.say('down', 1002, {});
  await site.hears('down');
  await site.say('next', 777, {});
  await site.arrived(2);
  expect(site.cloud.arrivals.of(id).map(({ mid }) => mid)).toEqual(['up', 'next']);
  expect([answersTo(site, 'up'), answersTo(site, 'down')]).toEqual([[0], [0]]);
});
