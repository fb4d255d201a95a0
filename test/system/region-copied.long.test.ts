import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Postgres, postgresOfFile, suiteWithPostgres } from '../support/postgres.ts';
import { postgresUrl } from '../support/postgres-store.ts';
import { BoxProcess } from '../support/program.ts';
import { aSite, deviceIds, productKey } from '../support/site.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const boxId = 'GATEHOUSE_000002';
const boxKey = 'key-of-the-region';
const site = aSite();
const siteAbove = {
  products: [...site.products, { product_id: 'GATEHOUSE', product_key: boxKey, name: 'Boxes below', access: 'http' }],
  boxes: [{ box_id: boxId }],
};

interface Status {
  readonly line: { readonly state: string; readonly why: string };
  readonly outbox: { readonly waiting: number };
  readonly database: readonly { readonly reason: string }[];
}
const statusOf = async (box: BoxProcess): Promise<Status> => JSON.parse(await box.ask('status', '--json'));

/** The only process of a region that forwards to `upper`, not started. */
async function aProcess(postgres: Postgres, database: string, upper: BoxProcess): Promise<BoxProcess> {
  const process = await BoxProcess.make({}, site);
  const url = join(process.folder, 'url');
  await writeFile(url, postgresUrl(postgres, database), { mode: 0o600 });
  await process.configure({
    environment: 'test',
    store: { engine: 'postgres', url: `file:${url}` },
    listen: { mqtts: 'off', mqtt: '127.0.0.1:0', https: '127.0.0.1:0', http: 'off', metrics: 'off' },
    box: { product_id: 'GATEHOUSE', device_sn: '000002', access_key: boxKey },
    upstream: {
      mode: 'batch',
      device_http: `https://127.0.0.1:${upper.port('https')}`,
      ca: `file:${join(upper.dataDir, 'tls', 'ca.pem')}`,
    },
  });
  return process;
}

async function saidAt(process: BoxProcess, deviceId: string, count: number): Promise<string[]> {
  const device = new MqttTerminal({ deviceId, key: productKey }, `mqtt://127.0.0.1:${process.port('mqtt')}`);
  for (let more = 0; more < count; more++) await device.say('log');
  await device.end();
  return device.said.map(({ text }) => text);
}

suiteWithPostgres('a region whose database was copied', () => {
  const postgres = postgresOfFile();

  test('and that runs beside the original takes over above, says what it is, and the original is told; nothing is overwritten', async () => {
    const server = await postgres();
    await using upper = await BoxProcess.start({}, siteAbove);
    const database = server.create();
    await using original = await aProcess(server, database, upper);
    await original.start();
    const [one, other, third] = deviceIds(3) as [string, string, string];
    const before = await saidAt(original, one, 5);
    await until('all of it is above', async () => (await statusOf(original)).outbox.waiting === 0);
    await original.stop();
    const copied = server.create();
    server.shell(
      `pg_dump -h '${server.folder}' -U postgres ${database} | psql -q -h '${server.folder}' -U postgres -d ${copied}`,
    );
    await original.start();
    await until('the original is taken', async () => (await statusOf(original)).line.state === 'up');
    await using copy = await aProcess(server, copied, upper);
    await mkdir(join(copy.dataDir, 'keys'), { recursive: true });
    await copyFile(join(original.dataDir, 'keys', 'seal.key'), join(copy.dataDir, 'keys', 'seal.key'));
    await copy.start();
    await until('the copy says what it is', async () =>
      (await statusOf(copy)).database.some(({ reason }) =>
        reason.startsWith('the database is a copy of another one, found at '),
      ),
    );
    const [atOriginal, atCopy] = [await saidAt(original, other, 5), await saidAt(copy, third, 5)];
    await until('all of the copy is above', async () => (await statusOf(copy)).outbox.waiting === 0);
    const told = await until('the original is told', async () => {
      const { line } = await statusOf(original);
      return line.state === 'refused' ? line.why : null;
    });
    expect(told).toMatch(/another box uses the identity GATEHOUSE_000002/);
    expect((await statusOf(original)).outbox.waiting).toBeGreaterThanOrEqual(atOriginal.length);
    expect((await statusOf(original)).database.some(({ reason }) => /copy/.test(reason))).toBe(false);
    const above = (await upper.export<{ text: string }>('logs')).map(({ text }) => text);
    for (const text of [...before, ...atCopy]) expect(above).toContain(text);
  });
});
