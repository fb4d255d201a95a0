import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const scripts = fileURLToPath(new URL('../../systemd/lib/', import.meta.url));

/** Answers as systemd and RAUC do, and records what it is asked to do. */
const systemctl = `#!/bin/sh
if [ "$1" = show ]; then
  if [ "$3" = InvocationID ] && [ -e "$FAKE/restarts" ]; then echo x >>"$FAKE/restarts"; wc -l <"$FAKE/restarts"; exit 0; fi
  cat "$FAKE/$3" 2>/dev/null
  exit 0
fi
echo "systemctl $*" >>"$FAKE/asked"
`;
/** Does not wait; after as many calls as the file `turns` says, the service is active. */
const sleep = `#!/bin/sh
if [ -e "$FAKE/turns" ]; then
  left=$(($(cat "$FAKE/turns") - 1))
  echo $left >"$FAKE/turns"
  if [ $left -le 0 ]; then echo active >"$FAKE/ActiveState"; fi
fi
`;
const rauc = `#!/bin/sh
if [ "$2" = --detailed ]; then cat "$FAKE/slots"; exit 0; fi
echo "rauc $*" >>"$FAKE/asked"
`;
/** The power fails before the sync with this number. */
const sync = `#!/bin/sh
if [ -n "$POWER_CUT_AT" ]; then
  echo x >>"$FAKE/syncs"
  if [ "$(wc -l <"$FAKE/syncs")" -eq "$POWER_CUT_AT" ]; then kill -9 0; fi
fi
`;
export const programSaying = (version: string): string =>
  `#!/bin/sh\nif [ "$1" = version ]; then echo "gatehouse ${version} (node 26, x)"; else echo "ran ${version} $*"; fi\n`;

/** A folder that stands for the root of a box, with the scripts of systemd/lib in it. */
export class Machine implements AsyncDisposable {
  readonly root: string;
  readonly #fake: string;

  private constructor(folder: string) {
    this.root = join(folder, 'root');
    this.#fake = join(folder, 'fake');
  }

  /**
   * `kept`: the folder of programs, on a disk where a sync matters; absent: one of its own, and a
   * sync only counts.
   */
  static async make(kept?: string): Promise<Machine> {
    const machine = new Machine(await mkdtemp(join(tmpdir(), 'gatehouse-machine-')));
    for (const name of await readdir(scripts)) {
      await mkdir(join(machine.root, 'usr/lib/gatehouse'), { recursive: true });
      await copyFile(join(scripts, name), join(machine.root, 'usr/lib/gatehouse', name));
    }
    await machine.put('usr/lib/gatehouse/gatehouse', programSaying('0.1.0'), true);
    // An update is made for the packaged program of this size and time.
    await utimes(join(machine.root, 'usr/lib/gatehouse/gatehouse'), 1_000_000_000, 1_000_000_000);
    await machine.put('run/.keep', '');
    if (kept !== undefined) {
      await mkdir(join(machine.root, 'var/lib'), { recursive: true });
      await symlink(kept, join(machine.root, 'var/lib/gatehouse-program'));
    }
    await machine.put('etc/os-release', 'NAME=Gatehouse\nIMAGE_VERSION="7"\n');
    for (const [name, text] of Object.entries({ systemctl, rauc, sleep, ...(kept === undefined ? { sync } : {}) }))
      await machine.say(`bin/${name}`, text, true);
    return machine;
  }

  /** A file of the box. */
  async put(path: string, text: string, executable = false): Promise<void> {
    await mkdir(dirname(join(this.root, path)), { recursive: true });
    await writeFile(join(this.root, path), text);
    if (executable) await chmod(join(this.root, path), 0o755);
  }

  /** Sets what systemd or RAUC answers: `ActiveState`, `slots` and so on. */
  async say(name: string, text: string, executable = false): Promise<void> {
    await mkdir(dirname(join(this.#fake, name)), { recursive: true });
    await writeFile(join(this.#fake, name), text);
    if (executable) await chmod(join(this.#fake, name), 0o755);
  }

  /** The folder of a bundle, as the handler finds it mounted. */
  async bundle(version: string, program = programSaying(version)): Promise<string> {
    await this.put(`bundle-${version}/gatehouse`, program);
    await this.put(`bundle-${version}/version`, `${version}\n`);
    return join(this.root, `bundle-${version}`);
  }

  /** Runs a script of systemd/lib to its end. `cut`: the power fails before that sync. */
  async run(script: string, args: readonly string[] = [], cut?: number, env: Record<string, string> = {}) {
    await rm(join(this.#fake, 'syncs'), { force: true });
    const child = spawn(join(this.root, 'usr/lib/gatehouse', script), [...args], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: `${join(this.#fake, 'bin')}:${process.env.PATH}`,
        FAKE: this.#fake,
        GATEHOUSE_ROOT: this.root,
        POWER_CUT_AT: cut === undefined ? '' : String(cut),
        ...env,
      },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', text => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', text => {
      stderr += text;
    });
    const [status] = await once(child, 'close');
    return { status: status as number | null, stdout, stderr };
  }

  /** What the service would run now. */
  async runs(): Promise<string> {
    return (await this.run('start', ['serve'])).stdout.trim();
  }

  async asked(): Promise<string[]> {
    return (await readFile(join(this.#fake, 'asked'), 'utf8').catch(() => '')).split('\n').filter(Boolean);
  }

  async last(): Promise<Record<string, unknown> | null> {
    const text = await readFile(join(this.root, 'var/lib/gatehouse-program/last-update.json'), 'utf8').catch(
      () => null,
    );
    return text === null ? null : JSON.parse(text);
  }

  /** Of the folder of programs. */
  kept(name: string): Promise<string | null> {
    const path = join(this.root, 'var/lib/gatehouse-program', name);
    return readlink(path)
      .catch(() => readFile(path, 'utf8'))
      .catch(() => null);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(dirname(this.root), { recursive: true, force: true });
  }
}
