import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { stringify } from 'yaml';
import { end, freePort, mosquitto, pinned, root, serverCore, temporaryFolder } from './machine.ts';

/** A server under load, on its core. */
export interface Server extends AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  readonly folder: string;
  readonly ports: Readonly<Record<'mqtt' | 'mqtts' | 'https', number>>;
  /** Milliseconds from the start of the process until it was ready. */
  readonly startedInMs: number;
}

export const product = { product_id: 'FACE-T1', product_key: 'bench-key', name: 'Bench', model: 'FT1', access: 'both' };
export const site = {
  products: [product],
};

/** Limits lifted so far that the load never meets one. */
const lifted = { log_per_second: 1_000_000_000, log_per_day: 1_000_000_000_000 };

/** The box, as its users start it, on an empty data directory. */
export async function startBox(
  options: { config?: Record<string, unknown>; dataDir?: string; core?: number; nodeOptions?: string[] } = {},
): Promise<Server> {
  const folder = await temporaryFolder();
  const config = {
    environment: 'test',
    data_dir: options.dataDir ?? `${folder.path}/data`,
    box: { product_id: 'GATEHOUSE', device_sn: '000001', access_key: 'bench-box-key' },
    listen: { mqtts: '127.0.0.1:0', mqtt: '127.0.0.1:0', https: '127.0.0.1:0', http: 'off', metrics: 'off' },
    limits: lifted,
    ...options.config,
  };
  const configFile = await folder.write('gatehouse.yaml', stringify(config));
  const siteFile = await folder.write('site.yaml', stringify(site));
  const begun = performance.now();
  const words = ['serve', '--config', configFile, '--apply', siteFile];
  const child = options.nodeOptions
    ? pinned(options.core ?? serverCore, `${root}bin/node`, [
        ...options.nodeOptions,
        `${root}dist/gatehouse.js`,
        ...words,
      ])
    : pinned(options.core ?? serverCore, process.env.GATEHOUSE_BINARY ?? `${root}bin/gatehouse`, words);
  const ready = await new Promise<Record<string, string | null>>((resolve, reject) => {
    createInterface({ input: child.stderr! }).on('line', line => {
      const found = /^ready (\{.*\})$/.exec(line);
      if (found) resolve(JSON.parse(found[1]!));
    });
    child.once('exit', code => reject(new Error(`the box ended with ${code}:\n${child.said()}`)));
  });
  const port = (name: string) => Number(/:(\d+)$/.exec(ready[name] ?? '')?.[1]);
  return {
    name: 'gatehouse',
    pid: child.pid!,
    folder: folder.path,
    ports: { mqtt: port('mqtt'), mqtts: port('mqtts'), https: port('https') },
    startedInMs: performance.now() - begun,
    [Symbol.asyncDispose]: async () => {
      await end(child, options.nodeOptions ? 'SIGTERM' : 'SIGKILL');
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Debian's mosquitto with everything in memory. `more` is added to its configuration. */
export async function startMosquitto(more = '', core = serverCore, port = 0): Promise<Server> {
  if (!mosquitto) throw new Error('mosquitto is not installed: apt-get install mosquitto');
  const folder = await temporaryFolder();
  const ports = { mqtt: port || (await freePort()), mqtts: await freePort(), https: 0 };
  const { cert, key } = await certificate(folder.path);
  const config = [
    'persistence false',
    'log_dest none',
    'max_inflight_messages 1000',
    'max_queued_messages 1000000',
    `listener ${ports.mqtt} 127.0.0.1`,
    'allow_anonymous true',
    `listener ${ports.mqtts} 127.0.0.1`,
    'allow_anonymous true',
    `certfile ${cert}`,
    `keyfile ${key}`,
    more,
  ].join('\n');
  const file = await folder.write('mosquitto.conf', `${config}\n`);
  const begun = performance.now();
  const child = pinned(core, mosquitto, ['-c', file]);
  await listening(ports.mqtts, child.said);
  return {
    name: 'mosquitto',
    pid: child.pid!,
    folder: folder.path,
    ports,
    startedInMs: performance.now() - begun,
    [Symbol.asyncDispose]: async () => {
      await end(child, 'SIGKILL');
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** P-256, as the box makes its own. */
export async function certificate(folder: string): Promise<{ cert: string; key: string }> {
  const [cert, key] = [`${folder}/cert.pem`, `${folder}/key.pem`];
  const words = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const made = spawnSync('openssl', [...words, '-subj', '/CN=localhost', '-keyout', key, '-out', cert]);
  if (made.status !== 0) throw new Error('openssl is not installed: apt-get install openssl');
  if (process.getuid?.() === 0) spawnSync('chmod', ['-R', 'a+rX', folder]); // mosquitto gives up root
  return { cert, key };
}

/** The node:http server of the bar: parses the JSON and writes nothing. */
export async function startBareHttp(): Promise<Server> {
  const folder = await temporaryFolder();
  const { cert, key } = await certificate(folder.path);
  const port = await freePort();
  const begun = performance.now();
  const child = pinned(serverCore, `${root}bin/node`, [`${root}bench/bare-http.ts`, String(port), cert, key]);
  await listening(port, child.said);
  return {
    name: 'bare node:https',
    pid: child.pid!,
    folder: folder.path,
    ports: { mqtt: 0, mqtts: 0, https: port },
    startedInMs: performance.now() - begun,
    [Symbol.asyncDispose]: async () => {
      await end(child, 'SIGKILL');
      await folder[Symbol.asyncDispose]();
    },
  };
}

async function listening(port: number, said: () => string): Promise<void> {
  for (let tries = 0; tries < 500; tries++) {
    const socket = connect({ port, host: '127.0.0.1' });
    try {
      await once(socket, 'connect');
      return;
    } catch {
      await wait(10);
    } finally {
      socket.destroy();
    }
  }
  throw new Error(`nothing listens on ${port}:\n${said()}`);
}
