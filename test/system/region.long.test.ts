import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { Postgres, suiteWithPostgres } from '../support/postgres.ts';
import { postgresUrl } from '../support/postgres-store.ts';
import { BoxProcess } from '../support/program.ts';
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

/** Two processes on one database: each with a data directory of its own and the same key. */
async function aRegion(postgres: Postgres, folder: string): Promise<readonly BoxProcess[]> {
  const urlFile = join(folder, 'url');
  await writeFile(urlFile, postgresUrl(postgres, postgres.create()), { mode: 0o600 });
  const config = { store: { engine: 'postgres', url: `file:${urlFile}` }, listen: { mqtts: 'off' } };
  const first = await BoxProcess.start(config, site);
  const second = await BoxProcess.make(config, site);
  await mkdir(join(second.dataDir, 'keys'), { recursive: true });
  await copyFile(join(first.dataDir, 'keys', 'seal.key'), join(second.dataDir, 'keys', 'seal.key'));
  await second.start();
  return [first, second];
}

/** HAProxy in front of the processes: it passes TLS, and asks each whether it is there. */
async function aProxy(region: readonly BoxProcess[], folder: string): Promise<{ port: number } & AsyncDisposable> {
  const port = await freePort();
  const servers = region.map((one, index) => `server p${index} 127.0.0.1:${one.port('https')} check inter 200 fall 1`);
  const file = join(folder, 'haproxy.cfg');
  await writeFile(
    file,
    `defaults
  mode tcp
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  retries 3
  option redispatch
listen region
  bind 127.0.0.1:${port}
  balance roundrobin
  ${servers.join('\n  ')}
`,
  );
  const proxy: ChildProcess = spawn('haproxy', ['-db', '-f', file], {
    stdio: 'ignore',
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  const ended = once(proxy, 'exit');
  return {
    port,
    async [Symbol.asyncDispose]() {
      proxy.kill('SIGKILL');
      await ended;
    },
  };
}

suiteNeeding('haproxy', 'haproxy', 'a region', () => {
  suiteWithPostgres('on PostgreSQL', () => {
    test(`has each line of each box once and in order, through ${kills} kills and ${kills / 4} crashes of the database`, async () => {
      await using parts = new AsyncDisposableStack();
      const folder = await mkdtemp(join(tmpdir(), 'gatehouse-region-'));
      parts.defer(() => rm(folder, { recursive: true, force: true }));
      const postgres = parts.use(await Postgres.start());
      const region = await aRegion(postgres, folder);
      for (const process of region) parts.use(process);
      const proxy = parts.use(await aProxy(region, folder));
      const authorities = await Promise.all(region.map(one => readFile(join(one.dataDir, 'tls', 'ca.pem'), 'utf8')));
      await writeFile(join(folder, 'ca.pem'), authorities.join('\n'));

      const boxes = await Promise.all(
        boxIds.map(id =>
          BoxProcess.start(
            {
              box: { product_id: 'GATEHOUSE', device_sn: id.split('_')[1], access_key: boxKey },
              limits: { log_per_second: 1000, log_per_day: 1_000_000 },
              upstream: {
                mode: 'batch',
                device_http: `https://127.0.0.1:${proxy.port}`,
                ca: `file:${join(folder, 'ca.pem')}`,
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
          return atWork(box, ca, terminalsOfBox, 1 + index * terminalsOfBox);
        }),
      );
      const acknowledged = () =>
        work.flatMap(({ terminals }) => terminals).reduce((sum, one) => sum + one.acknowledged.length, 0);

      for (let round = 0; round < kills; round++) {
        const before = acknowledged();
        await until('some work is done', () => acknowledged() > before + 20);
        const process = region[round % region.length]!;
        await process.kill9();
        if (round % 4 === 3) {
          await postgres.crash();
          // A process whose database has gone ends by itself, and systemd starts it again.
          await until('the others end', () => region.every(one => !one.alive));
          for (const one of region) if (one !== process) expect(await one.stop()).toBe(69);
          for (const one of region) await one.start();
        } else await process.start();
      }
      for (const { stop } of work) await stop();

      const said = work.flatMap(({ terminals }) => terminals);
      const midsOf = (own: readonly Said[]) => own.filter(({ channel }) => channel === 'log').map(({ mid }) => mid);
      const [first, second] = region as [BoxProcess, BoxProcess];
      const logs = () => first.export<{ device_id: string; text: string }>('logs');
      const spoken = said.flatMap(({ said: own }) => own.filter(({ channel }) => channel === 'log')).length;
      await until('every log has arrived', async () => (await logs()).length >= spoken, 300_000);
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
    }, 600_000);
  });
});
