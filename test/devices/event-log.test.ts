import { expect, onTestFinished, test } from 'vitest';
import { Counters } from '../../src/devices/counters.ts';
import { EventLog } from '../../src/devices/event-log.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { DeviceNo } from '../../src/store/index.ts';
import { HandClock } from '../support/clock.ts';
import { aGateway, anHttpDevice, connectMqtt } from '../support/gateway.ts';
import { aStore, deviceId, registered } from '../support/store.ts';
import { until } from '../support/until.ts';

const id = 'FACE-T1_A0001';

/** The log over a real store, and how many writes it has asked for. */
async function anEventLog() {
  const opened = await aStore();
  onTestFinished(() => opened[Symbol.asyncDispose]());
  const { store } = opened;
  const { deviceNo } = await registered(store);
  const clock = new HandClock();
  const counters = new Counters();
  const groups: number[] = [];
  const write = {
    noteEvents: (input: Parameters<typeof store.write.noteEvents>[0]) => {
      groups.push(input.events.length);
      return store.write.noteEvents(input);
    },
  } as typeof store.write;
  const events = new EventLog({ store: { write }, clock, log: silentLog, counters });
  const stored = async () => {
    await store.write.noteEvents({ events: [] });
    return (await store.read.events(deviceNo, 100)).map(({ detail }) => detail);
  };
  return { events, clock, counters, groups, stored, deviceNo };
}

test('events of one second are written together, in their order and with their own times', async () => {
  const { events, clock, groups, stored, deviceNo } = await anEventLog();
  events.note({ deviceNo }, 'connected', '1');
  await clock.advance(999);
  events.note({ deviceNo }, 'disconnected', '2');
  expect([groups, await stored()]).toEqual([[], []]);
  await clock.advance(1);
  expect([groups, await stored()]).toEqual([[2], ['2', '1']]);
  events.note({ deviceNo }, 'connected', '3');
  await clock.advance(1_000);
  expect([groups, await stored()]).toEqual([
    [2, 1],
    ['3', '2', '1'],
  ]);
});

test('a full group does not wait for its second', async () => {
  const { events, clock, groups } = await anEventLog();
  for (let device = 1; device <= 1_000; device++) events.note({ deviceNo: device as DeviceNo }, 'connected', '');
  await clock.advance(0);
  expect(groups).toEqual([1_000]);
});

test('while the store is slow 10000 events wait at most, then written by the thousand; the rest is dropped and counted', async () => {
  const counters = new Counters();
  const clock = new HandClock();
  const groups: number[] = [];
  const write = {
    noteEvents({ events }: { events: readonly object[] }) {
      groups.push(events.length);
      return first;
    },
  };
  let goOn = () => {};
  const first = new Promise<void>(resolve => {
    goOn = resolve;
  });
  const events = new EventLog({ store: { write } as never, clock, log: silentLog, counters });
  events.note({ deviceNo: 1 as DeviceNo }, 'connected', '');
  await clock.advance(1_000);
  for (let device = 1; device <= 10_010; device++) events.note({ deviceNo: device as DeviceNo }, 'connected', '');
  await clock.advance(5_000);
  expect([groups, counters.get('events_dropped')]).toEqual([[1], 10]);
  goOn();
  await clock.advance(0);
  expect(groups).toEqual([1, ...Array.from({ length: 10 }, () => 1_000)]);
});

test('a stop writes down who was connected until then', async () => {
  await using opened = await aStore();
  {
    await using gateway = await aGateway({ opened });
    expect(await connectMqtt(gateway, id)).toBeTypeOf('object');
    await anHttpDevice(gateway, 'FACE-T1_A0002');
    await until('both are here', () => gateway.devices.status().online === 2);
  }
  const kindsOf = async (name: string) => {
    const { deviceNo } = opened.store.directory.device(deviceId(name))!;
    return (await opened.store.read.events(deviceNo, 10)).map(({ kind }) => kind);
  };
  expect(await kindsOf(id)).toEqual(['disconnected', 'connected']);
  expect(await kindsOf('FACE-T1_A0002')).toEqual(['connected']);
});
