import { type ChildProcess, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { copyFile, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type DetailedPeerCertificate } from 'node:tls';
import { run } from './run.ts';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * A box of its own: a card flashed with an image, in an arm64 machine with UEFI under software
 * emulation.
 */
export class ImageMachine implements AsyncDisposable {
  readonly #folder: string;
  readonly #ports: { readonly mqtts: number; readonly https: number };
  #qemu: ChildProcess | null = null;
  #screen = '';
  #since = 0;

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

  get #bootPartition(): string {
    return `${join(this.#folder, 'card.img')}@@1M`;
  }

  switchOn(): void {
    const file = (name: string) => join(this.#folder, name);
    const forward = `hostfwd=tcp:127.0.0.1:${this.#ports.mqtts}-:8883,hostfwd=tcp:127.0.0.1:${this.#ports.https}-:8443`;
    this.#screen = '';
    this.#since = performance.now();
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
    const endWithUs = () => qemu.kill('SIGKILL');
    process.once('exit', endWithUs);
    qemu.once('exit', () => process.off('exit', endWithUs));
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

  secondsOn(): number {
    return (performance.now() - this.#since) / 1000;
  }

  /** Waits until the serial console has shown this. */
  async shows(what: RegExp, seconds: number): Promise<void> {
    await this.until(`the console shows ${what}`, async () => what.test(this.screen) || null, seconds);
  }

  /** Sends a file as the body of a PUT, as a browser does. */
  async send(
    path: string,
    to: string,
    { ca, headers }: { readonly ca: string; readonly headers: Readonly<Record<string, string>> },
  ): Promise<{ status: number; body: string }> {
    const outgoing = request(`${this.url}${to}`, {
      method: 'PUT',
      ca,
      headers: { ...headers, 'Content-Type': 'application/octet-stream', 'Content-Length': statSync(path).size },
    });
    const answered = once(outgoing, 'response');
    createReadStream(path).pipe(outgoing);
    const [response] = await answered;
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    return { status: response.statusCode, body: Buffer.concat(chunks).toString() };
  }

  /**
   * Where the last partition of the machine that is off ends, in bytes: the fourth entry of its
   * GPT.
   */
  async endOfLastPartition(): Promise<number> {
    const card = await open(join(this.#folder, 'card.img'));
    try {
      const entry = Buffer.alloc(128);
      await card.read(entry, 0, 128, 2 * 512 + 3 * 128);
      return (Number(entry.readBigUInt64LE(40)) + 1) * 512;
    } finally {
      await card.close();
    }
  }

  /**
   * Asks again every second until there is an answer. Real time: the machine is another one, behind
   * an emulator, and says nothing by itself when it is ready.
   */
  async until<T>(what: string, ask: () => Promise<T | null>, seconds: number): Promise<T> {
    const end = Date.now() + seconds * 1000;
    let last: unknown = null;
    while (Date.now() < end) {
      const { exitCode, signalCode } = this.#qemu ?? { exitCode: 0, signalCode: null };
      if (exitCode !== null || signalCode !== null)
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

  /**
   * The authority that the box shows with its certificate, as an installer's phone takes it over.
   */
  async authority(): Promise<string> {
    const socket = connect({ host: '127.0.0.1', port: this.#ports.https, rejectUnauthorized: false });
    try {
      await once(socket, 'secureConnect');
      let certificate: DetailedPeerCertificate = socket.getPeerCertificate(true);
      while (certificate.issuerCertificate && certificate.issuerCertificate !== certificate)
        certificate = certificate.issuerCertificate;
      return new X509Certificate(certificate.raw).toString();
    } finally {
      socket.destroy();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.cutPower();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
