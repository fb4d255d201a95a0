import { expect, test } from 'vitest';
import { type AlertFact, BoxState } from '../../src/events/state.ts';
import { silentLog } from '../../src/runtime/log.ts';
import type { Device, DeviceNo } from '../../src/store/index.ts';
import { HandClock } from '../support/clock.ts';

const device = { deviceNo: 1 as DeviceNo, deviceId: 'FT1_A1', name: 'North gate' } as Device;
const alert: AlertFact = { kind: 'disk', severity: 'warn', since: 5, title: 'Disk 91 % full', subjects: [] };

/** What a box of one device says, with facts that a test sets. */
function aBox() {
  const clock = new HandClock();
  const facts = { online: false, line: { state: 'up' }, alerts: [] as AlertFact[], free: 100 };
  const said: { topic: string; text: string; retain: boolean }[] = [];
  const change = { presence: (_no: DeviceNo) => {}, people: () => {} };
  const state = new BoxState({
    ...{ clock, log: silentLog },
    facts: {
      line: async () => facts.line,
      alerts: () => facts.alerts,
      box: async () => ({ free: facts.free }),
      isOnline: () => facts.online,
      onPresence: listener => {
        change.presence = no => listener(no, facts.online);
      },
    },
    store: {
      directory: { devices: () => [device], deviceByNo: () => device } as never,
      onPeopleChange: listener => {
        change.people = () => listener(null);
      },
    },
    publish: async (topic, text, { retain } = { retain: false }) => void said.push({ topic, text, retain }),
  });
  return {
    ...{ clock, facts, change, state },
    /** What was said since the last call, by topic. */
    said: () => said.splice(0).map(({ topic, text, retain }) => [topic.slice(13), text && JSON.parse(text), retain]),
    [Symbol.asyncDispose]: () => state[Symbol.asyncDispose](),
  };
}

test('how things are is said once, retained, and again only when it changes', async () => {
  await using box = aBox();
  await box.clock.advance(1);
  expect(box.said()).toEqual([
    ['devices/FT1_A1/presence', expect.objectContaining({ device_name: 'North gate', online: false }), true],
    ['box', { free: 100 }, true],
    ['line', { state: 'up' }, true],
  ]);
  await box.clock.advance(60_000);
  expect(box.said()).toEqual([]);
  box.facts.line = { state: 'down' };
  await box.clock.advance(2000);
  expect(box.said()).toEqual([['line', { state: 'down' }, true]]);
});

test('a device that comes or goes is said at once', async () => {
  await using box = aBox();
  await box.clock.advance(1);
  box.said();
  box.facts.online = true;
  box.change.presence(device.deviceNo);
  expect(box.said()).toEqual([['devices/FT1_A1/presence', expect.objectContaining({ online: true }), true]]);
});

test('an alert is retained while it lasts; then its end is said, and nothing more to whoever comes later', async () => {
  await using box = aBox();
  await box.clock.advance(1);
  box.said();
  box.facts.alerts = [alert];
  box.facts.free = 50;
  await box.clock.advance(2000);
  expect(box.said()).toEqual([
    ['alerts/disk', alert, true],
    ['box', { free: 50 }, true],
  ]);
  box.facts.alerts = [];
  await box.clock.advance(2000);
  expect(box.said()).toEqual([
    ['alerts/disk', { ...alert, over_at: expect.any(Number) }, false],
    ['alerts/disk', '', true],
  ]);
});

test('counts of the box are said every 15 s at most', async () => {
  await using box = aBox();
  await box.clock.advance(1);
  box.said();
  for (let second = 0; second < 40; second++) {
    box.facts.free--;
    await box.clock.advance(1000);
  }
  expect(box.said().map(([topic]) => topic)).toEqual(['box', 'box']);
});

test('that people have changed is said without who, many changes at once once', async () => {
  await using box = aBox();
  await box.clock.advance(1);
  box.said();
  for (let change = 0; change < 100; change++) box.change.people();
  await box.clock.advance(2000);
  expect(box.said()).toEqual([['people/changed', { at: expect.any(Number) }, false]]);
});
