import { spawnSync } from 'node:child_process';

/**
 * Reports the state of the program to the service manager: lines of `sd_notify(3)`, such as
 * `READY=1`. Never throws.
 */
export type Notify = (state: string) => Promise<void>;

/**
 * Notifies systemd, where there is a `NOTIFY_SOCKET`. `sd_notify` is one datagram to a Unix socket,
 * which Node cannot send itself: libc does, through `node:ffi`; where that is missing, systemd's
 * own helper (which then needs NotifyAccess=all).
 */
export function systemdOf(env: NodeJS.ProcessEnv): Notify {
  const socket = env.NOTIFY_SOCKET;
  if (!socket) return async () => {};
  let sender: Promise<(state: string) => void> | undefined;
  return async state => {
    try {
      sender ??= openSender(socket);
      (await sender)(state);
    } catch {
      spawnSync('systemd-notify', state.split('\n'), { stdio: 'ignore', env });
    }
  };
}

const AF_UNIX = 1;
const SOCK_DGRAM = 2;

async function openSender(socket: string): Promise<(state: string) => void> {
  const { dlopen } = await import('node:ffi');
  const { functions } = dlopen('libc.so.6', {
    socket: { arguments: ['i32', 'i32', 'i32'], return: 'i32' },
    sendto: { arguments: ['i32', 'buffer', 'u64', 'i32', 'buffer', 'u32'], return: 'i64' },
    close: { arguments: ['i32'], return: 'i32' },
  });
  // sockaddr_un: the family, then the path; a leading @ stands for the abstract namespace.
  const path = Buffer.from(socket.startsWith('@') ? `\0${socket.slice(1)}` : socket);
  const address = Buffer.concat([Buffer.from([AF_UNIX, 0]), path]);
  return state => {
    const message = Buffer.from(state);
    const descriptor = functions.socket(AF_UNIX, SOCK_DGRAM, 0);
    if (descriptor < 0) throw new Error('no socket');
    try {
      const sent = functions.sendto(descriptor, message, BigInt(message.length), 0, address, address.length);
      if (Number(sent) !== message.length) throw new Error('not sent');
    } finally {
      functions.close(descriptor);
    }
  };
}
