import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** In systemd's place: a datagram socket, which Node cannot hold itself. Needs python3. */
export class NotifySocket implements AsyncDisposable {
  readonly address: string;
  /** What was told, a message each. */
  readonly heard: string[] = [];
  readonly #end: () => Promise<void>;
  #waiting: (() => void)[] = [];

  private constructor(address: string, end: () => Promise<void>) {
    this.address = address;
    this.#end = end;
  }

  static async open(kind: 'path' | 'abstract' = 'path'): Promise<NotifySocket> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-notify-'));
    const address = kind === 'path' ? join(folder, 'notify') : `@gatehouse-test-${process.pid}-${folder.slice(-6)}`;
    const listen = `import json,socket,sys
s=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM)
s.bind(sys.argv[1].replace('@','\\0',1) if sys.argv[1].startswith('@') else sys.argv[1])
print('"bound"',flush=True)
while True: print(json.dumps(s.recv(4096).decode()),flush=True)`;
    const receiver = spawn('python3', ['-c', listen, address], { stdio: ['ignore', 'pipe', 'inherit'] });
    const socket = new NotifySocket(address, async () => {
      receiver.kill('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    });
    let text = '';
    const bound = once(receiver.stdout, 'data');
    receiver.stdout.setEncoding('utf8').on('data', chunk => {
      text += chunk;
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        const message = JSON.parse(text.slice(0, end)) as string;
        text = text.slice(end + 1);
        if (message !== 'bound') socket.heard.push(message);
        for (const wake of socket.#waiting.splice(0)) wake();
      }
    });
    await bound;
    return socket;
  }

  /** The first message from number `from` on that fits. */
  async message(fits: (message: string) => boolean, from = 0): Promise<string> {
    for (;;) {
      const found = this.heard.slice(from).find(fits);
      if (found !== undefined) return found;
      await new Promise<void>(wake => this.#waiting.push(wake));
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#end();
  }
}
