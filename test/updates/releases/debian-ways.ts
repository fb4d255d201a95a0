import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type MockService, TestBus } from '../../support/dbus.ts';
import { DebianRoot } from '../../support/debian-root.ts';
import { freePort } from '../../support/free-port.ts';
import { NotifySocket } from '../../support/notify-socket.ts';
import { hasPythonModule, hasTool } from '../../support/tools.ts';
import { until } from '../../support/until.ts';
import { raucOn } from '../../support/updates.ts';
import { type Made, present } from './made.ts';
import type { UpdatedBox, Way } from './way.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const data = '/var/lib/gatehouse';
/** Exit status of a box that wants to be started as another program (gatehouse.service.d). */
const otherProgramStatus = 75;

/** The package in a fresh Debian. The test is in the place of systemd: it starts and restarts the service. */
abstract class PackagedBox implements UpdatedBox {
  protected readonly debian: DebianRoot;
  protected readonly made: Made;
  readonly #systemd: NotifySocket;
  readonly #ports: Readonly<Record<string, number>>;
  /** Further variables of the service. */
  protected readonly env: Record<string, string> = {};
  #service!: ChildProcess;
  #ended!: Promise<unknown[]>;
  #said = '';

  protected constructor(debian: DebianRoot, made: Made, systemd: NotifySocket, ports: Record<string, number>) {
    this.debian = debian;
    this.made = made;
    this.#systemd = systemd;
    this.#ports = ports;
  }

  protected static async parts(made: Made) {
    return [
      await DebianRoot.open(),
      made,
      await NotifySocket.open('abstract'),
      { mqtts: await freePort(), https: await freePort() },
    ] as const;
  }

  port(listener: string): number {
    return this.#ports[listener]!;
  }

  async install(fixture: string): Promise<this> {
    await cp(this.made.opt, join(this.debian.folder, 'opt'), { recursive: true });
    await this.packaged(this.made.release.deb);
    await copyFile(join(fixture, 'gatehouse.yaml'), join(this.debian.folder, 'etc/gatehouse/gatehouse.yaml'));
    for (const name of ['store.gh', 'recovery-key.txt'])
      await copyFile(join(fixture, name), join(this.debian.folder, 'root', name));
    await this.asRoot('mkdir', '--mode=750', '/run/gatehouse');
    await this.asRoot('chown', 'gatehouse:', '/run/gatehouse');
    const key = ['--recovery-key-file', '/root/recovery-key.txt'];
    await this.asRoot('gatehouse', 'restore', '/root/store.gh', ...key, '--yes', '--data-dir', data);
    await this.begin();
    await this.ready();
    return this;
  }

  /** Installs a package as docs/upgrade.md has it; asked about the config, one keeps one's own. */
  protected async packaged(deb: string, ...options: string[]): Promise<void> {
    await copyFile(deb, join(this.debian.folder, 'root', basename(deb)));
    const keep = ['-o', 'Dpkg::Options::=--force-confold'];
    await this.asRoot('apt', 'install', '--yes', ...keep, ...options, `/root/${basename(deb)}`);
  }

  protected async asRoot(...words: string[]): Promise<string> {
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C.UTF-8' };
    return (await promisify(execFile)(...this.debian.command(words), { env, maxBuffer: 1 << 26 })).stdout;
  }

  ask(...words: string[]): Promise<string> {
    return this.asRoot('gatehouse', ...words, '--data-dir', data);
  }

  ca(): Promise<string> {
    return readFile(join(this.debian.folder, data, 'tls/ca.pem'), 'utf8');
  }

  async pid(): Promise<number> {
    return this.#service.pid!;
  }

  /** Starts the service by the commands of its unit. */
  protected async begin(): Promise<void> {
    const [, line] = /^ExecStart=(.*)$/m.exec(await readFile(join(root, 'systemd/gatehouse.service'), 'utf8'))!;
    await this.asRoot('/usr/lib/gatehouse/program', 'count');
    const asUser = ['setpriv', '--reuid=gatehouse', '--regid=gatehouse', '--init-groups'];
    const listen = (port: number) => `127.0.0.1:${port}`;
    const service = spawn(...this.debian.command([...asUser, ...line!.split(' ')]), {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        ...{ PATH: '/usr/sbin:/usr/bin:/sbin:/bin', NOTIFY_SOCKET: this.#systemd.address },
        ...{ RUNTIME_DIRECTORY: '/run/gatehouse', MALLOC_ARENA_MAX: '2' },
        ...{ GATEHOUSE_LISTEN__MQTTS: listen(this.port('mqtts')), GATEHOUSE_LISTEN__HTTPS: listen(this.port('https')) },
        ...{ GATEHOUSE_LISTEN__HTTP: 'off', GATEHOUSE_LISTEN__METRICS: 'off' },
        ...this.env,
      },
    });
    service.stderr.setEncoding('utf8').on('data', text => {
      this.#said = (this.#said + text).slice(-20_000);
    });
    this.#service = service;
    this.#ended = once(service, 'exit');
  }

  /** Waits until the service says so; starts it again where it was killed. */
  async ready(): Promise<void> {
    if (this.#service.signalCode === 'SIGKILL') await this.begin();
    const { pid } = this.#service;
    const { heard, senders } = this.#systemd;
    const isReady = until('the service is ready', () =>
      heard.some((said, index) => senders[index] === pid && /^READY=1$/m.test(said)),
    );
    const hasEnded = this.#ended.then(([status, signal]) => {
      throw new Error(`the service ended with ${status ?? signal}: ${this.#said}`);
    });
    await Promise.race([isReady, hasEnded]);
  }

  protected ended(): Promise<unknown[]> {
    return this.#ended;
  }

  /** As systemd restarts it for the package, or for a rollback. */
  protected async restart(): Promise<void> {
    this.#service.kill('SIGTERM');
    await this.#ended;
    await this.begin();
  }

  abstract update(): Promise<void>;
  abstract back(): Promise<void>;

  async [Symbol.asyncDispose](): Promise<void> {
    this.#service?.kill('SIGKILL');
    await this.#ended;
    await this.#systemd[Symbol.asyncDispose]();
    await this.debian[Symbol.asyncDispose]();
  }
}

class ByApt extends PackagedBox {
  static async open(made: Made, fixture: string): Promise<UpdatedBox> {
    return new ByApt(...(await PackagedBox.parts(made))).install(fixture);
  }

  async update(): Promise<void> {
    await this.ask('backup', '/root/before.gh');
    await this.packaged(this.made.present.deb);
    await this.restart();
  }

  async back(): Promise<void> {
    await this.packaged(this.made.release.deb, '--allow-downgrades');
    await this.restart();
  }
}

class ByBundle extends PackagedBox {
  #bus!: TestBus;
  #rauc!: MockService;

  static async open(made: Made, fixture: string): Promise<UpdatedBox> {
    const box = new ByBundle(...(await PackagedBox.parts(made)));
    await box.#putBundle();
    const { folder } = box.debian;
    // The bus of this machine lets nobody in whom this machine does not know.
    await appendFile(join(folder, 'etc/passwd'), `gatehouse:x:65534:65534::${data}:/usr/sbin/nologin\n`);
    await appendFile(join(folder, 'etc/group'), 'gatehouse:x:65534:\n');
    box.#bus = await TestBus.open({ below: join(folder, 'tmp') });
    await chmod(box.#bus.folder, 0o755);
    box.env.DBUS_SYSTEM_BUS_ADDRESS = box.#bus.address.replace(folder, '');
    const handlers =
      'export RAUC_BUNDLE_MOUNT_POINT=/root/bundle; /usr/lib/gatehouse/rauc-pre-install && "$RAUC_BUNDLE_MOUNT_POINT/install-program"';
    const [command, words] = box.debian.command(['sh', '-c', handlers]);
    box.#rauc = await raucOn(box.#bus, {
      ...{ compatible: 'gatehouse-program', slots: [], root: folder, handlers: [command, ...words] },
    });
    return box.install(fixture);
  }

  /** RAUC's stand-in verifies a file of its own; its handlers find mounted what a bundle has. */
  async #putBundle(): Promise<void> {
    const about = { compatible: 'gatehouse-program-x64', version: present };
    await writeFile(join(this.debian.folder, 'root/newer.raucb'), JSON.stringify({ ...about, signed: 'by us' }));
    const bundle = join(this.debian.folder, 'root/bundle');
    await mkdir(bundle);
    const fields = Object.entries(about).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(join(bundle, 'manifest.raucm'), `[update]\n${fields.join('')}`);
    await writeFile(join(bundle, 'version'), `${present}\n`);
    await writeFile(join(bundle, 'gatehouse'), this.made.presentProgram);
    await copyFile(join(root, 'firmware-images/update/install-program'), join(bundle, 'install-program'));
    await chmod(join(bundle, 'install-program'), 0o755);
  }

  /** The box is killed while RAUC installs, too. */
  async update(): Promise<void> {
    await this.#rauc.control('Hold', 'b', true);
    const asked = this.ask('update', '/root/newer.raucb', '--yes');
    const installing = until('RAUC installs', async () => {
      const { progress } = JSON.parse(await this.ask('update', '--status', '--json'));
      return progress?.step === 'installing';
    });
    await Promise.race([installing, asked]);
    process.kill(await this.pid(), 'SIGKILL');
    await this.ended();
    await asked;
    await this.ready();
    await this.#rauc.control('Hold', 'b', false);
    const [status] = await this.ended();
    if (status !== otherProgramStatus) throw new Error(`the box ended with ${status}, and not for another program`);
    await this.begin();
  }

  async back(): Promise<void> {
    // As gatehouse-health does after a healthy minute.
    await this.asRoot('/usr/lib/gatehouse/program', 'good');
    await this.ask('update', '--rollback', '--yes');
    // As gatehouse-rollback.service does.
    await rm(join(this.debian.folder, 'run/gatehouse/rollback'));
    await this.asRoot('/usr/lib/gatehouse/program', 'rollback');
    await this.restart();
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await super[Symbol.asyncDispose]();
    await this.#bus[Symbol.asyncDispose]();
  }
}

const tools = ['mmdebstrap', 'unshare', 'dpkg-deb', 'python3'].filter(tool => !hasTool(tool));
const mocks = hasTool('dbus-daemon') && hasPythonModule('dbusmock') ? [] : ['python3-dbusmock', 'dbus-daemon'];

export const byApt: Way = { name: 'the package', missing: tools, open: ByApt.open };
export const byBundle: Way = { name: 'a bundle', missing: [...tools, ...mocks], open: ByBundle.open };
