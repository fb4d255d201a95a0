import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../support/clock.ts';
import { History, readTables, tableFaults } from '../support/history.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite } from '../support/site.ts';
import { until } from '../support/until.ts';
import { atWork } from '../support/work.ts';

/** `npm run test:nightly` kills 300 times. */
const kills = Number(process.env.KILLS ?? 20);
const boxKey = 'key-of-the-lower-box';

test(
  `in a chain of two boxes, with ${kills} kills of either, each record is in the upper box exactly once`,
  async () => {
    using history = new History();
    const roomy = { limits: { log_per_second: 1000, log_per_day: 1_000_000 } };
    const ownProduct = { product_id: 'GATEHOUSE', product_key: boxKey, name: 'Boxes below', access: 'http' };
    const products = [...aSite().products, ownProduct];
    await using upper = await BoxProcess.start(roomy, { products, boxes: [{ box_id: 'GATEHOUSE_000002' }] });
    await using lower = await BoxProcess.make(
      {
        ...roomy,
        box: { product_id: 'GATEHOUSE', device_sn: '000002', access_key: boxKey },
        upstream: {
          mode: 'batch',
          device_http: `https://127.0.0.1:${upper.port('https')}`,
          ca: `file:${join(upper.dataDir, 'tls', 'ca.pem')}`,
        },
      },
      aSite(),
    );
    await lower.start();
    const work = atWork(lower, await readFile(join(lower.dataDir, 'tls', 'ca.pem'), 'utf8'), 8, { history });
    const random = seededRandom(2);
    for (let kill = 0; kill < kills; kill++) {
      const before = work.terminals.reduce((sum, terminal) => sum + terminal.acknowledged.length, 0);
      await until(
        'some work is done',
        () => work.terminals.reduce((sum, one) => sum + one.acknowledged.length, 0) > before + 20,
      );
      await new Promise(resolve => setTimeout(resolve, random() * 300));
      const victim = random() < 0.5 ? lower : upper;
      await victim.kill9();
      history.note(`the ${victim === lower ? 'lower' : 'upper'} box is killed`);
      await victim.start();
    }
    await work.stop();
    await until(
      'nothing waits below',
      async () => JSON.parse(await lower.ask('status', '--json')).outbox.waiting === 0,
    );

    expect(JSON.parse(await lower.ask('parked', 'list', '--json'))).toEqual([]);
    // What the lower box stored, the upper one has: the same records in the same order, none twice.
    await readTables(history, lower, {}, 'lower');
    await readTables(history, upper, { as: 'lower' }, 'upper');
    await history.expectSound([...tableFaults, 'a row that the store below has not', 'a late acknowledgement']);
  },
  // For what hangs: on a busy machine a kill and the work after it take 6 s.
  300_000 + 30_000 * kills,
);
