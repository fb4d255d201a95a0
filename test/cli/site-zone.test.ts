import { afterAll, beforeAll, expect, test } from 'vitest';
import { realClock } from '../../src/runtime/real-world.ts';
import { wallTime } from '../../src/runtime/wall-time.ts';
import { startSimDevices } from '../../tools/sim/index.ts';
import { aBox, type LocalBox } from '../support/box.ts';
import { aSite, productKey } from '../support/site.ts';
import { until } from '../support/until.ts';

/** Commands show times by the clock of the site, in whatever zone the machine is. */

const timezone = 'Pacific/Auckland';
const clocks = wallTime(timezone);
const offset = clocks.offset(Math.floor(Date.now() / 1000));

let box: LocalBox;
beforeAll(async () => {
  box = await aBox({ site: { timezone } }, aSite());
  await using _punched = await startSimDevices({
    clock: realClock,
    // Every record is a check-in.
    random: () => 0.5,
    url: `mqtts://${box.addresses.mqtts}`,
    ca: await box.ask('trust', 'export'),
    product: 'FACE-T1',
    productKey,
    model: 'FT1',
    count: 1,
    rate: 20,
    recordsMax: 2,
    firstSerial: 'A0001',
  });
  await until('both are listed', async () => (await box.ask('events', '--json')).split('\n').length > 2);
  await box.ask('recovery-key', 'new');
});
afterAll(() => box?.[Symbol.asyncDispose]());

const timesIn = (text: string): string[] =>
  [...text.matchAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d (\S+?)[,;)]*(?=\s|$)/g)].map(([, zone]) => zone!);

const commands = [
  ['status', '--device', 'FACE-T1_A0001'],
  ['events'],
  ['receipt', '1'],
  ['audit', 'verify'],
  ['recovery-key', 'show'],
];
test.each(commands)('%s %s %s shows the clock of the site', async (...words) => {
  const times = timesIn(await box.ask(...words.filter(Boolean)));
  expect(times.length).toBeGreaterThan(0);
  expect(new Set(times)).toEqual(new Set([offset]));
});

test('the status names the zone, and so does its JSON', async () => {
  expect(await box.ask('status')).toMatch(/^times +those of the site: Pacific\/Auckland$/m);
  expect(JSON.parse(await box.ask('status', '--json'))).toMatchObject({ timezone });
});

test('an export shows the same times as the pages, and says whose they are', async () => {
  const [punch] = (await box.ask('events', '--json')).split('\n');
  const { check_time: at } = JSON.parse(punch!);
  const { status, stdout, stderr } = await box.run('export', '--what', 'checkins', '--format', 'csv');
  expect({ status, stderr }).toEqual({ status: 0, stderr: 'times are those of the site: Pacific/Auckland\n' });
  expect(stdout).toContain(clocks.text(at));
});

test('a time without a zone is one of the site', async () => {
  const shown = (ms: number) =>
    clocks
      .text(Math.floor((Date.now() + ms) / 1000))
      .replace(' ', 'T')
      .slice(0, 19);
  const since = (ms: number) => box.ask('events', '--kind', 'checkins', '--since', shown(ms));
  expect(await since(60_000)).toBe('');
  expect((await since(-600_000)).split('\n')).toHaveLength(3);
  const exported = async (ms: number) =>
    (await box.ask('export', '--what', 'checkins', '--format', 'ndjson', '--from', shown(ms))).split('\n').length - 1;
  expect([await exported(60_000), await exported(-600_000)]).toEqual([0, 2]);
});

test('a zone that was chosen on the page counts, for a stopped box too', async () => {
  await using other = await aBox({}, aSite());
  expect(await other.ask('status')).toMatch(/^times +those of the site: Asia\/Shanghai$/m);
  await other.opened.store.write.keepSiteChoice({ chosen: { timezone }, timeZone: timezone });
  await other.stop();
  await other.start();
  await other.stop();
  expect(await other.ask('status')).toMatch(/^times +those of the site: Pacific\/Auckland$/m);
});
