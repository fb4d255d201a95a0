import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { askTimeServer } from '../../src/operations/time-server.ts';
import { realClock } from '../../src/runtime/real-world.ts';

/** Answers each request of NTP with this head and time. */
async function aServer(head: readonly [number, number], at: number) {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const asked: Buffer[] = [];
  socket.on('message', (message, from) => {
    asked.push(message);
    const answer = Buffer.alloc(48);
    answer.set(head);
    const seconds = Math.floor(at / 1000);
    answer.writeUInt32BE(seconds + 2_208_988_800, 40);
    answer.writeUInt32BE(Math.floor(((at % 1000) / 1000) * 2 ** 32), 44);
    socket.send(answer, from.port, from.address);
  });
  return { asked, port: socket.address().port, [Symbol.dispose]: () => socket.close() };
}

const at = Date.UTC(2026, 10, 30, 10, 0, 0, 250);
const stopped = { ...realClock, now: () => at };
const synchronized = [0b00_100_100, 2] as const;

test('a time server says how far the clock is off', async () => {
  using server = await aServer(synchronized, at - 1500);
  expect(await askTimeServer('127.0.0.1', stopped, server.port)).toEqual({ found: 'answers', aheadMs: 1500 });
  expect(server.asked.map(one => [one.length, one[0]])).toEqual([[48, 0b00_100_011]]);
});

test.each([
  ['that waits for the time itself', [0b11_100_100, 2]],
  ['that refuses', [0b00_100_100, 0]],
] as const)('a time server %s is told from a good one', async (_what, head) => {
  using server = await aServer(head, at);
  expect(await askTimeServer('127.0.0.1', stopped, server.port)).toEqual({ found: 'not_synchronized' });
});

test('a name that nobody knows, and a server that does not answer, are told apart', async () => {
  expect(await askTimeServer('ntp.invalid', realClock)).toEqual({ found: 'no_such_name' });
  using server = await aServer(synchronized, at);
  const impatient = { ...stopped, sleep: async () => {} };
  expect(await askTimeServer('127.0.0.1', impatient, server.port)).toEqual({ found: 'silent' });
});
