import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readProxyHeader } from '../../src/listeners/proxy-header.ts';

const signature = '0d0a0d0a000d0a515549540a';
const known = [
  ['IPv4', `${signature}2111000cc0000207c000022f1f9022b3`, { bytes: 28, from: '192.0.2.7' }],
  [
    'IPv6',
    `${signature}2121002420010db8000000000000000000000007fe80000000000000000000000000000104d222b3`,
    { bytes: 52, from: '2001:db8::7' },
  ],
  ['the own connection of the proxy', `${signature}20000000`, { bytes: 16, from: null }],
  [
    'fields of the proxy behind the addresses',
    `${signature}2111000fc0000207c000022f1f9022b3040000`,
    {
      bytes: 31,
      from: '192.0.2.7',
    },
  ],
  ['a Unix socket', `${signature}21310003aabbcc`, { bytes: 19, from: null }],
] as const;
const bytesOf = (hex: string) => Buffer.from(hex, 'hex');

test.each(known)('a header with %s is read', (_name, hex, expected) => {
  expect(readProxyHeader(bytesOf(`${hex}101600`))).toEqual({ kind: 'whole', ...expected });
});

test.each(known)('a header with %s is awaited to its end, wherever it is cut', (_name, hex) => {
  const whole = bytesOf(hex);
  for (let length = 0; length < whole.length; length++)
    expect(readProxyHeader(whole.subarray(0, length)), `${length}`).toEqual({ kind: 'more' });
});

test.each([
  ['MQTT without one', '102400044d515454', 'no header of the PROXY protocol, version 2'],
  ['version 1', Buffer.from('PROXY TCP4 192.0.2.7').toString('hex'), 'no header of the PROXY protocol, version 2'],
  ['another command', `${signature}22110000`, 'a command that is not known'],
  ['another version', `${signature}31110000`, 'a command that is not known'],
  ['too short for its addresses', `${signature}2111000bc0000207c000022f1f9022`, 'a header without its addresses'],
  ['too long', `${signature}2111ffff`, 'a header of 65551 bytes'],
])('refused: %s', (_name, hex, why) => {
  expect(readProxyHeader(bytesOf(hex))).toEqual({ kind: 'bad', why });
});

const header = fc
  .record({
    isLocal: fc.boolean(),
    address: fc.oneof(fc.ipV4(), fc.ipV6()),
    more: fc.uint8Array({ maxLength: 200 }),
    behind: fc.uint8Array({ maxLength: 200 }),
  })
  .map(({ isLocal, address, more, behind }) => {
    const isV4 = !address.includes(':');
    const source = isV4 ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
    const body = Buffer.concat([source, Buffer.alloc(source.length + 4), more]);
    const head = Buffer.concat([bytesOf(signature), Buffer.of(isLocal ? 0x20 : 0x21, isV4 ? 0x11 : 0x21, 0, 0)]);
    head.writeUInt16BE(body.length, 14);
    const from = isV4 ? address : new URL(`http://[${address}]`).hostname.slice(1, -1);
    return {
      bytes: Buffer.concat([head, body, behind]),
      length: head.length + body.length,
      from: isLocal ? null : from,
    };
  });

function ipv6Bytes(address: string): Buffer {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail ? tail.split(':') : [];
  const middle = Array.from({ length: 8 - front.length - back.length }, () => '0');
  const bytes = Buffer.alloc(16);
  for (const [at, group] of [...front, ...middle, ...back].entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), at * 2);
  return bytes;
}

test('every header says its address, and where what follows begins', () => {
  fc.assert(
    fc.property(header, ({ bytes, length, from }) => {
      expect(readProxyHeader(bytes)).toEqual({ kind: 'whole', bytes: length, from });
    }),
  );
});

test('any bytes are read without a throw, and never to more than there is', () => {
  const some = fc.uint8Array({ maxLength: 300 });
  const begun = some.map(bytes => Buffer.concat([bytesOf(signature), bytes]));
  fc.assert(
    fc.property(fc.oneof(some, begun), bytes => {
      const read = readProxyHeader(bytes);
      if (read.kind === 'whole') expect(read.bytes).toBeLessThanOrEqual(bytes.length);
    }),
  );
});
