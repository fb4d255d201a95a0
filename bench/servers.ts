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
  /** Where the box keeps its store; empty for the others. */
  readonly dataDir: string;
  readonly ports: Readonly<Record<'mqtt' | 'mqtts' | 'https', number>> & { readonly events?: number };
  /** Milliseconds from the start of the process until it was ready. */
  readonly startedInMs: number;
}

export const product = { product_id: 'FACE-T1', product_key: 'bench-key', name: 'Bench', model: 'FT1', access: 'both' };
export const site = {
  products: [product],
};

/** Limits so high that the load never reaches one. */
const lifted = {
  log_per_second: 1_000_000_000,
  log_per_day: 1_000_000_000_000,
  attendance_calls_per_second: 1_000_000,
};

/** What the bench measures: `bin/gatehouse`, or another build of it. */
export const program: readonly string[] = [process.env.GATEHOUSE_BINARY ?? `${root}bin/gatehouse`];
const readyWithinMs = 180_000;

interface BoxOptions {
  readonly config?: Record<string, unknown>;
  /** Absent: an empty one. */
  readonly dataDir?: string;
  readonly core?: number | string;
  readonly nodeOptions?: readonly string[];
  /** Applied at the start; absent: the product of the load alone. */
  readonly site?: object;
  /** Another program, or what `program` runs under. */
  readonly command?: readonly string[];
  /** The signal that ends it when it is disposed; absent: SIGKILL, which is quick. */
  readonly endBy?: NodeJS.Signals;
}

/** The box, as its users start it. */
export async function startBox(options: BoxOptions = {}): Promise<Server> {
  const folder = await temporaryFolder();
  const dataDir = options.dataDir ?? `${folder.path}/data`;
  const config = {
    environment: 'test',
    data_dir: dataDir,
    box: { product_id: 'GATEHOUSE', device_sn: '000001', access_key: 'bench-box-key' },
    listen: {
      mqtts: '127.0.0.1:0',
      mqtt: '127.0.0.1:0',
      https: '127.0.0.1:0',
      http: 'off',
      metrics: 'off',
    },
    limits: lifted,
    // Every connection of the load is a device that the box has not seen before.
    admission: { new_devices_per_hour: 1_000_000 },
    ...options.config,
  };
  const configFile = await folder.write('gatehouse.yaml', stringify(config));
  const siteFile = await folder.write('site.yaml', stringify(options.site ?? site));
  const begun = performance.now();
  const [command, ...first] = options.nodeOptions
    ? [`${root}bin/node`, ...options.nodeOptions, `${root}dist/gatehouse.js`]
    : (options.command ?? program);
  const words = [...first, 'serve', '--config', configFile, '--apply', siteFile];
  const child = pinned(options.core ?? serverCore, command!, words);
  const ready = await new Promise<Record<string, string | null>>((resolve, reject) => {
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`the box was not ready after ${readyWithinMs / 1000} s:\n${child.said()}`));
    }, readyWithinMs);
    createInterface({ input: child.stderr! }).on('line', line => {
      const found = /^ready (\{.*\})$/.exec(line);
      if (!found) return;
      clearTimeout(late);
      resolve(JSON.parse(found[1]!));
    });
    child.once('error', reject);
    child.once('exit', code => {
      clearTimeout(late);
      reject(new Error(`the box ended with ${code}:\n${child.said()}`));
    });
  }).catch(async error => {
    await folder[Symbol.asyncDispose]();
    throw error;
  });
  const port = (name: string) => Number(/:(\d+)$/.exec(ready[name] ?? '')?.[1]);
  return {
    name: 'gatehouse',
    pid: child.pid!,
    dataDir,
    ports: { mqtt: port('mqtt'), mqtts: port('mqtts'), https: port('https'), events: port('events') },
    startedInMs: performance.now() - begun,
    [Symbol.asyncDispose]: async () => {
      await end(child, options.endBy ?? (options.nodeOptions ? 'SIGTERM' : 'SIGKILL'));
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** Debian's mosquitto with everything in memory. `more` is added to its configuration. */
export async function startMosquitto(
  more = '',
  core: number | string = serverCore,
  port = 0,
  key: KeyKind = 'ECDSA',
): Promise<Server> {
  if (!mosquitto) throw new Error('mosquitto is not installed: apt-get install mosquitto');
  const folder = await temporaryFolder();
  const ports = { mqtt: port || (await freePort()), mqtts: await freePort(), https: 0 };
  const pair = certificate(folder.path, key);
  const config = [
    'persistence false',
    'log_dest none',
    'max_inflight_messages 1000',
    'max_queued_messages 1000000',
    `listener ${ports.mqtt} 127.0.0.1`,
    'allow_anonymous true',
    `listener ${ports.mqtts} 127.0.0.1`,
    'allow_anonymous true',
    `certfile ${pair.cert}`,
    `keyfile ${pair.key}`,
    more,
  ].join('\n');
  const file = await folder.write('mosquitto.conf', `${config}\n`);
  const begun = performance.now();
  const child = pinned(core, mosquitto, ['-c', file]);
  await listening(ports.mqtts, child.said);
  return {
    name: 'mosquitto',
    pid: child.pid!,
    dataDir: '',
    ports,
    startedInMs: performance.now() - begun,
    [Symbol.asyncDispose]: async () => {
      await end(child, 'SIGKILL');
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** P-256, as the box makes its own, or the RSA of 2048 bits that sites bring along. */
export type KeyKind = 'ECDSA' | 'RSA';
const keyWords: Record<KeyKind, readonly string[]> = {
  ECDSA: ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'],
  RSA: ['rsa:2048'],
};

export function certificate(folder: string, kind: KeyKind = 'ECDSA'): { cert: string; key: string } {
  const [cert, key] = [`${folder}/cert-${kind}.pem`, `${folder}/key-${kind}.pem`];
  const words = ['req', '-x509', '-newkey', ...keyWords[kind], '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const made = spawnSync('openssl', [
    ...words,
    '-addext',
    'subjectAltName=DNS:localhost',
    '-keyout',
    key,
    '-out',
    cert,
  ]);
  if (made.status !== 0) throw new Error('openssl is not installed: apt-get install openssl');
  if (process.getuid?.() === 0) spawnSync('chmod', ['-R', 'a+rX', folder]); // mosquitto gives up root
  return { cert, key };
}

/** Resolves when something listens there. */
export async function listening(port: number, said: () => string, tries = 500): Promise<void> {
  for (let tried = 0; tried < tries; tried++) {
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
