import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { arrivalsInto, History, upwardFaults } from '../support/history.ts';
import { suiteWithPostgres } from '../support/postgres.ts';
import { BoxProcess } from '../support/program.ts';
import { aRegion, type Region } from '../support/region.ts';
import { aSite, productKey } from '../support/site.ts';
import { suiteNeeding } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { aCloudFor } from '../support/uplink.ts';
import { WatchedWay } from '../support/watched-way.ts';
import { atWork, type Work } from '../support/work.ts';

const modes = ['gateway', 'per-device', 'batch'] as const;
const boxKey = 'key-of-the-boxes-below';
const boxId = 'GATEHOUSE_000002';
/** `KILLS=20` for a long run; every third owner hangs for a while in place of being killed. */
const kills = { gateway: 3, 'per-device': 1, batch: 1 };
if (process.env.KILLS) for (const mode of modes) kills[mode] = Number(process.env.KILLS);
const hangsAt = (round: number) => round % 3 === 2;
const site = {
  products: [
    ...aSite().products,
    { product_id: 'GATEHOUSE', product_key: boxKey, name: 'Boxes below', access: 'http' },
  ],
  boxes: [{ box_id: boxId }],
};
const cloudProducts = [
  { product_id: 'FACE-T1', product_key: productKey, model: 'FACE-T1' },
  { product_id: 'GATEHOUSE', product_key: 'box-key' },
];
const portOf = (url: string | null) => Number(/:(\d+)\/?$/.exec(url ?? '')?.[1]);
const lineOf = async (box: BoxProcess): Promise<string> => JSON.parse(await box.ask('status', '--json')).line.state;

/** A box with two terminals that work without a pause, and sends its batches to the region. */
async function aBoxAtWork(parts: AsyncDisposableStack, { url, caFile }: Region, history: History): Promise<Work> {
  const box = parts.use(
    await BoxProcess.start(
      {
        box: { product_id: 'GATEHOUSE', device_sn: '000002', access_key: boxKey },
        limits: { log_per_second: 1000, log_per_day: 1_000_000 },
        upstream: { mode: 'batch', device_http: url, ca: `file:${caFile}` },
      },
      aSite(),
    ),
  );
  return atWork(box, await readFile(join(box.dataDir, 'tls', 'ca.pem'), 'utf8'), 2, { history });
}

suiteNeeding('haproxy', 'haproxy', 'a region with a cloud', () => {
  suiteWithPostgres('on PostgreSQL', () => {
    test.each(modes)(
      'one process forwards at a time, and whichever takes over goes on where it was (%s)',
      async mode => {
        await using parts = new AsyncDisposableStack();
        const history = parts.use(new History());
        const cloud = parts.use(
          await aCloudFor({ products: cloudProducts, onEvent: arrivalsInto(history, { sameBytes: true }) }),
        );
        /** Who sent, where it is another than before. */
        const senders: number[] = [];
        const ways = await Promise.all(
          [0, 1].map(index =>
            WatchedWay.to(portOf(mode === 'batch' ? cloud.urls.deviceHttp : cloud.urls.deviceMqtt), () => {
              if (senders.at(-1) !== index) senders.push(index);
            }),
          ),
        );
        for (const way of ways) parts.use(way);
        const region = parts.use(
          await aRegion(site, index => ({
            box: { product_id: 'GATEHOUSE', device_sn: '000001', access_key: 'box-key' },
            upstream: {
              mode,
              ...(mode === 'batch'
                ? { device_http: `http://127.0.0.1:${ways[index]!.port}` }
                : { device_mqtt: `mqtt://127.0.0.1:${ways[index]!.port}` }),
            },
          })),
        );
        const { processes } = region.watched;
        const work = await aBoxAtWork(parts, region, history);

        const owner = async () => {
          const states = await Promise.all(processes.map(lineOf));
          const index = states.indexOf('up');
          if (index >= 0 && states[1 - index] === 'standby') return { index };
          throw new Error(`the lines are ${states.join(' and ')}`);
        };
        const pauses: number[] = [];
        for (let round = 0; round < kills[mode]; round++) {
          const { index } = await until('one forwards, the other stands by', owner);
          const before = cloud.arrivals.received;
          await until('something arrives', () => cloud.arrivals.received > before + 20);
          const forwarding = processes[index]!;
          const begun = performance.now();
          const otherSends = async () => {
            await until('the other sends', () => senders.at(-1) === 1 - index);
            pauses.push(performance.now() - begun);
          };
          if (hangsAt(round)) {
            process.kill(forwarding.pid, 'SIGSTOP');
            await otherSends();
            process.kill(forwarding.pid, 'SIGCONT');
          } else await region.watched.restart(forwarding, 'kill9', otherSends);
        }
        await work.stop();
        const spoken = work.terminals.reduce((sum, { said }) => sum + said.length, 0);
        await until('everything has arrived', () => {
          const texts = work.terminals.map(({ deviceId }) => cloud.arrivals.firstOf(deviceId).length);
          const arrived = texts.reduce((sum, count) => sum + count, 0);
          if (arrived < spoken) throw new Error(`${arrived} of ${spoken}`);
          return true;
        });
        history.write('staff', { op: 'drained', to: 'cloud' });
        await history.expectSound(upwardFaults);
        expect(senders).toHaveLength(kills[mode] + 1);
        console.log(`${mode}: ${spoken} records, longest pause ${Math.round(Math.max(...pauses))} ms`);
      },
    );
  });
});
