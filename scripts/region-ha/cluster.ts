import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get, request } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Child, unprivileged } from './child.ts';
import { type DatabaseCluster, type DatabaseMember, patroniFile, proxyFile } from './config-files.ts';

const host = '127.0.0.1';
const password = 'of-this-machine-alone';
const names = ['one', 'two', 'three'];
const startMs = 90_000;

/** What happens to the primary: PostgreSQL dies, or Patroni, or their machine. */
export type Blow = 'server' | 'patroni' | 'machine';

/**
 * A database on one machine as `docs/region.md` sets it up on three: etcd, three members under
 * Patroni, and HAProxy, which leads to the primary. All in one folder and on the loopback; Debian's
 * packages etcd-server, patroni, haproxy and postgresql have to be installed.
 */
export class HaCluster implements AsyncDisposable {
  readonly #folder: string;
  readonly #cluster: DatabaseCluster;
  readonly #members: readonly DatabaseMember[];
  readonly #proxyPort: number;
  readonly #patroni = new Map<string, Child>();
  #others: readonly Child[] = [];
  #isSynchronous = true;
  #made = 0;

  private constructor(folder: string, cluster: DatabaseCluster, members: readonly DatabaseMember[], proxyPort: number) {
    this.#folder = folder;
    this.#cluster = cluster;
    this.#members = members;
    this.#proxyPort = proxyPort;
  }

  /** Resolves when HAProxy leads to a primary, with two standbys of which one confirms commits. */
  static async start(): Promise<HaCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-ha-'));
    const { uid, gid } = unprivileged();
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    const [proxyPort, etcdPort, peerPort, ...ports] = await freePorts(3 + 2 * names.length);
    const members = names.map((name, index) => ({
      ...{ name, host, port: ports[2 * index]!, restPort: ports[2 * index + 1]! },
      ...{ dataDir: join(folder, name), socketDir: folder },
    }));
    const cluster = {
      ...{ etcd: [`${host}:${etcdPort}`], binDir: binDir(), network: `${host}/32` },
      password,
    };
    const made = new HaCluster(folder, cluster, members, proxyPort!);
    try {
      await made.#start(etcdPort!, peerPort!);
    } catch (error) {
      const said = made.#said();
      await made[Symbol.asyncDispose]();
      throw new Error(`${(error as Error).message}\n${said}`);
    }
    return made;
  }

  /** For a client, by way of HAProxy: the database `postgres` of the superuser, or another one. */
  url(database = 'postgres'): string {
    return `postgresql://postgres:${password}@${host}:${this.#proxyPort}/${database}`;
  }

  async #start(etcdPort: number, peerPort: number): Promise<void> {
    const [client, peer] = [etcdPort, peerPort].map(port => `http://${host}:${port}`);
    const etcd = [
      ...['--name', 'one', '--data-dir', join(this.#folder, 'etcd'), '--initial-cluster', `one=${peer}`],
      ...['--listen-client-urls', client!, '--advertise-client-urls', client!],
      ...['--listen-peer-urls', peer!, '--initial-advertise-peer-urls', peer!],
    ];
    const proxy = this.#write('haproxy.cfg', proxyFile(`${host}:${this.#proxyPort}`, this.#members));
    this.#others = [
      new Child('etcd', 'etcd', etcd, this.#folder),
      new Child('haproxy', 'haproxy', ['-db', '-f', proxy], this.#folder),
    ];
    for (const { name } of this.#members) this.startPatroni(name);
    await within('a primary with its standbys', startMs, () => this.isWhole());
  }

  #write(name: string, text: string): string {
    const file = join(this.#folder, name);
    writeFileSync(file, text);
    return file;
  }

  /** Also after it was killed, as its supervisor does; one that runs goes on. */
  startPatroni(name: string): void {
    if (this.#patroni.get(name)?.isRunning) return;
    const member = this.#memberOf(name);
    const file = this.#write(`${name}.yml`, patroniFile(member, this.#cluster));
    this.#patroni.set(name, new Child(name, 'patroni', [file], this.#folder));
  }

  /** The member that Patroni calls the primary; null: none, at the moment. */
  async primary(): Promise<string | null> {
    for (const member of this.#members) if (await this.#isIn(member, 'primary')) return member.name;
    return null;
  }

  /** Whether all members work: those without the lead follow it, and one confirms commits if asked. */
  async isWhole(): Promise<boolean> {
    const states = await Promise.all(this.#members.map(member => this.#isIn(member, 'health')));
    if (!states.every(Boolean)) return false;
    const replicas = await Promise.all(this.#members.map(member => this.#isIn(member, 'replica?lag=16MB')));
    if (replicas.filter(Boolean).length !== this.#members.length - 1) return false;
    const found = await Promise.all(this.#members.map(member => this.#isIn(member, 'synchronous')));
    return found.some(Boolean) === this.#isSynchronous;
  }

  /**
   * Whether commits wait for a standby. Resolves when all members work so. Rejects if Patroni does not
   * take it.
   */
  async synchronous(isSynchronous: boolean): Promise<void> {
    const { restPort } = this.#members[0]!;
    const wanted = JSON.stringify({ synchronous_mode: isSynchronous, synchronous_mode_strict: isSynchronous });
    await new Promise<void>((resolve, reject) => {
      request({ host, port: restPort, path: '/config', method: 'PATCH', agent: false }, answer => {
        answer.resume();
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`Patroni answers ${answer.statusCode}`));
      })
        .on('error', reject)
        .end(wanted);
    });
    this.#isSynchronous = isSynchronous;
    await within('the other way to commit', startMs, () => this.isWhole());
  }

  /**
   * Sends the standbys nothing for so long, and then kills the primary's machine: what was committed
   * meanwhile is there alone.
   */
  async holdStandbysBack(name: string, ms: number): Promise<string> {
    const senders = this.run(name, 'SELECT pid FROM pg_stat_replication').split('\n').filter(Boolean).map(Number);
    for (const pid of senders) process.kill(pid, 'SIGSTOP');
    await sleep(ms);
    await this.kill(name, 'machine');
    for (const pid of senders) process.kill(pid, 'SIGKILL');
    return `machine of ${name}, with its standbys held back for ${ms} ms`;
  }

  /** Kills what a member consists of; Patroni is to be started again. Resolves when it has ended. */
  async kill(name: string, blow: Blow): Promise<void> {
    if (blow !== 'server') await this.#patroni.get(name)!.end('SIGKILL');
    if (blow !== 'patroni') killServer(this.#memberOf(name));
  }

  /** Makes a database, and returns its address. */
  makeDatabase(): string {
    const name = `made_${++this.#made}`;
    this.#psql(['-d', this.url()], `CREATE DATABASE ${name} TEMPLATE template0`);
    return this.url(name);
  }

  /** Runs a script of psql on a member, past HAProxy. Throws what the server says. */
  run(name: string, script: string): string {
    const { port } = this.#memberOf(name);
    return this.#psql(['-h', this.#folder, '-p', String(port), '-U', 'postgres'], script);
  }

  #psql(where: readonly string[], script: string): string {
    const plain = ['--no-psqlrc', '--quiet', '--no-align', '--tuples-only', '-v', 'ON_ERROR_STOP=1'];
    return execFileSync(join(this.#cluster.binDir, 'psql'), [...plain, ...where, '-f', '-'], {
      ...{ input: script, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] },
    });
  }

  #memberOf = (name: string): DatabaseMember => this.#members.find(one => one.name === name)!;

  /** Whether Patroni's REST API answers that a member is in this role or state. */
  #isIn({ restPort }: DatabaseMember, path: string): Promise<boolean> {
    return new Promise(resolve => {
      const asked = get({ host, port: restPort, path: `/${path}`, agent: false, timeout: 2000 }, answer => {
        answer.resume();
        resolve(answer.statusCode === 200);
      });
      asked.on('timeout', () => asked.destroy());
      asked.on('error', () => resolve(false));
    });
  }

  /** The end of what each program printed. */
  #said(): string {
    return readdirSync(this.#folder)
      .filter(name => name.endsWith('.log'))
      .map(name => `${name}: ${readFileSync(join(this.#folder, name), 'utf8').slice(-2000)}`)
      .join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Patroni would start or stop its server in its own time.
    await Promise.all([...this.#patroni.values()].map(child => child.end('SIGKILL')));
    for (const member of this.#members) killServer(member);
    await Promise.all(this.#others.map(child => child.end('SIGKILL')));
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** SIGKILL to the postmaster; its processes notice and end. */
function killServer({ dataDir }: DatabaseMember): void {
  const file = join(dataDir, 'postmaster.pid');
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
  if (!isServer(pid, dataDir)) return;
  process.kill(pid, 'SIGKILL');
}

/** A number may be another program's by now. */
function isServer(pid: number, dataDir: string): boolean {
  try {
    return pid > 0 && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(dataDir);
  } catch {
    return false;
  }
}

async function within(what: string, ms: number, look: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + ms;
  while (!(await look())) {
    if (performance.now() > end) throw new Error(`not within ${ms / 1000} s: ${what}`);
    await sleep(100);
  }
}

/** Debian keeps them out of the PATH: the newest version's. */
function binDir(): string {
  const versions = '/usr/lib/postgresql';
  const found = existsSync(versions) ? readdirSync(versions).sort((one, other) => Number(other) - Number(one)) : [];
  const bin = found.map(version => join(versions, version, 'bin')).find(one => existsSync(join(one, 'postgres')));
  if (bin === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  return bin;
}

/** Held together until all are known, so that they differ. */
async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, host);
      await new Promise(resolve => server.once('listening', resolve));
      return server;
    }),
  );
  const ports = servers.map(server => (server.address() as { port: number }).port);
  await Promise.all(servers.map(server => new Promise(resolve => server.close(resolve))));
  return ports;
}
