import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Stands in for systemd: a datagram socket, which Node cannot open itself. Needs python3. */
export class NotifySocket implements AsyncDisposable {
  readonly address: string;
  /** The messages that were received. */
  readonly heard: string[] = [];
  /** The process id of the sender of each message. */
  readonly senders: number[] = [];
  readonly #end: () => Promise<void>;
  #waiting: (() => void)[] = [];

  private constructor(address: string, end: () => Promise<void>) {
    this.address = address;
    this.#end = end;
  }

  static async open(kind: 'path' | 'abstract' = 'path'): Promise<NotifySocket> {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-notify-'));
    const address = kind === 'path' ? join(folder, 'notify') : `@gatehouse-test-${process.pid}-${folder.slice(-6)}`;
    const listen = `import json,socket,struct,sys
s=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM)
s.bind(sys.argv[1].replace('@','\\0',1) if sys.argv[1].startswith('@') else sys.argv[1])
s.setsockopt(socket.SOL_SOCKET,socket.SO_PASSCRED,1)
print('[0,"bound"]',flush=True)
while True:
  said,by,_,_=s.recvmsg(4096,100)
  print(json.dumps([struct.unpack('3i',by[0][2])[0],said.decode()]),flush=True)`;
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
        const [sender, message] = JSON.parse(text.slice(0, end)) as [number, string];
        text = text.slice(end + 1);
        if (message === 'bound') continue;
        socket.senders.push(sender);
        socket.heard.push(message);
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

  /** The process that sent the message; waits until it arrives. */
  async senderOf(message: string): Promise<number> {
    await this.message(text => text === message);
    return this.senders[this.heard.indexOf(message)]!;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#end();
  }
}
