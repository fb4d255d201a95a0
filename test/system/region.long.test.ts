import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'vitest';
import { History, readCheckIns, readLogs, readTables, tableFaults } from '../support/history.ts';
import { suiteWithPostgres } from '../support/postgres.ts';
import { BoxProcess } from '../support/program.ts';
import { aRegion } from '../support/region.ts';
import { aSite } from '../support/site.ts';
import { suiteNeeding } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { atWork } from '../support/work.ts';

const boxKey = 'key-of-the-boxes-below';
const boxIds = ['GATEHOUSE_000001', 'GATEHOUSE_000002', 'GATEHOUSE_000003'];
const terminalsOfBox = 1;
/** `KILLS=20` for a long run; the database crashes at each fourth. */
const kills = Number(process.env.KILLS ?? 8);
const site = {
  products: [
    ...aSite().products,
    { product_id: 'GATEHOUSE', product_key: boxKey, name: 'Boxes below', access: 'http' },
  ],
  boxes: boxIds.map(box_id => ({ box_id })),
};

suiteNeeding('haproxy', 'haproxy', 'a region', () => {
  suiteWithPostgres('on PostgreSQL', () => {
    test(`has each line of each box once and in order, through ${kills} kills and ${kills / 4} crashes of the database`, async () => {
      using history = new History();
      await using parts = new AsyncDisposableStack();
      const region = parts.use(await aRegion(site));
      const { processes } = region.watched;

      const boxes = await Promise.all(
        boxIds.map(id =>
          BoxProcess.start(
            {
              box: { product_id: 'GATEHOUSE', device_sn: id.split('_')[1], access_key: boxKey },
              limits: { log_per_second: 1000, log_per_day: 1_000_000 },
              upstream: {
                mode: 'batch',
                device_http: region.url,
                ca: `file:${region.caFile}`,
              },
            },
            aSite(),
          ),
        ),
      );
      for (const box of boxes) parts.use(box);
      const work = await Promise.all(
        boxes.map(async (box, index) => {
          const ca = await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8');
          return atWork(box, ca, terminalsOfBox, { from: 1 + index * terminalsOfBox, history });
        }),
      );
      const acknowledged = () =>
        work.flatMap(({ terminals }) => terminals).reduce((sum, one) => sum + one.acknowledged.length, 0);

      for (let round = 0; round < kills; round++) {
        const before = acknowledged();
        await until('some work is done', () => acknowledged() > before + 20);
        const process = processes[round % processes.length]!;
        history.note(`process ${round % processes.length} is killed`);
        await region.watched.restart(process, 'kill9', async () => {
          if (round % 4 === 3) await region.postgres.crash();
        });
      }
      for (const { stop } of work) await stop();

      const spoken = work.flatMap(({ terminals }) => terminals.flatMap(({ said }) => said));
      const logs = spoken.filter(({ channel }) => channel === 'log').length;
      const [first, second] = processes as [BoxProcess, BoxProcess];
      await until('every log has arrived', async () => (await first.export('logs')).length >= logs);
      await readLogs(history, first, {}, 'region');
      await readCheckIns(history, second, {}, 'region');
      // Each box's own store has the same lines, as often and in the same order.
      for (const [index, box] of boxes.entries()) {
        const devices = work[index]!.terminals.map(({ deviceId }) => deviceId);
        await readTables(history, box, { devices, as: 'region' }, `box ${index + 1}`);
      }
      await history.expectSound([...tableFaults, 'a row that the store below has not', 'a late acknowledgement']);
    });
  });
});
