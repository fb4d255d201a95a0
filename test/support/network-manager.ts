import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { busConfig } from './dbus.ts';
import { hasTool, suiteWhere } from './tools.ts';
import { until } from './until.ts';

const script = fileURLToPath(new URL('network-manager.sh', import.meta.url));
const inside = ['-m', '-n', '-u'];

function isPossible(): boolean {
  try {
    execFileSync('unshare', [...inside, 'true'], { stdio: 'ignore' });
    return ['NetworkManager', 'dbus-daemon', 'ip', 'nsenter'].every(hasTool);
  } catch {
    return false;
  }
}

/** A suite with a real NetworkManager; skipped by name where there is none, or nobody is root. */
export const suiteWithNetworkManager = (name: string, body: () => void): void =>
  suiteWhere(isPossible(), 'needs root and NetworkManager: apt-get install network-manager dbus-daemon', name, body);

/**
 * NetworkManager itself, in namespaces of its own: eth9 has 192.0.2.5/24 by the profile `wired`,
 * with a route and an MTU, and its router is 192.0.2.1.
 */
export class RealNetworkManager implements AsyncDisposable {
  readonly folder: string;
  readonly #child: ChildProcess;

  private constructor(folder: string) {
    this.folder = folder;
    this.#child = spawn('unshare', [...inside, 'bash', script, folder], { stdio: ['pipe', 'ignore', 'inherit'] });
  }

  static async start(): Promise<RealNetworkManager> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-network-'));
    await writeFile(join(folder, 'bus.conf'), busConfig(join(folder, 'bus')));
    const manager = new RealNetworkManager(folder);
    await until('eth9 has its address', async () => (await manager.addresses()).includes('192.0.2.5'));
    return manager;
  }

  /** For DBUS_SYSTEM_BUS_ADDRESS. */
  get bus(): string {
    return `unix:path=${this.folder}/bus`;
  }

  /** Output of a command in its network. */
  async run(...words: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)('nsenter', this.#enter(words));
    return stdout;
  }

  /** A program that runs another one in its network. */
  async programIn(program: string): Promise<string> {
    const file = join(this.folder, 'program');
    await writeFile(file, `#!/bin/sh\nexec nsenter ${this.#enter([program]).join(' ')} "$@"\n`);
    await chmod(file, 0o755);
    return file;
  }

  async addresses(): Promise<string[]> {
    const text = await this.run('ip', '-4', '-o', 'addr', 'show', 'dev', 'eth9').catch(() => '');
    return [...text.matchAll(/inet ([\d.]+)\//g)].map(([, address]) => address!);
  }

  /** The name of the machine that would be there after a restart. */
  async hostName(): Promise<string> {
    return (await readFile(join(this.folder, 'etc', 'hostname'), 'utf8')).trim();
  }

  /** The profile of eth9, as it would be there after a restart. */
  profile(): Promise<string> {
    return readFile(join(this.folder, 'profiles', 'wired.nmconnection'), 'utf8');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const ended = once(this.#child, 'exit');
    this.#child.stdin?.end();
    await ended;
    await rm(this.folder, { recursive: true, force: true });
  }

  #enter(words: readonly string[]): string[] {
    return ['-t', String(this.#child.pid), '-n', '-u', ...words];
  }
}
