import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from './command.ts';
import { hasTool } from './tools.ts';

/** Hard limit of this process: an engine that asks for more, as its default may, starts nothing. */
function filesMax(): string {
  const [, limit] = /^Max open files +\S+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1')) ?? [];
  return limit ?? '65536';
}

/**
 * Podman with images, containers and volumes of its own, which scripts call as `docker` too. Needs
 * root, and runc: crun does not start where cgroups of both versions are mounted.
 */
export class ContainerEngine implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'gatehouse-containers-'));
  readonly #env: NodeJS.ProcessEnv;

  constructor() {
    const config = join(this.folder, 'containers.conf');
    const storage = join(this.folder, 'storage.conf');
    writeFileSync(
      config,
      [
        '[containers]',
        'log_driver = "k8s-file"',
        '[engine]',
        'runtime = "runc"',
        'cgroup_manager = "cgroupfs"',
        'events_logger = "file"',
        '[network]',
        'network_backend = "netavark"',
        '',
      ].join('\n'),
    );
    const [root, run] = ['root', 'run'].map(name => JSON.stringify(join(this.folder, name)));
    writeFileSync(storage, `[storage]\ndriver = "overlay"\ngraphroot = ${root}\nrunroot = ${run}\n`);
    const docker = join(this.folder, 'docker');
    const limits = `--ulimit nofile=${filesMax()}:${filesMax()} --ulimit nproc=4096:4096`;
    const limited = `[ "$1" != run ] || { shift; set -- run ${limits} "$@"; }`;
    writeFileSync(docker, `#!/bin/sh\n${limited}\nexec podman "$@"\n`, { mode: 0o755 });
    this.#env = {
      ...process.env,
      PATH: `${this.folder}:${process.env.PATH}`,
      CONTAINERS_CONF: config,
      CONTAINERS_STORAGE_CONF: storage,
    };
  }

  static readonly missing: readonly string[] = ['podman', 'runc', 'skopeo'].filter(tool => !hasTool(tool));

  /** Runs a script of a shell in the folder, which stops at the first command that fails. */
  sh(script: string): Promise<Outcome> {
    return new Promise(resolve =>
      execFile(
        'sh',
        ['-ec', script],
        { cwd: this.folder, env: this.#env, encoding: 'utf8', maxBuffer: 1 << 26 },
        (error, stdout, stderr) => resolve({ status: error ? Number(error.code ?? 1) : 0, stdout, stderr }),
      ),
    );
  }

  /** The same for one that must succeed. */
  async done(script: string): Promise<string> {
    const { status, stdout, stderr } = await this.sh(script);
    if (status !== 0) throw new Error(`${script}\nended with ${status}: ${stdout}${stderr}`);
    return stdout;
  }

  [Symbol.dispose](): void {
    const script = 'podman rm --all --force --time 0; podman volume rm --all --force; podman rmi --all --force';
    execFileSync('sh', ['-c', script], { env: this.#env, stdio: 'ignore' });
    // The storage keeps its own folder mounted on itself.
    execFileSync('sh', ['-c', `umount -l ${join(this.folder, 'root/overlay')} 2>/dev/null || true`], {
      stdio: 'ignore',
    });
    rmSync(this.folder, { recursive: true, force: true });
  }
}
