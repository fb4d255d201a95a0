import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll } from 'vitest';
import { postgresMigrations } from '../../src/store/postgres/ddl.ts';
import { memoryFolder } from './memory-folder.ts';
import { suiteWhere } from './tools.ts';

/** Debian keeps its programs out of the PATH: the newest version's. */
const programs = (): string | null => {
  const versions = '/usr/lib/postgresql';
  const found = existsSync(versions) ? readdirSync(versions).sort((one, other) => Number(other) - Number(one)) : [];
  return found.map(version => join(versions, version, 'bin')).find(bin => existsSync(join(bin, 'postgres'))) ?? null;
};

export const hasPostgres = programs() !== null;

/** A suite that needs PostgreSQL: see `suiteNeeding`. */
export const suiteWithPostgres = (name: string, body: () => void): void =>
  suiteWhere(hasPostgres, 'needs postgresql: apt-get install postgresql', name, body);

/** A database has a thousand files of 16 MB, and a file of tests makes up to 130 of them. */
const bytesOfServer = 4 * 2 ** 30;

interface ServerOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** For the server and what it starts. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A server of its own, in a folder that goes with it: reached by a Unix socket there alone. */
export class Postgres implements AsyncDisposable {
  /** For a client: the host, and the user without a password. */
  readonly folder: string;
  readonly user: string = 'postgres';
  readonly #bin: string;
  readonly #options: ServerOptions;
  #server: ChildProcess;
  #made = 0;
  readonly #withUs = () => void this.#server.kill('SIGQUIT');

  private constructor(folder: string, bin: string, server: ChildProcess, options: ServerOptions) {
    this.folder = folder;
    this.#bin = bin;
    this.#server = server;
    this.#options = options;
  }

  static async start(optionsOf: (folder: string) => ServerOptions = () => ({})): Promise<Postgres> {
    const made = ['--locale=C', '--encoding=UTF8', '--auth=trust', '--username=postgres', '--no-sync'];
    return Postgres.#with('initdb', made, optionsOf);
  }

  /** `program` makes the folder of its data. */
  static async #with(
    program: string,
    args: readonly string[],
    optionsOf: (folder: string) => ServerOptions,
  ): Promise<Postgres> {
    const bin = programs();
    if (bin === null) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
    const folder = mkdtempSync(join(memoryFolder(bytesOfServer).TMPDIR ?? tmpdir(), 'gatehouse-pg-'));
    const as = unprivileged();
    if (as.uid !== undefined && as.gid !== undefined) chownSync(folder, as.uid, as.gid);
    execFileSync(join(bin, program), [...args, '--pgdata', join(folder, 'data')], {
      ...as,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const options = optionsOf(folder);
    const postgres = new Postgres(folder, bin, await served(bin, folder, options), options);
    process.once('exit', postgres.#withUs);
    return postgres;
  }

  /** A standby, which follows this server from now on. */
  standby(): Promise<Postgres> {
    const copied = ['--host', this.folder, '--username', this.user, '--checkpoint=fast', '--write-recovery-conf'];
    return Postgres.#with('pg_basebackup', [...copied, '--no-sync'], () => ({}));
  }

  get pid(): number {
    return this.#server.pid!;
  }

  /** Ends at once, as after a crash, and starts again, which replays its log. */
  async crash(): Promise<void> {
    await this.#end('SIGQUIT');
    this.#server = await served(this.#bin, this.folder, this.#options);
  }

  /** Does something while the server is stopped, and starts it again. */
  async whileStopped(act: () => void): Promise<void> {
    await this.#end('SIGINT');
    act();
    this.#server = await served(this.#bin, this.folder, this.#options);
  }

  /** Runs a command of the shell as the server's user, and returns what it prints. */
  shell(command: string): string {
    return execFileSync('sh', ['-c', command], {
      ...{ ...unprivileged(), cwd: this.folder, encoding: 'utf8' },
      env: { ...process.env, ...this.#options.env },
    });
  }

  /** Makes a database, empty or with all that another one has, and returns its name. */
  create(template = 'template0'): string {
    const name = `test_${++this.#made}`;
    this.run('postgres', `CREATE DATABASE ${name} TEMPLATE ${template}`);
    return name;
  }

  /** Makes a database with the tables of the store, and returns its name: a template for others. */
  createStore(): string {
    const name = this.create();
    for (const { statements } of postgresMigrations())
      this.run(name, `BEGIN;\n${statements.map(statement => `${statement};`).join('\n')}\nCOMMIT;`);
    return name;
  }

  /** Runs a script of psql; throws what the database says of the first statement that fails. */
  run(database: string, script: string, { goesOn = false } = {}): string {
    const stops = goesOn ? [] : ['-v', 'ON_ERROR_STOP=1'];
    const plain = ['--no-psqlrc', '--quiet', '--no-align', '--tuples-only'];
    return execFileSync(
      join(this.#bin, 'psql'),
      [...plain, ...stops, '-h', this.folder, '-U', this.user, '-d', database, '-f', '-'],
      {
        input: script,
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', goesOn ? 'ignore' : 'pipe'],
        maxBuffer: 64 << 20,
      },
    );
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    if (this.#server.exitCode !== null || this.#server.signalCode !== null) return;
    const ended = once(this.#server, 'exit');
    this.#server.kill(signal);
    await ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // At once: what it would write goes with the folder, and a hundred databases take a minute.
    process.off('exit', this.#withUs);
    await this.#end('SIGQUIT');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Resolves when it takes connections. */
async function served(bin: string, folder: string, { settings: more, env }: ServerOptions): Promise<ChildProcess> {
  // A crash of the server is none of the machine: what was written is there without a flush.
  const quick = { shared_buffers: '32MB', fsync: 'off' };
  const settings = { listen_addresses: '', unix_socket_directories: folder, ...quick, ...more };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(bin, 'postgres'), ['-D', join(folder, 'data'), ...options], {
    ...unprivileged(),
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  const said: string[] = [];
  for await (const line of createInterface(server.stderr!)) {
    said.push(line);
    if (/ready to accept (read-only )?connections/.test(line)) break;
  }
  server.stderr!.resume();
  if (server.exitCode !== null) throw new Error(`PostgreSQL does not start:\n${said.join('\n')}`);
  return server;
}

/** One server for the tests of a file, from its first use to the end of the file. */
export function postgresOfFile(): () => Promise<Postgres> {
  let started: Promise<Postgres> | undefined;
  // For what hangs: the folder of a hundred databases took longer than a minute to remove.
  afterAll(async () => (await started)?.[Symbol.asyncDispose](), 300_000);
  return () => (started ??= Postgres.start());
}

/** PostgreSQL does not run as root: then as the user that its package makes. */
function unprivileged(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8')) ?? [];
  if (uid === undefined || gid === undefined) throw new Error('there is no user postgres: apt-get install postgresql');
  return { uid: Number(uid), gid: Number(gid) };
}
