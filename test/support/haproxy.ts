import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

export interface Proxy extends AsyncDisposable {
  readonly port: number;
}

/**
 * HAProxy in front of plain MQTT, as docs/region.md has it: the client id chooses the process.
 * `healthPorts`: of `listen.metrics` of each process; absent: to connect is enough.
 */
export const aProxyForMqtt = (
  ports: readonly number[],
  server: string,
  healthPorts?: readonly number[],
): Promise<Proxy> =>
  started(
    port => `defaults
  mode tcp
  timeout connect 2s
  timeout client 90s
  timeout server 90s
frontend devices
  bind 127.0.0.1:${port}
  tcp-request inspect-delay 10s
  tcp-request content reject unless { req.payload(0,0),mqtt_is_valid }
  tcp-request content set-var(sess.cid) req.payload(0,0),mqtt_field_value(connect,client_identifier)
  default_backend region
backend region
  balance hash var(sess.cid)
  hash-type consistent
  retries 3
  option redispatch 1
${healthPorts ? asksHealth : ''}
${serversAt(ports, server, healthPorts)}
`,
  );

/** One that hangs takes connections: HAProxy asks for an answer, and ends those it has there. */
const asksHealth = `  option httpchk
  http-check send meth GET uri /healthz ver HTTP/1.1 hdr Host gatehouse
  default-server on-marked-down shutdown-sessions`;

/** HAProxy that passes TLS on to whichever process is there. */
export const aProxyForHttps = (ports: readonly number[]): Promise<Proxy> =>
  started(
    port => `global
  maxconn 4000
defaults
  mode tcp
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  retries 3
  option redispatch
listen region
  bind 127.0.0.1:${port}
  balance roundrobin
${serversAt(ports)}
`,
  );

/** `words`: more of them for each. */
const serversAt = (ports: readonly number[], words = '', healthPorts?: readonly number[]): string =>
  ports
    .map((port, index) => {
      const check = healthPorts ? `port ${healthPorts[index]} inter 1s fall 2` : 'inter 200 fall 1';
      return `  server p${index} 127.0.0.1:${port} check ${check} ${words}`;
    })
    .join('\n');

async function started(configAt: (port: number) => string): Promise<Proxy> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-haproxy-'));
  parts.defer(() => rm(folder, { recursive: true, force: true }));
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, configAt(port));
  const said: string[] = [];
  const proxy = spawn('haproxy', ['-db', '-f', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` },
  });
  proxy.stderr.setEncoding('utf8').on('data', text => said.push(text));
  const ended = once(proxy, 'exit');
  parts.defer(async () => {
    proxy.kill('SIGKILL');
    await ended;
  });
  await until('HAProxy listens', async () => {
    if (proxy.exitCode !== null) throw new Error(said.join(''));
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    return true;
  });
  const held = parts.move();
  return { port, [Symbol.asyncDispose]: () => held.disposeAsync() };
}
