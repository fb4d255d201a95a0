import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../support/clock.ts';
import { aCloud, upstreamTo } from '../support/cloud.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite } from '../support/site.ts';
import type { Said } from '../support/terminal.ts';
import { until } from '../support/until.ts';
import { atWork } from '../support/work.ts';

/** `npm run test:nightly` kills 300 times. */
const kills = Number(process.env.KILLS ?? 20);

const firsts = (mids: readonly string[]): string[] => [...new Set(mids)];
const midsOf = (said: readonly Said[], channel: Said['channel']) =>
  said.filter(one => one.channel === channel).map(one => one.mid);

test(
  `after ${kills} kills of the box every acknowledged record is in its store, and at the cloud in each device's order`,
  async () => {
    await using upstream = await aCloud({ limits: false });
    await using box = await BoxProcess.start(
      { upstream: upstreamTo(upstream), limits: { log_per_second: 1000, log_per_day: 1_000_000 } },
      aSite(),
    );
    const ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
    const random = seededRandom(50);
    const work = atWork(box, ca, 8);
    for (let kill = 0; kill < kills; kill++) {
      const before = work.terminals.reduce((sum, terminal) => sum + terminal.acknowledged.length, 0);
      await until(
        'some work is done',
        () => work.terminals.reduce((sum, one) => sum + one.acknowledged.length, 0) > before + 20,
      );
      await new Promise(resolve => setTimeout(resolve, random() * 150));
      await box.kill9();
      await box.start();
    }
    await work.stop();

    const said = work.terminals.flatMap(terminal => terminal.said);
    expect(said.every(one => one.acknowledged)).toBe(true);
    expect(said.length).toBeGreaterThan(kills * 20);

    const checkins = await box.export<{ device_id: string; ext_id: string }>('checkins');
    const logs = await box.export<{ device_id: string; text: string }>('logs');
    for (const { deviceId, said: own } of work.terminals) {
      const stored = checkins.filter(row => row.device_id === deviceId).map(row => row.ext_id);
      const spoken = own
        .filter(one => one.channel === 'device')
        .map(one => JSON.parse(one.text).data.records[0].ext_id);
      // Each once and in order, although it may have come again: the report's mid tells.
      expect(stored, deviceId).toEqual(spoken);
      const logged = new Set(logs.filter(row => row.device_id === deviceId).map(row => JSON.parse(row.text).log));
      expect(midsOf(own, 'log').filter(mid => !logged.has(mid))).toEqual([]);
    }

    await until('nothing waits', async () => JSON.parse(await box.ask('status', '--json')).outbox.waiting === 0);
    for (const { deviceId, said: own } of work.terminals) {
      const arrived = upstream.cloud.arrivals.of(deviceId);
      const inOrder = firsts(arrived.filter(one => one.channel === 'device').map(one => one.mid));
      const stored = checkins.filter(row => row.device_id === deviceId).map(row => row.ext_id);
      // The order in which the box stored them is the order in which the cloud first saw them.
      const person = new Map(
        own.filter(one => one.channel === 'device').map(one => [one.mid, JSON.parse(one.text).data.records[0].ext_id]),
      );
      expect(inOrder.map(mid => person.get(mid))).toEqual(stored);
      const texts = new Set(arrived.filter(one => one.channel === 'log').map(one => JSON.parse(one.payload).log));
      expect(midsOf(own, 'log').filter(mid => !texts.has(mid))).toEqual([]);
      // A duplicate is the same message again, to the byte.
      for (const mid of inOrder)
        expect(
          new Set(arrived.filter(one => one.mid === mid).map(one => JSON.stringify(JSON.parse(one.payload).data))).size,
        ).toBe(1);
    }
  },
  // For what hangs: on a busy machine a kill and the work after it take 6 s.
  300_000 + 30_000 * kills,
);
