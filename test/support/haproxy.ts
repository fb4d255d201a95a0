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
 * HAProxy in front of plain MQTT, as docs/region.md has it: a device comes to the process that its
 * client id chooses. `server`: more words for each server.
 */
export async function aProxyForMqtt(ports: readonly number[], server: string): Promise<Proxy> {
  await using parts = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-haproxy-'));
  parts.defer(() => rm(folder, { recursive: true, force: true }));
  const port = await freePort();
  const file = join(folder, 'haproxy.cfg');
  const servers = ports.map((one, index) => `  server p${index} 127.0.0.1:${one} check inter 200 fall 1 ${server}`);
  await writeFile(
    file,
    `defaults
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
${servers.join('\n')}
`,
  );
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
