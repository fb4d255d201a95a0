import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connectPacket, subscribePacket } from './packets.ts';

/** Counts what a broker delivers. */
export interface Counter extends Disposable {
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
}

/** Subscribes `device` with QoS 0 and counts PUBLISH packets by their lengths alone. */
export async function countArrivals(port: number): Promise<Counter> {
  const socket: Socket = connect({ port, host: '127.0.0.1' });
  await once(socket, 'connect');
  const state = { count: 0, firstAt: 0, lastAt: 0, [Symbol.dispose]: () => socket.destroy() };
  let rest: Buffer = Buffer.alloc(0);
  let greeted: () => void = () => {};
  const ready = new Promise<void>(resolve => {
    greeted = resolve;
  });
  socket.on('error', () => {});
  socket.on('data', (chunk: Buffer) => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    let at = 0;
    while (at + 2 <= bytes.length) {
      let length = 0;
      let head = at + 1;
      let factor = 1;
      for (; head < bytes.length; head++, factor *= 128) {
        length += (bytes[head]! & 127) * factor;
        if (bytes[head]! < 128) break;
      }
      if (head >= bytes.length || head + 1 + length > bytes.length) break;
      const type = bytes[at]! >> 4;
      if (type === 2) socket.write(subscribePacket('device'));
      if (type === 9) greeted();
      if (type === 3) {
        state.lastAt = performance.now();
        if (state.count++ === 0) state.firstAt = state.lastAt;
      }
      at = head + 1 + length;
    }
    rest = bytes.subarray(at);
  });
  socket.write(connectPacket({ clientId: 'bench-counter', userName: 'bench', password: 'bench' }));
  await ready;
  return state;
}
