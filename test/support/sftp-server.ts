import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { newSshKeyPair } from '../../src/backups/ssh-key.ts';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** Debian's sshd on loopback, for the user that runs the tests. */
export class SftpServer implements AsyncDisposable {
  readonly root: string;
  readonly port: number;
  readonly user = userInfo().username;
  /** In force after `restart`. */
  hasSftp = true;
  #process: ChildProcess | null = null;

  private constructor(root: string, port: number) {
    this.root = root;
    this.port = port;
  }

  static async start(): Promise<SftpServer> {
    const server = new SftpServer(await mkdtemp(join(tmpdir(), 'gatehouse-sshd-')), await freePort());
    mkdirSync(server.folder);
    await writeFile(join(server.root, 'authorized'), '');
    await server.newHostKey();
    await server.restart();
    return server;
  }

  get folder(): string {
    return join(this.root, 'backups');
  }

  /** As it stands in the config. */
  get settings() {
    return { host: '127.0.0.1', port: this.port, user: this.user, folder: this.folder };
  }

  /** Lets in whoever has the private half. */
  authorize(publicKey: string): Promise<void> {
    return writeFile(join(this.root, 'authorized'), `${publicKey}\n`);
  }

  /** Type and base64. */
  async hostKey(): Promise<string> {
    return (await readFile(join(this.root, 'host.pub'), 'utf8')).split(' ').slice(0, 2).join(' ');
  }

  /** In force after `restart`. */
  async newHostKey(): Promise<void> {
    const { privateKey, publicKey } = newSshKeyPair('host');
    await writeFile(join(this.root, 'host'), privateKey, { mode: 0o600 });
    await writeFile(join(this.root, 'host.pub'), publicKey);
  }

  async restart(): Promise<void> {
    await this.stop();
    const lines = [
      ...[`Port ${this.port}`, 'ListenAddress 127.0.0.1', `HostKey ${join(this.root, 'host')}`, 'PidFile none'],
      ...[`AuthorizedKeysFile ${join(this.root, 'authorized')}`, 'StrictModes no', 'UsePAM no'],
      ...['PasswordAuthentication no', 'KbdInteractiveAuthentication no'],
      ...(this.hasSftp ? ['Subsystem sftp internal-sftp'] : []),
    ];
    await writeFile(join(this.root, 'config'), `${lines.join('\n')}\n`);
    // Debian's sshd demands it of root.
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true });
    const args = ['-D', '-e', '-f', join(this.root, 'config')];
    this.#process = spawn('/usr/sbin/sshd', args, { stdio: ['ignore', 'ignore', 'ignore'] });
    await until('sshd listens', () => answers(this.port));
  }

  /** Sessions that are open go on. */
  async stop(): Promise<void> {
    const running = this.#process;
    this.#process = null;
    if (!running || running.exitCode !== null) return;
    running.kill();
    await once(running, 'exit');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.root, { recursive: true, force: true });
  }
}

const answers = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => socket.destroy());
    socket.once('close', hadError => resolve(!hadError));
    socket.on('error', () => {});
  });

/** A line to a server that can be cut. */
export class CutLine implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #bytesLeft = Number.POSITIVE_INFINITY;
  #wasCut = false;

  private constructor(to: number) {
    this.#server = createServer(from => {
      const onward = connect(to, '127.0.0.1');
      for (const socket of [from, onward]) {
        this.#sockets.add(socket);
        socket.on('error', () => {});
        socket.once('close', () => {
          this.#sockets.delete(socket);
          from.destroy();
          onward.destroy();
        });
      }
      onward.pipe(from);
      from.on('data', chunk => {
        this.#bytesLeft -= chunk.length;
        if (this.#bytesLeft >= 0) return void onward.write(chunk);
        this.#wasCut = true;
        from.destroy();
      });
    });
  }

  static async to(port: number): Promise<CutLine> {
    const line = new CutLine(port);
    line.#server.listen(0, '127.0.0.1');
    await once(line.#server, 'listening');
    return line;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get wasCut(): boolean {
    return this.#wasCut;
  }

  /** Each connection ends once so many bytes more have gone to the server. */
  cutAfter(bytes: number): void {
    this.#bytesLeft = bytes;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, 'close');
  }
}
