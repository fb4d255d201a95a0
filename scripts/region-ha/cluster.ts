import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  databaseAddress,
  databaseScript,
  etcdSettings,
  makeDatabase,
  patroniFile,
} from '../../src/operations/region/database-files.ts';
import { databaseCertificates, makeRegionAuthorities, makeRegionSecrets } from '../../src/operations/region/make.ts';
import { primarySection, proxyDefaults } from '../../src/operations/region/proxy-file.ts';
import type { Region, RegionMachine } from '../../src/operations/region/region.ts';
import { Child, unprivileged } from './child.ts';

const host = '127.0.0.1';
const names = ['one', 'two', 'three'];
const startMs = 90_000;

/** What happens to the primary: PostgreSQL dies, or Patroni, or their machine. */
export type Blow = 'server' | 'patroni' | 'machine';

/**
 * A database on one machine as `gatehouse region init` sets it up on three: etcd, three members
 * under Patroni, and HAProxy, which leads to the primary. All in one folder and on the loopback;
 * Debian's packages etcd-server, patroni, haproxy and postgresql have to be installed.
 */
export class HaCluster implements AsyncDisposable {
  readonly #folder: string;
  readonly #region: Region;
  readonly #members: readonly RegionMachine[];
  readonly #patroni = new Map<string, Child>();
  #others: readonly Child[] = [];
  #isSynchronous = true;

  private constructor(folder: string, region: Region) {
    this.#folder = folder;
    this.#region = region;
    this.#members = region.machines;
  }

  /** Resolves when HAProxy leads to a primary, with two standbys of which one confirms commits. */
  static async start(): Promise<HaCluster> {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-ha-'));
    own(folder);
    const [primary, etcd, etcdPeers, ...ports] = await freePorts(3 + 2 * names.length);
    const machines = names.map((name, index) => ({
      ...{ name, address: host, user: unprivileged().uid === undefined ? userInfo().username : 'postgres' },
      ports: {
        ...{ primary: primary!, etcd: etcd!, etcdPeers: etcdPeers! },
        ...{ database: ports[2 * index]!, patroni: ports[2 * index + 1]! },
      },
      folders: {
        ...{ config: join(folder, `${name}.d`), etcd: join(folder, 'etcd'), database: join(folder, name) },
        ...{ socket: folder, programs: binDir() },
      },
    }));
    const made = new HaCluster(folder, {
      ...{ machines, etcd: machines.slice(0, 1), environment: 'test', names: [], backups: null, files: null },
      secrets: makeRegionSecrets(),
    });
    try {
      await made.#start();
    } catch (error) {
      const said = made.#said();
      await made[Symbol.asyncDispose]();
      throw new Error(`${(error as Error).message}\n${said}`);
    }
    return made;
  }

  /** For a client, by way of HAProxy: as the owner of the tables. */
  url(): string {
    return databaseAddress(this.#region, this.#members[0]!, 'owner').trim();
  }

  async #start(): Promise<void> {
    const now = Date.now();
    const authorities = await makeRegionAuthorities(now);
    for (const member of this.#members) {
      mkdirSync(member.folders.config);
      own(member.folders.config);
      for (const [name, text] of await databaseCertificates(member, authorities, now))
        this.#write(join(`${member.name}.d`, name), text);
      this.#write(join(`${member.name}.d`, 'database.sql'), databaseScript(this.#region));
    }
    const first = this.#members[0]!;
    const proxy = this.#write('haproxy.cfg', `${proxyDefaults}${primarySection(this.#region, first)}`);
    this.#others = [
      new Child('etcd', 'etcd', [], this.#folder, etcdSettings(this.#region, first)),
      new Child('haproxy', 'haproxy', ['-db', '-f', proxy], this.#folder),
    ];
    for (const { name } of this.#members) this.startPatroni(name);
    await within('a primary with its standbys', startMs, () => this.isWhole());
  }

  #write(name: string, text: string): string {
    const file = join(this.#folder, name);
    writeFileSync(file, text, { mode: 0o600 });
    own(file);
    return file;
  }

  /** Also after it was killed, as its supervisor does; one that runs goes on. */
  startPatroni(name: string): void {
    if (this.#patroni.get(name)?.isRunning) return;
    const member = this.#memberOf(name);
    const file = this.#write(`${name}.yml`, patroniFile(this.#region, member));
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
    const wanted = JSON.stringify({ synchronous_mode: isSynchronous, synchronous_mode_strict: isSynchronous });
    const status = await this.#ask(this.#members[0]!, 'config', { method: 'PATCH', body: wanted });
    if (status !== 200) throw new Error(`Patroni answers ${status}`);
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

  /** Makes the database anew, and returns its address. */
  async makeDatabase(): Promise<string> {
    const primary = (await this.primary())!;
    this.run(primary, `DROP DATABASE gatehouse WITH (FORCE);\n${makeDatabase}`);
    return this.url();
  }

  /** Runs a script of psql on a member as its superuser, past HAProxy. Throws what the server says. */
  run(name: string, script: string): string {
    const { ports, folders, user } = this.#memberOf(name);
    const plain = ['--no-psqlrc', '--quiet', '--no-align', '--tuples-only', '-v', 'ON_ERROR_STOP=1'];
    const where = ['-h', folders.socket, '-p', String(ports.database), '-U', user, '-d', 'postgres'];
    return execFileSync(join(folders.programs, 'psql'), [...plain, ...where, '-f', '-'], {
      ...unprivileged(),
      ...{ cwd: this.#folder, input: script, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'] },
    });
  }

  #memberOf = (name: string): RegionMachine => this.#members.find(one => one.name === name)!;

  /** Whether Patroni's REST API answers that a member is in this role or state. */
  #isIn = async (member: RegionMachine, path: string): Promise<boolean> => (await this.#ask(member, path)) === 200;

  /** Status of the answer of Patroni's REST API; 0: there was none. */
  #ask(
    { ports, folders }: RegionMachine,
    path: string,
    { method = 'GET', body }: { method?: string; body?: string } = {},
  ): Promise<number> {
    const read = (name: string) => readFileSync(join(folders.config, name));
    const auth = `patroni:${this.#region.secrets.patroniPassword}`;
    const tls = { ca: read('ca.pem'), cert: read('haproxy.pem'), key: read('haproxy.pem') };
    const options = { host, port: ports.patroni, path: `/${path}`, method, auth, ...tls, agent: false, timeout: 2000 };
    return new Promise(resolve => {
      const asked = request(options, answer => {
        answer.resume();
        resolve(answer.statusCode ?? 0);
      });
      asked.on('timeout', () => asked.destroy());
      asked.on('error', () => resolve(0));
      asked.end(body);
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

/** Gives a file to the user as whom the programs run. */
function own(file: string): void {
  const { uid, gid } = unprivileged();
  if (uid !== undefined && gid !== undefined) chownSync(file, uid, gid);
}

/** SIGKILL to the postmaster; its processes notice and end. */
function killServer({ folders }: RegionMachine): void {
  const dataDir = folders.database;
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
