import { connect } from 'node:net';
import { connect as secureConnect } from 'node:tls';
import type { Trust } from './trust.ts';

const connectTimeoutMs = 5_000;

/**
 * Whether somebody takes a connection at an `mqtts://` or `mqtt://` address, the TLS handshake
 * included.
 */
export function isReachable(address: string, trust: Trust, signal: AbortSignal): Promise<boolean> {
  const { protocol, hostname, port } = new URL(address);
  const host = hostname.replace(/^\[|\]$/g, '');
  const secure = protocol === 'mqtts:';
  return new Promise(resolve => {
    const options = { host, port: Number(port) || (secure ? 8883 : 1883) };
    const servername = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
    const socket = secure
      ? secureConnect({ ...options, ...servername, secureContext: trust.context })
      : connect(options);
    const end = (yes: boolean) => {
      signal.removeEventListener('abort', no);
      socket.destroy();
      resolve(yes);
    };
    const no = () => end(false);
    signal.addEventListener('abort', no);
    socket.setTimeout(connectTimeoutMs, no);
    socket.on('error', no);
    socket.on(secure ? 'secureConnect' : 'connect', () => end(true));
  });
}
