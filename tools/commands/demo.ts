import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Box, openBox } from '../../src/box/index.ts';
import { CommandFailed, flag, type Run } from '../../src/cli/command.ts';
import { statusInWords } from '../../src/cli/status.ts';
import { loadConfig, readSiteFile } from '../../src/config/index.ts';
import { demoProductKey } from '../../src/platform/example-keys.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock, realRandom } from '../../src/runtime/real-world.ts';
import { type SimCloud, type SimDevices, simulatedStaff, startSimCloud, startSimDevices } from '../sim/index.ts';
import { type Acknowledged, DemoStory, missing } from './demo-story.ts';

const boxKey = 'demo-box-key';
const people = simulatedStaff(40);
const departments = [...new Set(people.map(one => one.department))];
/** The people whom the terminals know, so that the pages have names. */
const organization = {
  departments: [
    { ext_id: '0', name: 'Plant 4' },
    ...departments.map((name, index) => ({ ext_id: `d${index + 1}`, name, p_ext_id: '0' })),
  ],
  employees: people.map(({ extId, name, employeeNum, department }) => ({
    ext_id: extId,
    name,
    mobile: '',
    employee_num: employeeNum,
    department: { ext_id: `d${departments.indexOf(department) + 1}`, title: '' },
  })),
};
const demoNetwork = { ssid: 'Plant', key: 'secret123' };
const product = {
  product_id: 'FACE-T1',
  product_key: demoProductKey,
  name: 'Face terminal',
  model: 'FT1',
  access: 'both',
};

/** How long each part of the story takes, in milliseconds. */
const withLineMs = 6000;
const cutMs = 8000;
const statusAfterMs = 5000;
const catchUpWithinMs = 60_000;
const lookEveryMs = 2000;

/**
 * `demo [--once]`: a box, a simulated cloud and four simulated terminals in one process, over real
 * sockets of the loopback, and what happens to punches when the line is cut. Fails (exit 1) when a
 * single one is lost or out of order.
 */
export const demo: Run = async call => {
  const once = flag(call, 'once');
  await using stage = await setStage();
  const story = new DemoStory(line => call.print(`${line}\n`), realClock);
  await story.opening(stage);
  const stopped = stopAsked();

  await using cast = await callTerminals(stage);
  const { cloud, box } = stage;
  const terminals: Acknowledged = { of: () => acknowledgedBy(cast.all) };
  const watch = async (ms: number) => {
    for (let left = ms; left > 0; left -= lookEveryMs) {
      await realClock.sleep(Math.min(left, lookEveryMs));
      await story.counts(terminals, cloud, await box.admin.status.report());
    }
  };

  await story.chapter('1. Punches arrive: written to disk, thanked for, passed on to the cloud');
  story.tellRecords(6);
  await watch(withLineMs);

  await story.chapter('2. The line to the cloud is cut. The terminals do not notice');
  await cloud.cut();
  await watch(statusAfterMs);
  await story.quote('gatehouse status', statusInWords(await box.admin.status.report(), realClock.now()));
  await watch(cutMs - statusAfterMs);

  await story.chapter('3. The line is back: what waited goes up, in order, no faster than the cloud allows');
  await cloud.restore();
  const upTo = terminals.of();
  const end = realClock.monotonic() + catchUpWithinMs;
  while (missing(upTo, cloud) > 0 && realClock.monotonic() < end) await watch(lookEveryMs / 2);

  const lost = await story.verdict(upTo, cloud);
  if (lost > 0) throw new CommandFailed(`the demo failed: ${lost} records are missing or out of order in the cloud`);
  if (once) return 0;

  await story.chapter('It goes on like this until you press Ctrl-C; try the commands from above meanwhile');
  story.tellRecords(Number.POSITIVE_INFINITY);
  await stopped;
  return 0;
};

interface Stage extends AsyncDisposable {
  readonly folder: string;
  readonly dataDir: string;
  readonly cloud: SimCloud;
  readonly box: Box;
  /** Told of each record that the cloud takes. */
  onRecord: (payload: string, deviceId: string) => void;
}

/** A box on a fresh data directory under the temporary folder, and the cloud above it. */
async function setStage(): Promise<Stage> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-demo-'));
  parts.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const stage = { onRecord: (_payload: string, _deviceId: string) => {} };
  const cloud = parts.use(
    await startSimCloud({
      clock: realClock,
      random: realRandom,
      products: [product, { product_id: 'GATEHOUSE', product_key: boxKey }],
      listen: { mqtt: await loopback(21883), http: await loopback(21880) },
      onEvent: event => {
        if (event.kind === 'record') stage.onRecord(event.arrival.payload, event.arrival.deviceId);
      },
    }),
  );
  const configFile = join(folder, 'gatehouse.yaml');
  const siteFile = join(folder, 'site.yaml');
  await writeFile(
    configFile,
    stringify({
      environment: 'test',
      data_dir: dataDir,
      site: { name: 'Demo' },
      box: { product_id: 'GATEHOUSE', device_sn: '000001', access_key: boxKey },
      listen: { mqtts: await loopback(8883), https: await loopback(8443), mqtt: 'off', http: 'off', metrics: 'off' },
      // A simulated radio: the demo leaves the wifi and the Bluetooth of this machine alone.
      provisioning: {
        bluetooth: 'off',
        wifi: 'simulated',
        hotspot: await loopback(18080),
        result_broadcast: '127.0.0.1:24333',
        result_listen: 'off',
        simulated_networks: [demoNetwork],
      },
      upstream: { mode: 'per-device', device_mqtt: cloud.urls.deviceMqtt, device_http: cloud.urls.deviceHttp },
    }),
  );
  await writeFile(siteFile, stringify({ products: [product], ...organization }));
  const { config } = loadConfig({ file: configFile, env: {}, cwd: folder });
  const { site } = readSiteFile(siteFile, folder);
  const world = { clock: realClock, random: realRandom, log: silentLog };
  const box = parts.use(
    await openBox(config, world, async admin => {
      await admin.apply({ site, prune: false, dryRun: false });
    }),
  );
  const running = parts.move();
  return Object.assign(stage, {
    folder,
    dataDir,
    cloud,
    box,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  });
}

/** Three terminals over MQTT and one over HTTP. */
async function callTerminals({ box }: Stage): Promise<AsyncDisposable & { all: SimDevices[] }> {
  const common = {
    clock: realClock,
    random: realRandom,
    ca: box.caPem,
    product: product.product_id,
    productKey: product.product_key,
    model: product.model,
    rate: 0.8,
    logs: 0.4,
  };
  const all = [
    startSimDevices({ ...common, url: `mqtts://${box.addresses.mqtts}`, count: 3, firstSerial: 'A0001' }),
    startSimDevices({ ...common, url: `https://${box.addresses.https}`, count: 1, firstSerial: 'A0004' }),
  ];
  return {
    all,
    [Symbol.asyncDispose]: async () => {
      await Promise.all(all.map(devices => devices.stop()));
    },
  };
}

const acknowledgedBy = (all: readonly SimDevices[]) => new Map(all.flatMap(devices => [...devices.acknowledged()]));

/** The well-known port where it is free, any other where it is not. */
async function loopback(port: number): Promise<string> {
  const free = await new Promise<boolean>(resolve => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
  return `127.0.0.1:${free ? port : 0}`;
}

const stopAsked = (): Promise<void> =>
  new Promise(resolve => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
