import { type ChildProcess, spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, statSync } from 'node:fs';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type DetailedPeerCertificate } from 'node:tls';
import { freePort } from '../support/free-port.ts';
import { type CardCut, type DiskLabel, LoggedCard } from './card.ts';

/**
 * A box of its own: a card flashed with an image, in an arm64 machine with UEFI under software
 * emulation.
 */
export class ImageMachine implements AsyncDisposable {
  readonly card: LoggedCard;
  readonly #folder: string;
  readonly #ports: { readonly mqtts: number; readonly https: number };
  #qemu: ChildProcess | null = null;
  #screen = '';
  #since = 0;

  private constructor(folder: string, card: LoggedCard, ports: { mqtts: number; https: number }) {
    this.#folder = folder;
    this.card = card;
    this.#ports = ports;
  }

  /** Flashes a card of 4 GB; `drop` is what the installer puts on its boot partition. */
  static async flashed(image: string, drop: Readonly<Record<string, string>>, label: DiskLabel): Promise<ImageMachine> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-image-'));
    const card = await LoggedCard.flashed(folder, image, label);
    for (const [name, text] of Object.entries(drop)) await card.drop(name, text);
    await copyFile('/usr/share/AAVMF/AAVMF_VARS.fd', join(folder, 'vars.fd'));
    return new ImageMachine(folder, card, { mqtts: await freePort(), https: await freePort() });
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

  /** Throws where it is on. */
  async switchOn(): Promise<void> {
    if (this.#qemu) throw new Error('the machine is on');
    const disk = await this.card.inserted();
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
        ...disk,
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

  /**
   * As if somebody pulled the plug: the card has what a cut leaves on it. The machine learns nothing
   * of it; QEMU finishes what it is writing into the log.
   */
  async cutPower(cut: CardCut = {}): Promise<void> {
    await this.switchOff();
    await this.card.cut(cut);
  }

  /** For a card whose contents do not matter any more; nothing happens where the machine is off. */
  async switchOff(): Promise<void> {
    await this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const qemu = this.#qemu;
    this.#qemu = null;
    if (!qemu || qemu.exitCode !== null || qemu.signalCode !== null) return;
    qemu.kill(signal);
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

  /** The lines of an answer that goes on for as long as it likes. Throws when it is cut off. */
  async *lines(
    path: string,
    { ca, headers }: { readonly ca: string; readonly headers: Readonly<Record<string, string>> },
  ): AsyncGenerator<string> {
    const outgoing = request(`${this.url}${path}`, { ca, headers });
    const answered = once(outgoing, 'response');
    outgoing.end();
    const [response] = await answered;
    let rest = '';
    for await (const chunk of response) {
      const lines = `${rest}${chunk}`.split('\n');
      rest = lines.pop()!;
      // The last one of a whole answer is empty.
      yield* lines.filter(line => line !== '');
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
    // QEMU takes connections before there is anybody behind it.
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')));
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
    await this.#end('SIGKILL');
    await rm(this.#folder, { recursive: true, force: true });
  }
}
