import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cache = fileURLToPath(new URL('../../node_modules/.cache/debian-root', import.meta.url));
const suite = 'trixie';
/** The packages that ours depends on; none that it recommends. */
const packages = ['systemd', 'systemd-sysv', 'udev', 'dbus', 'libstdc++6', 'libatomic1'];
const options = ['--mode=root', '--variant=minbase', '--quiet', '--aptopt=Apt::Install-Recommends "false"'];

/**
 * Packages come from this machine's own sources; on a machine without Debian mmdebstrap chooses.
 */
export function sourcesOf(suite: string): string[] {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const codename = /^ID=debian$/m.test(release) ? /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1] : undefined;
  if (codename === undefined) return [];
  const format = ['--format', '$(REPO_URI) $(RELEASE) $(COMPONENT)', 'Created-By: Packages'];
  const { stdout } = spawnSync('apt-get', ['indextargets', ...format], { encoding: 'utf8' });
  const mirror = stdout.split('\n').find(line => line.endsWith(` ${codename} main`));
  return mirror === undefined ? [] : [`deb ${mirror.split(' ')[0]} ${suite} main`];
}

/** A fresh Debian as an archive: made once for each recipe, in half a minute, as root, and kept. */
async function packedRoot(): Promise<string> {
  const recipe = createHash('sha256')
    .update(JSON.stringify([suite, packages, options]))
    .digest('hex')
    .slice(0, 16);
  const packed = join(cache, `${recipe}.tar`);
  if (existsSync(packed)) return packed;
  await mkdir(cache, { recursive: true });
  for (const old of await readdir(cache)) await rm(join(cache, old), { force: true });
  const making = `${packed}.${process.pid}.tar`;
  await done('mmdebstrap', [...options, `--include=${packages.join()}`, suite, making, ...sourcesOf(suite)]);
  await rename(making, packed);
  return packed;
}

async function done(command: string, args: readonly string[]): Promise<void> {
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    said += text;
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${said.slice(-2000)}`);
}

/**
 * A fresh Debian in a folder of its own, in which commands can be run. Needs root, mmdebstrap,
 * unshare.
 */
export class DebianRoot implements AsyncDisposable {
  readonly folder: string;

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<DebianRoot> {
    const packed = await packedRoot();
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-debian-'));
    await done('tar', ['-C', folder, '-xf', packed]);
    return new DebianRoot(folder);
  }

  /** With a /proc that ends with the command. */
  command(words: readonly string[]): [string, string[]] {
    return [
      'unshare',
      ['--mount', 'sh', '-c', 'mount -t proc proc "$1/proc" && exec chroot "$@"', 'sh', this.folder, ...words],
    ];
  }

  run(
    words: readonly string[],
    env: NodeJS.ProcessEnv = {},
  ): { status: number | null; stdout: string; stderr: string } {
    const environment = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' };
    return spawnSync(...this.command(words), { encoding: 'utf8', env: { ...environment, ...env } });
  }

  /** Every file with its kind, mode, owner and target. */
  files(): string[] {
    const { stdout } = this.run(['find', '/', '-xdev', '-printf', '%p %y %m %u %g %l\\n']);
    return stdout
      .split('\n')
      .filter(line => !/^\/(proc|tmp|dev|run)\b/.test(line) && line !== '')
      .sort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
