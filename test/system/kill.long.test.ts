import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../support/clock.ts';
import { aCloud, upstreamTo } from '../support/cloud.ts';
import { arrivalsInto, History, readTables, tableFaults, upwardFaults } from '../support/history.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite } from '../support/site.ts';
import { until } from '../support/until.ts';
import { atWork } from '../support/work.ts';

/** `npm run test:nightly` kills 300 times. */
const kills = Number(process.env.KILLS ?? 20);

test(
  `after ${kills} kills of the box every acknowledged record is in its store, and at the cloud in each device's order`,
  async () => {
    using history = new History();
    await using upstream = await aCloud({ limits: false, onEvent: arrivalsInto(history) });
    await using box = await BoxProcess.start(
      { upstream: upstreamTo(upstream), limits: { log_per_second: 1000, log_per_day: 1_000_000 } },
      aSite(),
    );
    const ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
    const random = seededRandom(50);
    const work = atWork(box, ca, 8, { history });
    for (let kill = 0; kill < kills; kill++) {
      const before = work.terminals.reduce((sum, terminal) => sum + terminal.acknowledged.length, 0);
      await until(
        'some work is done',
        () => work.terminals.reduce((sum, one) => sum + one.acknowledged.length, 0) > before + 20,
      );
      await new Promise(resolve => setTimeout(resolve, random() * 150));
      await box.kill9();
      history.note('the box is killed');
      await box.start();
    }
    await work.stop();

    const said = work.terminals.flatMap(terminal => terminal.said);
    expect(said.every(one => one.acknowledged)).toBe(true);
    expect(said.length).toBeGreaterThan(kills * 20);

    await readTables(history, box);
    await until('nothing waits', async () => JSON.parse(await box.ask('status', '--json')).outbox.waiting === 0);
    history.write('staff', { op: 'drained', to: 'cloud' });
    await history.expectSound([...tableFaults, ...upwardFaults, 'a late acknowledgement']);
  },
  // For what hangs: on a busy machine a kill and the work after it take 6 s.
  300_000 + 30_000 * kills,
);
