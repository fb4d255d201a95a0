import { spawnSync } from 'node:child_process';

/**
 * Tells systemd how it stands (`READY=1`, `STOPPING=1`). `sd_notify` is one datagram to a Unix socket, which Node cannot
 * send itself: libc does, through `node:ffi`; where that is missing, systemd's own helper (which then needs NotifyAccess=all).
 */
export async function notifySystemd(state: string, env: NodeJS.ProcessEnv): Promise<void> {
  const socket = env.NOTIFY_SOCKET;
  if (!socket) return;
  try {
    await sendDatagram(socket, state);
  } catch {
    spawnSync('systemd-notify', [state], { stdio: 'ignore', env });
  }
}

const AF_UNIX = 1;
const SOCK_DGRAM = 2;

async function sendDatagram(socket: string, state: string): Promise<void> {
  const { dlopen } = await import('node:ffi');
  const { functions } = dlopen('libc.so.6', {
    socket: { arguments: ['int32', 'int32', 'int32'], return: 'int32' },
    sendto: { arguments: ['int32', 'buffer', 'uint64', 'int32', 'buffer', 'uint32'], return: 'int64' },
    close: { arguments: ['int32'], return: 'int32' },
  });
  // sockaddr_un: the family, then the path; a leading @ stands for the abstract namespace.
  const path = Buffer.from(socket.startsWith('@') ? `\0${socket.slice(1)}` : socket);
  const address = Buffer.concat([Buffer.from([AF_UNIX, 0]), path]);
  const message = Buffer.from(state);
  const descriptor = functions.socket(AF_UNIX, SOCK_DGRAM, 0);
  if (descriptor < 0) throw new Error('no socket');
  try {
    const sent = functions.sendto(descriptor, message, BigInt(message.length), 0, address, address.length);
    if (Number(sent) !== message.length) throw new Error('not sent');
  } finally {
    functions.close(descriptor);
  }
}
