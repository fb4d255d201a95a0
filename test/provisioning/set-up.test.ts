import { expect, test } from 'vitest';
import type { SetupResult } from '../../src/platform/setup-result.ts';
import { SetUp } from '../../src/provisioning/set-up.ts';
import { type Joined, nowhere, type Wifi, WifiUnavailable } from '../../src/provisioning/wifi/port.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { joinOutcomes } from '../../src/words/own-network.ts';
import { HandClock } from '../support/clock.ts';
import { aStore } from '../support/store.ts';
import { until } from '../support/until.ts';

/**
 * The rules of set-up mode, on a clock that is turned by hand: a radio that takes no time, a real
 * store.
 */

const plant = { ssid: 'Plant', key: 'right-password', security: 'WPA2-PSK-AES', hidden: false } as const;
const minute = 60_000;

async function aSetUp(has: { network: boolean } = { network: false }) {
  const parts = new AsyncDisposableStack();
  const { store } = parts.use(await aStore());
  const clock = new HandClock();
  const sent: SetupResult[] = [];
  const forgotten: string[] = [];
  const radio = { network: has.network, gone: false, outcome: null as Joined | null };
  let hotspots = 0;
  const wifi: Wifi = {
    whyNot: async () => null,
    async hasNetwork() {
      if (radio.gone) throw new WifiUnavailable({ reason: 'it was pulled out' });
      return radio.network;
    },
    async scan() {
      if (radio.gone) throw new WifiUnavailable({ reason: 'it was pulled out' });
      return [{ ssid: 'Plant', security: 'WPA2-PSK-AES', quality: 80 }];
    },
    openHotspot: async () => {},
    closeHotspot: async () => {},
    join: async () => radio.outcome ?? { ok: true, place: { ...nowhere, address: '192.168.50.17' } },
    forget: async which => void forgotten.push(which),
    reachesInternet: async () => null,
    [Symbol.asyncDispose]: async () => {},
  };
  const setUp = new SetUp({
    store,
    wifi,
    clock,
    log: silentLog,
    device: { deviceId: 'GATEHOUSE_000001', model: 'GH1' },
    openHotspot: async () => {
      hotspots++;
      return {
        async [Symbol.asyncDispose]() {
          hotspots--;
        },
      };
    },
    openBluetooth: null,
    broadcast: { send: async result => void sent.push(result) },
    platformAbove: null,
    minutes: 30,
  });
  parts.use(setUp);
  /** Lets time pass until it is in this mode. */
  const comesTo = (mode: string) =>
    until(`it is ${mode}`, async () => {
      if (setUp.state.mode !== mode) await clock.advance(1000);
      return setUp.state.mode === mode;
    });
  return {
    setUp,
    store,
    clock,
    radio,
    sent,
    forgotten,
    comesTo,
    hotspots: () => hotspots,
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

test('a first start with a network has nothing to set up', async () => {
  await using here = await aSetUp({ network: true });
  await here.setUp.whenReady;
  await here.clock.advance(10 * minute);
  expect(here.setUp.state.mode).toBe('ready');
  expect(here.setUp.take(plant)).toBe(false);
  expect(here.hotspots()).toBe(0);
});

test('a first start without one is open until it is set up, however long that takes', async () => {
  await using here = await aSetUp();
  await here.setUp.whenReady;
  await here.clock.advance(24 * 60 * minute);
  expect(here.setUp.state.mode).toBe('open');
  expect(here.hotspots()).toBe(1);
  expect(here.setUp.take(plant)).toBe(true);
  await here.comesTo('ready');
  expect(here.sent).toEqual([expect.objectContaining({ status: 0, error: null, address: '192.168.50.17' })]);
  expect(await here.store.read.networkSetup()).toMatchObject({ state: 'done', ssid: 'Plant', last: { status: 0 } });
  expect(here.hotspots()).toBe(0);
});

test('a cable that is plugged in ends a first set-up', async () => {
  await using here = await aSetUp();
  await here.setUp.whenReady;
  here.radio.network = true;
  await here.comesTo('ready');
  expect(here.hotspots()).toBe(0);
});

test('after a reset the box is open although it has a cable, for 30 minutes and no longer', async () => {
  await using here = await aSetUp({ network: true });
  await here.setUp.whenReady;
  await here.setUp.reset();
  await here.comesTo('open');
  expect(here.forgotten).toEqual(['kept']);
  await here.clock.advance(29 * minute);
  expect(here.setUp.state.mode).toBe('open');
  await here.clock.advance(2 * minute);
  await here.comesTo('ready');
  expect(here.hotspots()).toBe(0);
});

test('a reset without another network is open for as long as it takes', async () => {
  await using here = await aSetUp();
  await here.setUp.whenReady;
  await here.setUp.reset();
  await here.comesTo('open');
  await here.clock.advance(24 * 60 * minute);
  expect(here.setUp.state.mode).toBe('open');
});

test('while it tries, other settings are refused; a failure is reported, and the hotspot opens again', async () => {
  await using here = await aSetUp();
  await here.setUp.whenReady;
  here.radio.outcome = { ok: false, error: -3, why: joinOutcomes.say('join_password_refused'), place: nowhere };
  expect(here.setUp.take(plant)).toBe(true);
  await until('it is reported', async () => {
    await here.clock.advance(500);
    return here.sent.length === 1;
  });
  await here.comesTo('open');
  expect(here.setUp.state.last).toMatchObject({ status: -2, error: -3, ssid: 'Plant' });
  expect(here.setUp.state.last?.why).toEqual(joinOutcomes.say('join_password_refused'));
  expect(await here.store.read.networkSetup()).toMatchObject({ state: 'new', ssid: '', last: { error: -3 } });
});

test('a radio that is pulled out and put back is reported and waited for', async () => {
  await using here = await aSetUp();
  await here.setUp.whenReady;
  here.radio.gone = true;
  await here.setUp.reset();
  await here.comesTo('waiting');
  expect(here.setUp.state.why.why).toBe('it was pulled out');
  here.radio.gone = false;
  await here.comesTo('open');
  expect(here.setUp.state.why.why).toBe('');
});

test('other settings that come before the box has left its hotspot are refused; the same once more are in force', async () => {
  await using box = await aSetUp();
  await box.comesTo('open');
  expect(box.setUp.take(plant)).toBe(true);
  expect(box.setUp.take({ ...plant, key: 'another-password' })).toBe(false);
  expect(box.setUp.take({ ...plant })).toBe(true);
  await box.comesTo('ready');
  expect(box.sent).toMatchObject([{ status: 0 }]);
});

test('after an attempt that failed other settings are taken', async () => {
  await using box = await aSetUp();
  await box.comesTo('open');
  box.radio.outcome = { ok: false, error: -3, why: joinOutcomes.say('join_password_refused'), place: nowhere };
  expect(box.setUp.take({ ...plant, key: 'wrong-password' })).toBe(true);
  await until('it has failed', async () => {
    await box.clock.advance(1000);
    return box.sent.length === 1;
  });
  await box.comesTo('open');
  box.radio.outcome = null;
  expect(box.setUp.take(plant)).toBe(true);
  await box.comesTo('ready');
});
