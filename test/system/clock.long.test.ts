import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { dayOf } from '../../src/runtime/wall-time.ts';
import { aCloud, upstreamTo } from '../support/cloud.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite } from '../support/site.ts';
import { suiteWhere } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { atWork } from '../support/work.ts';

const year = 365 * 86_400_000;
const timeZone = 'Europe/Berlin';
/** What the clock passes two seconds after it was set: the midnight of the site, not of UTC. */
const turnMs = 2000;
const beforeMidnight = () => dayOf(Date.now(), timeZone).to * 1000 - turnMs;
const jumps: readonly (readonly [string, () => number])[] = [
  ['20 years back', () => Date.now() - 20 * year],
  ['ten years ahead', () => Date.now() + 10 * year],
  ['to 1970, as without a battery', () => 60_000],
  ['to the right time', () => Date.now()],
  ['to midnight', beforeMidnight],
  ['to the hour that comes twice', () => Date.parse('2026-10-25T00:59:58Z')],
  ['to the hour that the clocks skip', () => Date.parse('2027-03-28T00:59:58Z')],
  ['to the right time again', () => Date.now()],
];

interface LogRow {
  readonly device_id: string;
  readonly received_at: number;
  readonly text: string;
}

suiteWhere(FakeClock.possible, FakeClock.otherwise, 'a box whose clock is set while it works', () => {
  test('acknowledges, keeps and forwards every record in order, dates each by its clock, and says that the clock was set', async () => {
    await using clock = await FakeClock.make();
    await using upstream = await aCloud({ limits: false });
    await using box = await BoxProcess.start(
      {
        site: { timezone: timeZone },
        upstream: upstreamTo(upstream),
        limits: { log_per_second: 1000, log_per_day: 1_000_000 },
      },
      aSite(),
      clock.env,
    );
    const work = atWork(box, await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8'), 4);
    const acknowledged = () => work.terminals.reduce((sum, one) => sum + one.acknowledged.length, 0);
    const works = async (when: string) => {
      const before = acknowledged();
      const begun = performance.now();
      await until(`it works ${when}`, () => acknowledged() > before + 40 && performance.now() > begun + 3_000);
    };
    await works('before');
    const periods: { when: string; from: number; to: number; after: number }[] = [];
    for (const [when, at] of jumps) {
      const after = acknowledged();
      const from = at();
      clock.set(from);
      await works(when);
      if (when.includes('1970')) {
        // A power cut with a dead battery: it starts with this time, too.
        await box.kill9();
        await box.start();
        await works('after a start in 1970');
      }
      periods.push({ when, from, to: from + 60_000, after });
      expect(JSON.parse(await box.ask('status', '--json'))).toMatchObject({ running: true });
    }
    await work.stop();
    expect(work.terminals.every(({ said }) => said.every(one => one.acknowledged))).toBe(true);
    expect(box.stderr).toContain('the clock of this box was set');

    const logs = await box.export<LogRow>('logs');
    const checkins = await box.export<{ device_id: string; ext_id: string }>('checkins');
    for (const { when, from, to } of periods)
      expect([when, logs.some(one => one.received_at >= from - 2000 && one.received_at < to)]).toEqual([when, true]);
    for (const { when, from, to } of periods.filter(({ when }) => /midnight|hour/.test(when))) {
      const turn = from + turnMs;
      const [before, after] = [
        logs.some(one => one.received_at >= turn - 5000 && one.received_at < turn),
        logs.some(one => one.received_at >= turn && one.received_at < to),
      ];
      expect([when, before, after]).toEqual([when, true, true]);
    }
    for (const { deviceId, said } of work.terminals) {
      const people = said
        .filter(one => one.channel === 'device')
        .map(one => JSON.parse(one.text).data.records[0].ext_id);
      expect(checkins.filter(row => row.device_id === deviceId).map(row => row.ext_id)).toEqual(people);
      const texts = said.filter(one => one.channel === 'log').map(one => one.text);
      const kept = logs.filter(row => row.device_id === deviceId).map(row => row.text);
      expect([...new Set(kept)]).toEqual(texts);
    }
    await until('nothing waits', async () => JSON.parse(await box.ask('status', '--json')).outbox.waiting === 0);
    for (const { deviceId, said } of work.terminals) {
      const arrived = upstream.cloud.arrivals.of(deviceId).filter(one => one.channel === 'device');
      const mids = said.filter(one => one.channel === 'device').map(one => one.mid);
      expect([...new Set(arrived.map(one => one.mid))]).toEqual(mids);
    }
    expect(JSON.parse(await box.ask('parked', 'list', '--json'))).toEqual([]);
  });
});
