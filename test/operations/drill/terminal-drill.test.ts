import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TerminalDrill } from '../../../src/operations/drill/terminal-drill.ts';
import { actionTable, defaultActions } from '../../../src/platform/actions.ts';
import type { DeviceState } from '../../../src/platform/device-state.ts';
import type { TerminalsResult } from '../../../src/platform/drill.ts';
import { silentLog } from '../../../src/runtime/log.ts';
import { realClock } from '../../../src/runtime/real-world.ts';
import type { Device, Journal } from '../../../src/store/index.ts';
import { HeldReads } from '../../support/held-reads.ts';
import { hurriedClock } from '../../support/hurried-clock.ts';
import { punch } from '../../support/terminal.ts';
import { until } from '../../support/until.ts';
import { aCloudFor, anUplink, configFor } from '../../support/uplink.ts';

const id = '0123456789abcdef';
const [one, two, three] = ['FACE-T1_A0001', 'FACE-T1_A0002', 'FACE-T1_A0003'] as const;
const madeAt = 1_763_600_000;

/** The drill over a real store and uplink; `states` says what the gateways would. */
async function aDrill(
  uplink: Awaited<ReturnType<typeof anUplink>>,
  {
    standsAlone = false,
    states = {},
    journal = uplink.store.journal,
  }: { standsAlone?: boolean; states?: Record<string, DeviceState>; journal?: Journal } = {},
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-terminals-'));
  const results: TerminalsResult[] = [];
  const opened: TerminalDrill[] = [];
  const open = async () => {
    const drill = await TerminalDrill.open({
      ...{ dataDir, clock: realClock, log: silentLog, actions: actionTable(defaultActions) },
      ...{ journal, read: uplink.store.read },
      terminals: () => [...uplink.store.directory.devices()],
      stateOf: ({ deviceId }: Device) => states[deviceId] ?? 'online',
      upstream: {
        standsAlone,
        whyNot: deviceNo => uplink.upstream.deviceUplink(deviceNo)?.why ?? '',
        watchSends: watch => uplink.upstream.watchSends(watch),
      },
      keep: async result => void results.push(result),
    });
    opened.push(drill);
    return drill;
  };
  return {
    ...{ results, open },
    async [Symbol.asyncDispose]() {
      for (const drill of opened) await drill[Symbol.asyncDispose]();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

test('each terminal is ticked off with the time of each hop, and the drill ends when all are confirmed', async () => {
  await using cloud = await aCloudFor();
  await using uplink = await anUplink(configFor(cloud), { devices: [one, two] });
  const [first, second] = [await uplink.device(one), await uplink.device(two)];
  // A punch from before does not count.
  await uplink.punches(second, 1, 1);
  await until('it is confirmed', async () => (await uplink.upstream.status()).outbox.waiting === 0);
  await using made = await aDrill(uplink);
  const drill = await made.open();
  expect(await drill.begin(id)).toBeNull();
  expect(await drill.begin('another')).toBe('under way');
  await uplink.say(first, JSON.stringify({ mid: 'x', from: one, action: 1, time: 0, data: {} }));
  await uplink.punches(first, 1, 1);
  await until('one is done', () => drill.report()?.done === 1);
  const report = drill.report()!;
  expect(report).toMatchObject({ id, known: 2, done: 1, punched: 0 });
  expect(report.latest.map(({ deviceId }) => deviceId)).toEqual([one]);
  expect(report.terminals.map(({ deviceId, state }) => [deviceId, state])).toEqual([
    [two, 'online'],
    [one, 'confirmed'],
  ]);
  await uplink.punches(second, 2, 2);
  await until('it has ended', () => drill.report() === null);
  const [{ outcome, hasCloud, terminals }] = made.results as [TerminalsResult];
  expect([outcome, hasCloud, terminals.length]).toEqual(['passed', true, 2]);
  for (const { punchedAt, receivedAt, storedAt, sentAt, confirmedAt, why } of terminals) {
    expect([punchedAt, why]).toEqual([madeAt, '']);
    // Each hop is noted, in its order.
    const hops = [receivedAt, storedAt, sentAt, confirmedAt];
    expect(hops).toEqual(hops.toSorted((a, b) => a! - b!));
    expect(hops).not.toContain(null);
  }
});

test('whoever ends it gets the names of those that are missing, with the reason', async () => {
  const clock = hurriedClock(20);
  await using cloud = await aCloudFor({ clock });
  await using uplink = await anUplink(configFor(cloud), { clock, devices: [one, two, three, 'FACE-T1_A0004'] });
  await using made = await aDrill(uplink, { states: { [two]: 'never', [three]: 'refused' } });
  const drill = await made.open();
  await drill.begin(id);
  uplink.upstream.cutLine({ reason: 'the line is down' });
  await uplink.punches(await uplink.device(one), 1, 1);
  const wrong = { mid: 'w', from: 'FACE-T1_A0004', action: 2001, time: 0, data: { records: [{ ext_id: 'e1' }] } };
  await uplink.say(await uplink.device('FACE-T1_A0004'), JSON.stringify(wrong), 'device', { invalid: true });
  await until('both are heard', () => drill.report()?.punched === 2);
  await until('the line says why', () => drill.report()?.terminals.some(({ why }) => why === 'the line is down'));
  drill.end();
  await until('it has ended', () => made.results.length === 1);
  const [{ outcome, done, punched, terminals }] = made.results as [TerminalsResult];
  expect([outcome, done, punched]).toEqual(['failed', 0, 2]);
  expect(terminals.map(({ deviceId, state }) => [deviceId, state])).toEqual([
    ['FACE-T1_A0004', 'bad'],
    [one, 'waiting'],
    [three, 'refused'],
    [two, 'never'],
  ]);
  expect(terminals[0]!.why).toContain('check_type');
  expect(terminals[1]).toMatchObject({ why: 'the line is down', confirmedAt: null, sentAt: null });
});

test('a punch whose data does not fit is forgotten when one comes that does', async () => {
  await using cloud = await aCloudFor();
  await using uplink = await anUplink(configFor(cloud), { devices: [one] });
  await using made = await aDrill(uplink);
  const drill = await made.open();
  await drill.begin(id);
  const device = await uplink.device(one);
  const wrong = { mid: 'w', from: one, action: 2001, time: 0, data: { records: [{ ext_id: 'e1' }] } };
  await uplink.say(device, JSON.stringify(wrong), 'device', { invalid: true });
  await until('it is bad', () => drill.report()?.terminals[0]?.state === 'bad');
  await uplink.punches(device, 1, 1);
  await until('it has passed', () => made.results[0]?.outcome === 'passed');
});

test('a restart goes on: what was punched before it counts', async () => {
  await using cloud = await aCloudFor();
  await using uplink = await anUplink(configFor(cloud), { devices: [one, two] });
  await using made = await aDrill(uplink);
  const before = await made.open();
  await before.begin(id);
  await uplink.punches(await uplink.device(one), 1, 1);
  await until('one is done', () => before.report()?.done === 1);
  await before[Symbol.asyncDispose]();
  expect(made.results).toEqual([]);
  const after = await made.open();
  await until('it is found again', () => after.report()?.done === 1);
  expect(after.report()).toMatchObject({ id, latest: [{ deviceId: one, state: 'confirmed', storedAt: null }] });
  await uplink.punches(await uplink.device(two), 1, 1);
  await until('it has passed', () => made.results[0]?.outcome === 'passed');
});

test('without a cloud a punch that is on the disk has arrived, and nobody who punches is no verdict', async () => {
  await using uplink = await anUplink(null, { devices: [one] });
  await using made = await aDrill(uplink, { standsAlone: true });
  const drill = await made.open();
  await drill.begin(id);
  drill.end();
  await until('it has ended', () => made.results.length === 1);
  expect(made.results[0]).toMatchObject({ outcome: 'silent', hasCloud: false });
  await until('another may begin', () => drill.report() === null);
  await drill.begin(id);
  await uplink.say(await uplink.device(one), punch(one, 'm1'));
  await until('it has passed', () => made.results[1]?.outcome === 'passed');
  expect(made.results[1]!.terminals).toMatchObject([{ state: 'stored', sentAt: null, confirmedAt: null }]);
});

test('a terminal that comes while the last punch is looked for keeps the drill open', async () => {
  await using uplink = await anUplink(null, { devices: [one] });
  const reads = new HeldReads(uplink.store.journal);
  await using made = await aDrill(uplink, { standsAlone: true, journal: reads.journal });
  const drill = await made.open();
  await drill.begin(id);
  await uplink.punches(await uplink.device(one), 1, 1);
  await until('the journal is read', () => reads.underWay === 1);
  const late = await uplink.device(two);
  await reads.free();
  expect(drill.report()).toMatchObject({ known: 2, done: 1 });
  await uplink.punches(late, 1, 1);
  await until('it has ended', () => made.results.length === 1);
  expect(made.results[0]).toMatchObject({ outcome: 'passed', known: 2, done: 2 });
});

test('with five thousand terminals a result names five hundred, those that are missing first', async () => {
  await using uplink = await anUplink(null);
  const products = [{ product_id: 'FACE-T1', product_key: 'of-the-product' }];
  const devices = Array.from({ length: 5000 }, (_, no) => ({ device_id: `FACE-T1_B${String(no).padStart(4, '0')}` }));
  await uplink.store.write.applySite({ site: { products, devices }, prune: false, dryRun: false, at: realClock.now() });
  await using made = await aDrill(uplink, { standsAlone: true, states: { 'FACE-T1_B4999': 'silent' } });
  const drill = await made.open();
  await drill.begin(id);
  const all = [...uplink.store.directory.devices()];
  await Promise.all(all.slice(0, 4990).map(device => uplink.punches(device, 1, 1)));
  await until('they are ticked off', () => drill.report()?.done === 4990);
  drill.end();
  await until('it has ended', () => made.results.length === 1);
  const [{ known, done, terminals }] = made.results as [TerminalsResult];
  expect([known, done, terminals.length]).toEqual([5000, 4990, 500]);
  expect(terminals.slice(0, 11).map(({ state }) => state)).toEqual([
    ...Array.from({ length: 9 }, () => 'online'),
    ...['silent', 'stored'],
  ]);
});
