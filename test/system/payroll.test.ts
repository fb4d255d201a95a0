import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import mqtt from 'mqtt';
import { expect, test } from 'vitest';
import { seededRandom } from '../support/clock.ts';
import { fillCheckIns } from '../support/many-checkins.ts';
import { BoxProcess } from '../support/program.ts';
import { credentials } from '../support/terminal.ts';
import { until } from '../support/until.ts';

/**
 * `CHECKINS=10000000 PULLED=1000000 npm test -- payroll` is the size that was promised; it takes
 * some minutes and 3 GB of disk.
 */
const stored = Number(process.env.CHECKINS ?? 60_000);
const pulled = Number(process.env.PULLED ?? 40_000);
const crashes = 5;
const people = 3000;

const productKey = 'payroll-product-key';
const caller = { app_key: 'ak1', app_secret: 'as1' };
const site = {
  products: [{ product_id: 'FACE-T1', product_key: productKey }],
  devices: [{ device_id: 'FACE-T1_A0001', name: 'North gate' }],
  attendance_callers: [caller],
};
/** Of one page in the client's file, about. */
const pageBytes = 2500;

/** True when the pages have become small: the client has come to where the devices are. */
function caughtUp(bytes: () => Promise<number>): () => Promise<boolean> {
  let before = 0;
  return async () => {
    const now = await bytes();
    const grown = now - before;
    before = now;
    return now > (pulled / 500) * pageBytes * 0.9 && grown < pageBytes;
  };
}

const client = fileURLToPath(new URL('../support/payroll-client.ts', import.meta.url));

/** Of one device between its punches: five of them are a hundred a second. */
const pauseMs = 48;

/**
 * Terminals that punch, each waiting for its PUBACK, until they are stopped. Returns what was
 * acknowledged.
 */
function punching(port: number, ca: string, devices: number) {
  let stopped = false;
  let acknowledged = 0;
  const ends = Array.from({ length: devices }, async (_, index) => {
    const deviceId = `FACE-T1_P${index}`;
    const { clientId, username, password } = credentials({ deviceId, key: productKey });
    const connection = await mqtt.connectAsync({
      host: '127.0.0.1',
      port,
      protocol: 'mqtts',
      ca,
      clientId,
      username,
      password,
      protocolVersion: 4,
    });
    for (let count = 0; !stopped; count++) {
      const record = {
        ext_id: `e${(count % people) + 1}`,
        check_type: 'fa',
        check_time: Math.floor(Date.now() / 1000),
      };
      const envelope = {
        mid: `${deviceId}-${count}`,
        from: deviceId,
        to: 'system',
        time: 0,
        action: 2001,
        data: { records: [record] },
      };
      await connection.publishAsync('device', JSON.stringify(envelope), { qos: 1 });
      acknowledged++;
      await new Promise(resolve => setTimeout(resolve, pauseMs));
    }
    await connection.endAsync();
  });
  return {
    async stop(): Promise<number> {
      stopped = true;
      await Promise.all(ends);
      return acknowledged;
    },
  };
}

test(`a payroll system that crashes ${crashes} times pulls ${pulled} check-ins out of ${stored} while devices punch: each exactly once, in report order`, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-payroll-'));
  await using box = await BoxProcess.start({}, site);
  try {
    await box.stop();
    fillCheckIns(box.dataDir, stored, { people, sinceId: stored - pulled });
    const begun = performance.now();
    await box.start();
    const startedMs = performance.now() - begun;
    const caFile = join(box.dataDir, 'tls', 'ca.pem');
    const ca = await readFile(caFile, 'utf8');
    const stateFile = join(folder, 'state');
    const untilFile = join(folder, 'until');
    const startClient = (): ChildProcess =>
      spawn(
        process.execPath,
        [client, `https://${box.addresses.https}`, caFile, caller.app_key, caller.app_secret, stateFile, untilFile],
        {
          stdio: ['ignore', 'pipe', 'inherit'],
        },
      );
    const gotBytes = async () => (await stat(stateFile).catch(() => ({ size: 0 }))).size;
    const got = async () => (await readFile(stateFile, 'utf8').catch(() => '')).split('\n').slice(0, -1);

    const devices = punching(box.port('mqtts'), ca, 5);
    const random = seededRandom(5);
    for (let crash = 0; crash < crashes; crash++) {
      const before = await gotBytes();
      const crashing = startClient();
      await until('a few pages are pulled', async () => (await gotBytes()) > before + random() * 10 * pageBytes);
      crashing.kill('SIGKILL');
      await once(crashing, 'exit');
    }
    const last = startClient();
    let said = '';
    last.stdout!.setEncoding('utf8').on('data', text => {
      said += text;
    });
    const ended = once(last, 'exit');
    await until('nothing new is there', caughtUp(gotBytes));
    const acknowledged = await devices.stop();
    // Reading what is on disk waits for the tables: what was acknowledged can be asked for now.
    await box.ask(
      'export',
      '--what',
      'checkins',
      '--format',
      'ndjson',
      '--from',
      String(Math.floor(Date.now() / 1000) + 3600),
    );
    await writeFile(untilFile, '');
    expect((await ended)[0]).toBe(0);

    const ids = (await got()).flatMap(line => JSON.parse(line).ids as number[]);
    expect(acknowledged).toBeGreaterThan(50);
    expect(ids).toHaveLength(pulled + acknowledged);
    let inOrder = true;
    for (const [index, id] of ids.entries()) if (id !== stored - pulled + 1 + index) inOrder = false;
    expect(inOrder).toBe(true);
    const { pages: full, p50, p99 } = JSON.parse(said);
    process.stdout.write(
      `${full} pages of 500 in a store of ${stored}, while ${acknowledged} punches came: p50 ${p50} ms, p99 ${p99} ms; start ${Math.round(startedMs)} ms\n`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}, 1_200_000);
