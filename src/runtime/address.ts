/** The address of a listener. Port 0: any free one. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** `host:port`, `[v6]:port`; null for `off`; undefined when it is neither. */
export function parseAddress(text: string): Address | null | undefined {
  if (text === 'off') return null;
  const match = /^(?:\[([0-9a-f:.]+(?:%[\w.-]+)?)\]|([\w.-]+)):(\d{1,5})$/i.exec(text);
  if (!match) return undefined;
  const port = Number(match[3]);
  return port > 65535 ? undefined : { host: (match[1] ?? match[2])!, port };
}

export const formatAddress = ({ host, port }: Address): string =>
  host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;

export const isLoopback = ({ host }: Address): boolean =>
  /^127(\.\d{1,3}){3}$/.test(host) || host === '::1' || host === 'localhost';
