import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from './free-port.ts';
import type { Postgres } from './postgres.ts';
import { postgresUrl } from './postgres-store.ts';
import { BoxProcess } from './program.ts';

/** Two processes on one database: each with a data directory of its own and the same key. */
export async function aRegion(
  postgres: Postgres,
  folder: string,
  site: unknown,
  configOf: (index: number) => Record<string, unknown> = () => ({}),
): Promise<readonly BoxProcess[]> {
  const urlFile = join(folder, 'url');
  await writeFile(urlFile, postgresUrl(postgres, postgres.create()), { mode: 0o600 });
  const config = { store: { engine: 'postgres', url: `file:${urlFile}` }, listen: { mqtts: 'off' } };
  const first = await BoxProcess.start({ ...config, ...configOf(0) }, site);
  const second = await BoxProcess.make({ ...config, ...configOf(1) }, site);
  await mkdir(join(second.dataDir, 'keys'), { recursive: true });
  await copyFile(join(first.dataDir, 'keys', 'seal.key'), join(second.dataDir, 'keys', 'seal.key'));
  await second.start();
  return [first, second];
}

/** HAProxy in front of the processes: it passes TLS, and asks each whether it is there. */
export async function aProxy(
  region: readonly BoxProcess[],
  folder: string,
): Promise<{ port: number } & AsyncDisposable> {
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
