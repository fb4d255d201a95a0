import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Seq } from '../../src/store/index.ts';
import type { Reason } from '../../src/words/sentences.ts';
import { aProxyForHttps, aProxyForMqtt } from '../support/haproxy.ts';
import { type BatchLine, LightBox } from '../support/light-box.ts';
import { aNewerVersion } from '../support/other-version.ts';
import { postgresOfFile, suiteWithPostgres } from '../support/postgres.ts';
import { openedPostgresStore } from '../support/postgres-store.ts';
import type { BoxProcess } from '../support/program.ts';
import { aSite, deviceIds, productKey } from '../support/site.ts';
import { MqttTerminal } from '../support/terminal.ts';
import { suiteNeeding } from '../support/tools.ts';
import { until } from '../support/until.ts';
import { WatchedProcesses } from '../support/watched-processes.ts';

const boxKey = 'key-of-the-boxes-below';
const boxIds = deviceIds(4, 'GATEHOUSE');
const terminals = deviceIds(20);
/** The first of them belong to boxes, the others are devices of the region. */
const behind = terminals.slice(0, boxIds.length);
const own = terminals.slice(boxIds.length);
const site = {
  products: [
    ...aSite().products,
    { product_id: 'GATEHOUSE', product_key: boxKey, name: 'Boxes below', access: 'http' },
  ],
  boxes: boxIds.map(box_id => ({ box_id })),
};
const config = {
  listen: { mqtts: 'off', mqtt: '127.0.0.1:0' },
  limits: { log_per_second: 1000, log_per_day: 1_000_000 },
  admission: { new_devices_per_hour: 10_000 },
};
/** What the next version adds, to tables that every login and every batch uses. */
const added = [
  "ALTER TABLE `device` ADD `of_the_next` text DEFAULT '' NOT NULL;",
  'ALTER TABLE `segment` ADD `of_the_next` integer;',
  'CREATE TABLE `of_the_next` (`id` integer PRIMARY KEY AUTOINCREMENT NOT NULL);',
  'CREATE INDEX `log_block_of_the_next` ON `log_block` (`last_seq`);',
];

/** Devices and boxes that say one thing after another, and what became of it. */
class Load {
  readonly devices: readonly MqttTerminal[];
  readonly boxes: readonly LightBox[];
  refused = 0;
  logins = 0;
  #isOver = false;
  readonly #work: Promise<unknown>;

  constructor(mqttPort: number, httpsPort: number, ca: string) {
    this.devices = own.map(deviceId => {
      const device = new MqttTerminal({ deviceId, key: productKey }, `mqtt://127.0.0.1:${mqttPort}`);
      device.client.on('packetreceive', packet => {
        if (packet.cmd !== 'connack') return;
        if (packet.returnCode === 0) this.logins++;
        else this.refused++;
      });
      return device;
    });
    this.boxes = boxIds.map(deviceId => new LightBox({ deviceId, key: boxKey }, `https://127.0.0.1:${httpsPort}`, ca));
    this.#work = Promise.all([
      ...this.devices.map(device => this.#repeat(() => device.say('log'))),
      ...this.boxes.map((box, index) =>
        this.#repeat(() => {
          box.lines.push(lineOf(index, box.lines.length + 1));
          return box.send(1, 1);
        }),
      ),
    ]);
  }

  async #repeat(act: () => Promise<unknown>): Promise<void> {
    while (!this.#isOver) {
      await act();
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  }

  /** Each of them has something acknowledged from now on. */
  async everybodyWorks(): Promise<void> {
    const counts = () => [
      ...this.devices.map(device => device.acknowledged.length),
      ...this.boxes.map(({ acked }) => acked),
    ];
    const before = counts();
    await until('everybody has said something', () => counts().every((count, index) => count > before[index]! + 2));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#work;
    for (const device of this.devices) await device.end();
    for (const box of this.boxes) box.end();
  }
}

const serialOf = (deviceId: string) => deviceId.slice(deviceId.indexOf('_') + 1);
const lineOf = (box: number, n: number): BatchLine => ({
  ...{ device_id: behind[box]!, channel: 'log', received_at: 1_763_600_000_000 + n },
  ...{ topic: `log/FT1/${serialOf(behind[box]!)}`, payload: JSON.stringify({ line: n }) },
});

/** The texts of each terminal's logs, in the order of the journal. */
async function storedBy(region: WatchedProcesses): Promise<Map<string, string[]>> {
  await using store = await openedPostgresStore(region.url, { key: await region.sealKey() });
  const stored = new Map<string, string[]>();
  for (let after = 0 as Seq; after < store.journal.lastSeq; ) {
    const { records, through } = await store.journal.read(after, { bytesMax: 4 << 20 });
    for (const { deviceNo, channel, payload } of records) {
      const deviceId = store.directory.deviceByNo(deviceNo)?.deviceId ?? '';
      if (channel === 'log') stored.set(deviceId, [...(stored.get(deviceId) ?? []), Buffer.from(payload).toString()]);
    }
    after = through;
  }
  return stored;
}

const statusOf = async (process: BoxProcess): Promise<{ version: string; database: readonly Reason[] }> =>
  JSON.parse(await process.ask('status', '--json'));
const versionOf = async (process: BoxProcess): Promise<string> => (await statusOf(process)).version;
const isOfVersions = ({ reason }: Reason) =>
  /^processes of different versions run on this database: .*0\.2\.0 \(/.test(reason);

suiteNeeding('haproxy', 'haproxy', 'an update of a region', () => {
  suiteWithPostgres('on PostgreSQL', () => {
    const postgres = postgresOfFile();

    test('goes from process to process while devices and boxes work, and back again: none refused, nothing lost, all in order', async () => {
      await using newer = await aNewerVersion('0.2.0', added);
      await using region = await WatchedProcesses.start(await postgres(), { count: 2, configOf: () => config, site });
      const [first, second] = region.processes as [BoxProcess, BoxProcess];
      const older = first.program;
      const cas = await Promise.all(region.processes.map(one => readFile(join(one.dataDir, 'tls', 'ca.pem'), 'utf8')));
      const portsOf = (listener: string) => region.processes.map(process => process.port(listener));
      await using mqtt = await aProxyForMqtt(portsOf('mqtt'), '');
      await using https = await aProxyForHttps(portsOf('https'));
      const load = new Load(mqtt.port, https.port, cas.join('\n'));
      await load.everybodyWorks();
      const seen: string[] = [];
      for (const program of [newer.program, older])
        for (const process of [first, second]) {
          await region.restart(process, 'stop', async () => {
            process.program = program;
          });
          await load.everybodyWorks();
          if (seen.length % 2 === 0)
            await until('the other one tells of both versions', async () =>
              (await statusOf(second)).database.some(isOfVersions),
            );
          seen.push(`${await versionOf(first)} ${await versionOf(second)}`);
        }
      await load.end();
      const { refused, logins } = load;
      console.log(
        `4 restarts: ${logins} logins, ${refused} refused; ${load.devices.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0)} records of devices and ${load.boxes.reduce((sum, { acked }) => sum + acked, 0)} lines of boxes acknowledged, ${load.boxes.reduce((sum, { counted }) => sum + counted.failed, 0)} posts that failed`,
      );
      const before = await versionOf(first);
      expect(seen).toEqual([`0.2.0 ${before}`, '0.2.0 0.2.0', `${before} 0.2.0`, `${before} ${before}`]);
      expect(refused).toBe(0);
      expect(region.endedThemselves).toBe(0);
      const stored = await storedBy(region);
      // A device sends again what was not answered; each line of a box is stored once.
      for (const { deviceId, said } of load.devices)
        expect([...new Set(stored.get(deviceId))]).toEqual(said.map(({ text }) => text));
      for (const [index, { lines }] of load.boxes.entries())
        expect(stored.get(behind[index]!)).toEqual(lines.map(({ payload }) => payload));
      const made = "SELECT indisvalid FROM pg_index WHERE indexrelid = 'log_block_of_the_next'::regclass";
      const database = /@\/(\w+)/.exec(region.url)![1]!;
      expect((await postgres()).run(database, made).trim()).toBe('t');
    });
  });
});
