import { expect, test } from 'vitest';
import { clockEarliest } from '../../src/runtime/clock.ts';
import { KnownTime } from '../../src/runtime/known-time.ts';
import { HandClock } from '../support/clock.ts';
import { aGateway, anHttpDevice, connectMqtt, type Gateway } from '../support/gateway.ts';
import { until } from '../support/until.ts';

const id = 'FACE-T1_A0001';
const now = Date.UTC(2026, 10, 27, 8);
const hour = 3600_000;
const question = (mid: string) => JSON.stringify({ mid, from: id, to: 'system', time: 0, action: 1002, data: {} });

interface Answered {
  readonly mid: string;
  readonly time: number;
  readonly data: { readonly code: number; readonly msg: string; readonly time?: number };
}

/** A gateway with a record of `now`, whose clock then says something else. */
async function aBoxAt(said: number) {
  const clock = new HandClock(now);
  const time = new KnownTime(clock, { programAt: Date.UTC(2026, 0, 1), newestRecordAt: now });
  const gateway = await aGateway({ clock, time });
  clock.set(said);
  return { gateway, clock, time };
}

async function askOverMqtt(gateway: Gateway): Promise<Answered> {
  const client = await connectMqtt(gateway, id);
  if (typeof client === 'number') throw new Error(`CONNACK ${client}`);
  const heard: Answered[] = [];
  client.on('message', (_topic, payload) => heard.push(JSON.parse(payload.toString())));
  await client.subscribeAsync(`$client/${id}`);
  await client.publishAsync('device', question('q'), { qos: 1 });
  await until('the answer', () => heard.length > 0);
  await client.endAsync();
  return heard[0]!;
}

async function askOverHttp(gateway: Gateway): Promise<Answered> {
  const device = await anHttpDevice(gateway, id);
  await device.push(JSON.parse(question('q')));
  const data = (await device.pull()).json.data as Answered[];
  return data[0]!;
}

const ways = [
  ['MQTT', askOverMqtt],
  ['HTTP', askOverHttp],
] as const;

for (const [way, ask] of ways)
  test.each([
    ['138 s after 1970', 138_000],
    ['in 2100', Date.UTC(2100, 0, 1)],
    ['before the program was made', Date.UTC(2025, 11, 31)],
    ['an hour before the newest record', now - hour],
  ])(`a terminal that asks for the time is told none while the clock is %s, over ${way}`, async (_name, said) => {
    const { gateway, clock, time } = await aBoxAt(said);
    await using _gateway = gateway;
    const answer = await ask(gateway);
    expect(answer.data).toEqual({ code: 503, msg: 'the box does not know the time' });
    expect(answer.time).toBe(0);
    await gateway.store.catchUp();
    const [asked] = await gateway.store.read.ledger(gateway.store.directory.device(id as never)!.deviceNo, {
      limit: 1,
    });
    expect(asked).toMatchObject({ clamped: true });
    clock.set(now + 1000);
    time.noteSynchronized(true);
    expect((await ask(gateway)).data).toMatchObject({ code: 0, time: Math.floor(clock.now() / 1000) });
  });

test('a clock that was years ahead and is put right is believed at once: what was dated then does not count', () => {
  const clock = new HandClock(Date.UTC(2100, 0, 1));
  const time = new KnownTime(clock, { programAt: clockEarliest, newestRecordAt: Date.UTC(2100, 0, 1) });
  time.received();
  clock.set(now);
  expect(time.doubt).toBeNull();
});

test('a clock that was an hour ahead and is put right is believed when the network sets it, or after a day', async () => {
  const clock = new HandClock(now + 24 * hour * 30);
  const time = new KnownTime(clock, { programAt: clockEarliest, newestRecordAt: 0 });
  time.received();
  clock.set(now);
  time.noteSet(-24 * hour * 30);
  expect(time.doubt).toBe('behind its records');
  time.noteSynchronized(true);
  expect(time.doubt).toBeNull();
  time.noteSynchronized(null);
  expect(time.doubt).toBe('behind its records');
  await clock.advance(24 * hour);
  expect(time.doubt).toBeNull();
});

test('when a record came is known once the clock is right, from the clock that cannot be set', async () => {
  const clock = new HandClock(138_000);
  const time = new KnownTime(clock, { programAt: clockEarliest, newestRecordAt: 0 });
  const { at, isKnown } = time.received();
  expect({ at, isKnown }).toEqual({ at: 138_000, isKnown: false });
  await clock.advance(60_000);
  expect(time.trueTime(at)).toBeNull();
  clock.set(now);
  expect(time.trueTime(at)).toBe(now - 60_000);
  expect(time.trueTime(now)).toBeNull();
});
