import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type DetailedPeerCertificate } from 'node:tls';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** Runs a command to its end; what it said stands in the error when it failed. */
export async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const child = spawn(command, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stdout.on('data', chunk => (said += chunk));
  child.stderr.on('data', chunk => (said += chunk));
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${said.slice(-4000)}`);
  return said;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** A box of its own: a card flashed with an image, in an arm64 machine with UEFI under software emulation. */
export class ImageMachine implements AsyncDisposable {
  readonly #folder: string;
  readonly #ports: { readonly mqtts: number; readonly https: number };
  #qemu: ChildProcess | null = null;
  #screen = '';

  private constructor(folder: string, ports: { mqtts: number; https: number }) {
    this.#folder = folder;
    this.#ports = ports;
  }

  /** Flashes a card of 4 GB; `drop` is what the installer puts on its boot partition. */
  static async flashed(image: string, drop: Readonly<Record<string, string>>): Promise<ImageMachine> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-image-'));
    const card = join(folder, 'card.img');
    await run('cp', ['--sparse=always', image, card]);
    await run('truncate', ['-s', '4G', card]);
    await copyFile('/usr/share/AAVMF/AAVMF_VARS.fd', join(folder, 'vars.fd'));
    const machine = new ImageMachine(folder, { mqtts: await freePort(), https: await freePort() });
    for (const [name, text] of Object.entries(drop)) await machine.drop(name, text);
    return machine;
  }

  /** Everything that the machine wrote on its serial console since its last start. */
  get screen(): string {
    return this.#screen.replaceAll(/\u001b\[[0-9;?=]*[a-zA-Z]|\r/g, '');
  }

  get url(): string {
    return `https://127.0.0.1:${this.#ports.https}`;
  }

  get mqttUrl(): string {
    return `mqtts://127.0.0.1:${this.#ports.mqtts}`;
  }

  /** Puts a file on the boot partition of the machine that is off. */
  async drop(name: string, text: string): Promise<void> {
    const file = join(this.#folder, name);
    await writeFile(file, text);
    await run('mcopy', ['-o', '-i', this.#bootPartition, file, `::/${name}`]);
    await rm(file);
  }

  /** What lies on the boot partition of the machine that is off. */
  async onCard(): Promise<string[]> {
    return (await run('mdir', ['-b', '-i', this.#bootPartition, '::/'])).split('\n').filter(Boolean);
  }

  async textOnCard(name: string): Promise<string> {
    return run('mtype', ['-i', this.#bootPartition, `::/${name}`]);
  }

  get #bootPartition(): string {
    return `${join(this.#folder, 'card.img')}@@1M`;
  }

  switchOn(): void {
    const file = (name: string) => join(this.#folder, name);
    const forward = `hostfwd=tcp:127.0.0.1:${this.#ports.mqtts}-:8883,hostfwd=tcp:127.0.0.1:${this.#ports.https}-:8443`;
    this.#screen = '';
    const qemu = spawn(
      'qemu-system-aarch64',
      [
        ...['-M', 'virt', '-cpu', 'cortex-a57', '-accel', 'tcg,thread=multi', '-smp', '2', '-m', '1024'],
        ...['-display', 'none', '-monitor', 'none', '-serial', 'stdio'],
        ...['-drive', 'if=pflash,format=raw,readonly=on,file=/usr/share/AAVMF/AAVMF_CODE.fd'],
        ...['-drive', `if=pflash,format=raw,file=${file('vars.fd')}`],
        // What the card has confirmed is on it; what was not, is lost with the power.
        ...['-drive', `file=${file('card.img')},format=raw,if=virtio,cache=writethrough`],
        ...['-nic', `user,model=virtio,${forward}`, '-device', 'virtio-rng-pci'],
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    qemu.stdout.on('data', chunk => (this.#screen += chunk));
    qemu.stderr.on('data', chunk => (this.#screen += chunk));
    process.once('exit', () => qemu.kill('SIGKILL'));
    this.#qemu = qemu;
  }

  /** As if somebody pulled the plug. */
  async cutPower(): Promise<void> {
    const qemu = this.#qemu;
    this.#qemu = null;
    if (!qemu || qemu.exitCode !== null || qemu.signalCode !== null) return;
    qemu.kill('SIGKILL');
    await once(qemu, 'close');
  }

  /** Waits until the serial console has shown this; answers the seconds since it was switched on. */
  async shows(what: RegExp, { within }: { readonly within: number }): Promise<void> {
    await this.until(`the console shows ${what}`, async () => what.test(this.screen) || null, within);
  }

  /** Asks again every second until there is an answer. */
  async until<T>(what: string, ask: () => Promise<T | null>, seconds: number): Promise<T> {
    const end = Date.now() + seconds * 1000;
    let last: unknown = null;
    while (Date.now() < end) {
      if (this.#qemu === null || this.#qemu.exitCode !== null)
        throw new Error(`the machine is off: ${what}\n${this.screen.slice(-4000)}`);
      try {
        const answer = await ask();
        if (answer !== null) return answer;
      } catch (error) {
        last = error;
      }
      await new Promise(resolve => setTimeout(resolve, 1000));
    }
    throw new Error(`not within ${seconds} s: ${what}: ${last}\n${this.screen.slice(-4000)}`);
  }

  /** The authority that the box shows with its certificate, as an installer's phone takes it over. */
  async authority(): Promise<string> {
    const socket = connect({ host: '127.0.0.1', port: this.#ports.https, rejectUnauthorized: false });
    try {
      await once(socket, 'secureConnect');
      let certificate: DetailedPeerCertificate = socket.getPeerCertificate(true);
      while (certificate.issuerCertificate && certificate.issuerCertificate !== certificate)
        certificate = certificate.issuerCertificate;
      return `-----BEGIN CERTIFICATE-----\n${certificate.raw.toString('base64').replaceAll(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`;
    } finally {
      socket.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cutPower();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** The image that is tested, and what updates of it are made of. */
export interface Made {
  readonly image: string;
  readonly rootFileSystem: string;
}

/** Made of this checkout, but for what was made already of the very same parts. `GATEHOUSE_IMAGE` names one that is to be tested instead. */
export async function madeImage(): Promise<Made> {
  const folder = join(root, 'dist/images/generic-arm64');
  const given = process.env.GATEHOUSE_IMAGE;
  if (!given) {
    await run('npm', ['run', '--silent', 'build:binary', '--', '--arch', 'arm64']);
    await run('npm', ['run', '--silent', 'build:deb', '--', '--arch', 'arm64']);
    if (!existsSync(join(root, 'update-keys'))) await run('npm', ['run', '--silent', 'update-keys']);
    await run('npm', ['run', '--silent', 'build:image', '--', 'generic-arm64', '--fast']);
  }
  return {
    image: given ?? join(folder, 'gatehouse-generic-arm64.img'),
    rootFileSystem: join(folder, 'root.ext4'),
  };
}

export const readText = (path: string): Promise<string> => readFile(join(root, path), 'utf8');
