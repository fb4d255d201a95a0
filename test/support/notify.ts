import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const listen = `import socket, struct, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.settimeout(50)
s.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
s.bind(sys.argv[1])
print('bound', flush=True)
said = b''
while b'READY=1' not in said: said, by, _, _ = s.recvmsg(100, 100)
print(struct.unpack('3i', by[0][2])[0], said.decode(), flush=True)`;

export interface NotifySocket extends Disposable {
  /** What goes into the environment of the program. */
  readonly NOTIFY_SOCKET: string;
  /** The datagram that says so, behind the id of the process that sent it: `4711 READY=1`. */
  readonly ready: Promise<string>;
}

/** Hears as systemd would what a program says of itself. Needs python3: Node has no datagrams over Unix sockets. */
export async function notifySocket(folder: string): Promise<NotifySocket> {
  const path = join(folder, 'notify');
  const receiver = spawn('python3', ['-c', listen, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  let heard = '';
  receiver.stdout.setEncoding('utf8').on('data', text => {
    heard += text;
  });
  const ready = once(receiver, 'close').then(() => heard.replace('bound\n', '').trimEnd());
  await once(receiver.stdout, 'data');
  return { NOTIFY_SOCKET: path, ready, [Symbol.dispose]: () => void receiver.kill('SIGKILL') };
}
