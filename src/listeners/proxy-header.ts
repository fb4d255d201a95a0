/** The header with all its addresses takes 52 bytes; proxies may add their own fields. */
const headerBytesMax = 2048;
const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');
const fixedBytes = 16;
const commands = { local: 0x20, proxy: 0x21 } as const;
const tcp = { v4: 0x11, v6: 0x21 } as const;

type ProxyHeader =
  | { readonly kind: 'more' }
  | { readonly kind: 'bad'; readonly why: string }
  /**
   * `bytes`: its length. `from`: for whom the proxy connects; null: for itself, or it does not say.
   */
  | { readonly kind: 'whole'; readonly bytes: number; readonly from: string | null };

const bad = (why: string): ProxyHeader => ({ kind: 'bad', why });

/**
 * Reads the header of the PROXY protocol, version 2, at the beginning of `bytes`:
 *
 *     signature  12 bytes
 *     command    u8   0x20 the proxy's own connection, 0x21 for somebody
 *     family     u8   0x11 TCP over IPv4, 0x21 over IPv6
 *     length     u16  of what follows, at most 2032
 *     addresses       of source and destination, 4 or 16 bytes each, and their ports
 *     more            fields of the proxy, which are passed over
 */
export function readProxyHeader(bytes: Uint8Array): ProxyHeader {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const known = Math.min(start.length, signature.length);
  if (signature.compare(start, 0, known, 0, known) !== 0) return bad('no header of the PROXY protocol, version 2');
  if (start.length < fixedBytes) return { kind: 'more' };
  const command = start[12]!;
  const family = start[13]!;
  const end = fixedBytes + start.readUInt16BE(14);
  if (command !== commands.local && command !== commands.proxy) return bad('a command that is not known');
  if (end > headerBytesMax) return bad(`a header of ${end} bytes`);
  if (start.length < end) return { kind: 'more' };
  if (command === commands.local || (family !== tcp.v4 && family !== tcp.v6))
    return { kind: 'whole', bytes: end, from: null };
  const length = family === tcp.v4 ? 4 : 16;
  if (end - fixedBytes < 2 * length + 4) return bad('a header without its addresses');
  const source = start.subarray(fixedBytes, fixedBytes + length);
  return { kind: 'whole', bytes: end, from: family === tcp.v4 ? source.join('.') : ipv6(source) };
}

/** As Node writes them: without leading zeros, the longest run of zeros as `::`. */
function ipv6(bytes: Buffer): string {
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16)).join(':');
  return new URL(`http://[${groups}]`).hostname.slice(1, -1);
}
