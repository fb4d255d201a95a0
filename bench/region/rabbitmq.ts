import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { end, freePort, pinned, serverCore, temporaryFolder } from '../machine.ts';
import { listening, product, type Server } from '../servers.ts';

/** Debian's script without its change of user: the node is a child like any other. */
const program = '/usr/lib/rabbitmq/bin/rabbitmq-server';
export const hasRabbitMq = existsSync(program);
/** All devices of the load log in with it: RabbitMQ knows users, and no devices. */
export const rabbitMqPassword = 'bench';

/**
 * RabbitMQ with its MQTT plugin: a node of its own on loopback, with one durable queue that takes
 * everything. A publish with QoS 1 is persistent there, and is acknowledged when the queue has
 * synced it.
 */
export async function startRabbitMq(): Promise<Server> {
  const begun = performance.now();
  await using parts = new AsyncDisposableStack();
  const folder = parts.use(await temporaryFolder());
  const ports = { mqtt: await freePort(), mqtts: 0, https: 0 };
  const [amqp, distribution, names] = [await freePort(), await freePort(), await freePort()];
  const definitions = await folder.write('definitions.json', JSON.stringify(durableQueue));
  const config = await folder.write(
    'rabbitmq.conf',
    [
      `listeners.tcp.default = 127.0.0.1:${amqp}`,
      `mqtt.listeners.tcp.default = 127.0.0.1:${ports.mqtt}`,
      'mqtt.allow_anonymous = false',
      `load_definitions = ${definitions}`,
      // The load is stopped by its window, not by how full this machine is.
      'vm_memory_high_watermark.relative = 0.6',
      'disk_free_limit.absolute = 50MB',
    ].join('\n'),
  );
  const plugins = await folder.write('enabled_plugins', '[rabbitmq_mqtt].');
  for (const name of ['mnesia', 'log']) await mkdir(`${folder.path}/${name}`);
  const environment = {
    HOME: folder.path,
    RABBITMQ_NODENAME: `gatehouse-bench-${process.pid}@localhost`,
    RABBITMQ_MNESIA_BASE: `${folder.path}/mnesia`,
    RABBITMQ_LOG_BASE: `${folder.path}/log`,
    RABBITMQ_PID_FILE: `${folder.path}/pid`,
    RABBITMQ_CONFIG_FILE: config,
    RABBITMQ_ENABLED_PLUGINS_FILE: plugins,
    RABBITMQ_DIST_PORT: String(distribution),
    ERL_EPMD_PORT: String(names),
    ERL_EPMD_ADDRESS: '127.0.0.1',
  };
  const assigned = Object.entries(environment).map(([name, value]) => `${name}=${value}`);
  // The nodes of Erlang find each other there; else the node would start one that outlives it.
  const registry = pinned(serverCore, 'epmd', ['-port', String(names), '-address', '127.0.0.1']);
  parts.defer(() => end(registry, 'SIGKILL'));
  const child = pinned(serverCore, 'env', [...assigned, program]);
  parts.defer(() => end(child, 'SIGKILL'));
  await listening(ports.mqtt, child.said, 6000);
  const node = nodeBelow(child.pid!);
  parts.defer(async () => {
    // Its script goes when it has gone.
    const gone = once(child, 'exit');
    process.kill(node, 'SIGKILL');
    await gone;
  });
  const held = parts.move();
  return {
    ...{ name: 'rabbitmq', pid: node, dataDir: '', ports, startedInMs: performance.now() - begun },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** The virtual machine of Erlang that the script has started. */
function nodeBelow(pid: number): number {
  if (readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('beam')) return pid;
  const [child] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  if (child === undefined) throw new Error('RabbitMQ has no virtual machine');
  return nodeBelow(Number(child));
}

const durableQueue = {
  users: [{ name: product.product_id, ...hashed(rabbitMqPassword), tags: [] }],
  vhosts: [{ name: '/' }],
  permissions: [{ user: product.product_id, vhost: '/', configure: '.*', write: '.*', read: '.*' }],
  queues: [{ name: 'records', vhost: '/', durable: true, auto_delete: false, arguments: {} }],
  bindings: [
    {
      ...{ source: 'amq.topic', vhost: '/', destination: 'records', destination_type: 'queue' },
      ...{ routing_key: '#', arguments: {} },
    },
  ],
};

/** As RabbitMQ keeps passwords: a salt of four bytes, and the hash of both. */
function hashed(password: string): { password_hash: string; hashing_algorithm: string } {
  const salt = randomBytes(4);
  const digest = createHash('sha256').update(salt).update(password).digest();
  return {
    password_hash: Buffer.concat([salt, digest]).toString('base64'),
    hashing_algorithm: 'rabbit_password_hashing_sha256',
  };
}
