import { execFileSync, type SpawnOptions, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourcesOf } from './debian-root.ts';
import { until } from './until.ts';

const cache = fileURLToPath(new URL('../../node_modules/.cache/region-machines', import.meta.url));
/** With Patroni 3, etcd 3.4 and PostgreSQL 15. */
const suite = 'bookworm';
const base = ['systemd', 'systemd-sysv', 'dbus', 'iproute2', 'procps', 'openssl', 'libstdc++6', 'libatomic1'];

/**
 * A fresh Debian as an archive, with packages that are fetched and not installed: a machine without
 * a network installs them as an operator does. Made once for each recipe, as root, and kept.
 */
async function packedRoot(fetched: readonly string[]): Promise<string> {
  const options = [
    ...['--mode=root', '--variant=minbase', '--quiet', '--skip=cleanup/apt', `--include=${base.join()}`],
    '--customize-hook=printf \'APT::Install-Recommends "false";\\nAPT::Get::Assume-Yes "true";\\n\' >"$1/etc/apt/apt.conf.d/90test"',
    `--customize-hook=chroot "$1" apt-get install --download-only ${fetched.join(' ')}`,
    '--customize-hook=chroot "$1" systemctl mask systemd-networkd.service systemd-networkd-wait-online.service systemd-firstboot.service apt-daily.timer apt-daily-upgrade.timer e2scrub_all.timer',
    '--customize-hook=rm -f "$1/etc/machine-id" "$1/etc/hostname" "$1/etc/resolv.conf"',
  ];
  const recipe = createHash('sha256')
    .update(JSON.stringify([suite, options]))
    .digest('hex')
    .slice(0, 16);
  const packed = join(cache, `${recipe}.tar`);
  if (existsSync(packed)) return packed;
  await mkdir(cache, { recursive: true });
  for (const old of await readdir(cache)) await rm(join(cache, old), { force: true });
  const making = `${packed}.${process.pid}.tar`;
  execFileSync('mmdebstrap', [...options, suite, making, ...sourcesOf(suite)], { stdio: ['ignore', 'ignore', 'pipe'] });
  await rename(making, packed);
  return packed;
}

/** Fresh systems under systemd, each in a network namespace of its own, on one bridge. */
export class RegionMachines implements AsyncDisposable {
  readonly folder: string;
  /** Of this test on the bridge: a stranger to the machines. */
  readonly stranger = '10.77.0.254';
  readonly addresses = ['10.77.0.1', '10.77.0.2', '10.77.0.3'] as const;
  readonly #names = ['one', 'two', 'three'] as const;
  /** Folders that all machines share, by where they are mounted. */
  readonly #shares = ['/srv/gatehouse', '/srv/pgbackrest'];
  readonly #bridge = 'ghregion0';
  readonly #leaders = new Map<string, number>();
  readonly #ends: (() => unknown)[] = [];

  private constructor(folder: string) {
    this.folder = folder;
  }

  /** `fetched`: packages that can be installed there; `deb`: put into /root, with its program. */
  static async start(fetched: readonly string[], deb: string, dist: string): Promise<RegionMachines> {
    const packed = await packedRoot(fetched);
    const made = new RegionMachines(await mkdtemp(join(tmpdir(), 'gatehouse-machines-')));
    try {
      made.#makeBridge();
      for (const share of made.#shares) await mkdir(join(made.folder, share), { recursive: true });
      await made.#makeShims(dist);
      await Promise.all(made.#names.map((name, index) => made.#start(name, made.addresses[index]!, packed, deb, dist)));
    } catch (error) {
      await made[Symbol.asyncDispose]();
      throw error;
    }
    return made;
  }

  #makeBridge(): void {
    ip('link', 'add', this.#bridge, 'type', 'bridge');
    this.#ends.push(() => ip('link', 'del', this.#bridge));
    ip('addr', 'add', `${this.stranger}/24`, 'dev', this.#bridge);
    ip('link', 'set', this.#bridge, 'up');
  }

  async #start(name: string, address: string, packed: string, deb: string, dist: string): Promise<void> {
    const root = this.rootOf(name);
    await mkdir(root);
    await run('tar', ['-C', root, '-xf', packed]);
    await writeFile(join(root, 'etc/hostname'), `${name}\n`);
    await copyFile(deb, join(root, 'root/gatehouse.deb'));
    // The stand-in for the program of the package starts these.
    await copyFile(process.execPath, join(root, 'opt/node'));
    await chmod(join(root, 'opt/node'), 0o755);
    await cp(dist, join(root, 'opt/dist'), { recursive: true });
    const space = `ghregion-${name}`;
    ip('netns', 'add', space);
    this.#ends.push(() => ip('netns', 'del', space));
    ip('link', 'add', `ghr${name}`, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
    ip('link', 'set', `ghr${name}`, 'master', this.#bridge, 'up');
    ip('-n', space, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    for (const link of ['lo', 'eth0']) ip('-n', space, 'link', 'set', link, 'up');
    // Ends run last first: the machine has ended by then.
    this.#ends.push(() => {
      for (const group of groupsOf(name)) execFileSync('find', [group, '-depth', '-type', 'd', '-delete']);
    });
    await this.boot(name);
  }

  rootOf = (name: string): string => join(this.folder, name);

  /** Also after `kill`. Resolves when systemd answers. */
  async boot(name: string): Promise<void> {
    const groups = groupsOf(name);
    for (const group of groups) await mkdir(group, { recursive: true });
    const child = spawn(
      'sh',
      [
        ...[
          '-c',
          `for group in ${groups.join(' ')}; do echo $$ >$group/cgroup.procs; done; exec systemd-nspawn "$@"`,
          'sh',
        ],
        ...['-D', this.rootOf(name), '--boot', `--machine=ghregion-${name}`, '--register=no', '--keep-unit'],
        ...[`--network-namespace-path=/run/netns/ghregion-${name}`, '--capability=CAP_NET_ADMIN', '--console=pipe'],
        ...this.#shares.map(share => `--bind=${join(this.folder, share)}:${share}`),
        ...['--resolv-conf=off', '--timezone=off', '--link-journal=no'],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    const log = createWriteStream(join(this.folder, `${name}.log`), { flags: 'a' });
    child.stdout.pipe(log);
    child.stderr.pipe(log);
    const ended = once(child, 'exit');
    this.#ends.push(async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      this.kill(name);
      await ended;
    });
    await until(`${name} boots`, () => {
      const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
      const leader = Number(children.trim().split(' ').at(-1));
      if (!leader) return false;
      this.#leaders.set(name, leader);
      writeFileSync(join(this.folder, `${this.addressOf(name)}.pid`), String(leader));
      return this.run(name, 'systemctl is-system-running').then(({ output }) => /^(running|degraded)/.test(output));
    });
  }

  /** As if its power went. */
  kill(name: string): void {
    const leader = this.#leaders.get(name);
    if (leader === undefined) return;
    this.#leaders.delete(name);
    process.kill(leader, 'SIGKILL');
  }

  addressOf = (name: string): string => this.addresses[this.#names.indexOf(name as 'one')]!;

  /** `ssh`, `scp` and `gatehouse` of the computer from which the machines are set up. */
  async #makeShims(dist: string): Promise<void> {
    const shims = join(this.folder, 'bin');
    await mkdir(shims);
    const roots = this.#names.map(name => `${this.addressOf(name)}) root=${this.rootOf(name)};;`).join(' ');
    const texts = {
      ssh: `at=\${1#*@}; exec nsenter -t "$(cat '${this.folder}'/$at.pid)" ${spaces.join(' ')} env -i ${env.join(' ')} sh -c "cd /root
$2"`,
      scp: `at=\${3#*@}; case \${at%%:*} in ${roots} esac; exec cp "$1" "$2" "$root/root/\${at#*:}"`,
      gatehouse: `exec ${process.execPath} ${dist}/gatehouse.js "$@"`,
    };
    for (const [name, text] of Object.entries(texts))
      await writeFile(join(shims, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }

  /** Runs a script on the computer from which the machines are set up, in the folder. Throws what it said. */
  here(script: string): Promise<string> {
    const env = { ...process.env, PATH: `${join(this.folder, 'bin')}:${process.env.PATH}` };
    return wellDone('here', script, said('sh', ['-c', script], { cwd: this.folder, env }));
  }

  /** Runs a script on a machine as root. */
  run(name: string, script: string): Promise<Ran> {
    const target = ['-t', String(this.#leaders.get(name)), ...spaces];
    return said('nsenter', [...target, 'env', '-i', ...env, 'sh', '-c', `cd /root\n${script}`]);
  }

  /** The same; throws what it said where it failed. */
  done = (name: string, script: string): Promise<string> => wellDone(name, script, this.run(name, script));

  onEach = (script: string): Promise<string[]> => Promise.all(this.#names.map(name => this.done(name, script)));

  async [Symbol.asyncDispose](): Promise<void> {
    for (const end of this.#ends.reverse()) await end();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }
}

interface Ran {
  readonly status: number | null;
  readonly output: string;
}

/**
 * Control groups of a machine, in the hierarchies of systemd. Of several systems in one group each
 * removes the groups of the others' units.
 */
const groupsOf = (name: string): string[] =>
  ['', 'systemd', 'unified']
    .map(tree => join('/sys/fs/cgroup', tree))
    .filter(tree => existsSync(join(tree, 'cgroup.procs')))
    .map(tree => join(tree, `ghregion-${name}`));

/** Of a machine, but for its files' root, which its mount namespace has. */
const spaces = ['-m', '-u', '-i', '-n', '-p'];
const env = [
  ...['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME=/root', 'LC_ALL=C.UTF-8'],
  ...['DEBIAN_FRONTEND=noninteractive', 'TERM=dumb'],
];

async function said(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<Ran> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', text => {
      output += text;
    });
  const [status] = await once(child, 'close');
  return { status, output };
}

async function wellDone(where: string, script: string, running: Promise<Ran>): Promise<string> {
  const { status, output } = await running;
  if (status !== 0) throw new Error(`${where}: ${script}\nended with ${status}: ${output.slice(-4000)}`);
  return output;
}

const ip = (...words: string[]): void => void execFileSync('ip', words, { stdio: ['ignore', 'ignore', 'pipe'] });

async function run(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}
