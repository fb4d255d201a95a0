import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { suiteWithPostgres } from '../support/postgres.ts';
import { BoxProcess } from '../support/program.ts';
import { aRegion } from '../support/region.ts';
import { aSite } from '../support/site.ts';
import type { Said } from '../support/terminal.ts';
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
          return atWork(box, ca, terminalsOfBox, { from: 1 + index * terminalsOfBox });
        }),
      );
      const acknowledged = () =>
        work.flatMap(({ terminals }) => terminals).reduce((sum, one) => sum + one.acknowledged.length, 0);

      for (let round = 0; round < kills; round++) {
        const before = acknowledged();
        await until('some work is done', () => acknowledged() > before + 20);
        const process = processes[round % processes.length]!;
        await region.watched.restart(process, 'kill9', async () => {
          if (round % 4 === 3) await region.postgres.crash();
        });
      }
      for (const { stop } of work) await stop();

      const said = work.flatMap(({ terminals }) => terminals);
      const midsOf = (own: readonly Said[]) => own.filter(({ channel }) => channel === 'log').map(({ mid }) => mid);
      const [first, second] = processes as [BoxProcess, BoxProcess];
      const logs = () => first.export<{ device_id: string; text: string }>('logs');
      const spoken = said.flatMap(({ said: own }) => own.filter(({ channel }) => channel === 'log')).length;
      await until('every log has arrived', async () => (await logs()).length >= spoken);
      const arrived = await logs();
      const checkins = await second.export<{ device_id: string; ext_id: string }>('checkins');
      for (const { deviceId, said: own } of said) {
        const ofDevice = <Row extends { device_id: string }>(rows: readonly Row[]) =>
          rows.filter(({ device_id }) => device_id === deviceId);
        // A terminal sends again what was not answered, so a mid may have come twice to its box.
        const mids = ofDevice(arrived).map(({ text }) => JSON.parse(text).log as string);
        expect([...new Set(mids)], deviceId).toEqual(midsOf(own));
        const people = own
          .filter(({ channel }) => channel === 'device')
          .map(({ text }) => JSON.parse(text).data.records[0].ext_id as string);
        expect(
          ofDevice(checkins).map(({ ext_id }) => ext_id),
          deviceId,
        ).toEqual(people);
      }
      // Each box's own store has the same lines, as often and in the same order.
      for (const box of boxes) {
        const own = await box.export<{ device_id: string; text: string }>('logs');
        const devices = new Set(own.map(({ device_id }) => device_id));
        for (const device of devices) {
          const texts = (rows: readonly { device_id: string; text: string }[]) =>
            rows.filter(({ device_id }) => device_id === device).map(({ text }) => text);
          expect(texts(arrived), device).toEqual(texts(own));
        }
      }
    });
  });
});
