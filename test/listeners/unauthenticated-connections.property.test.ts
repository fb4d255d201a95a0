import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UnauthenticatedConnections } from '../../src/listeners/unauthenticated-connections.ts';

const bounds = { ofOneAddress: 4, loggingIn: 3, inAll: 9, devices: 5 };

/** What the bounds see of a connection. */
class FakeSocket extends EventEmitter {
  readonly remoteAddress: string;
  destroyed = false;
  begun = false;

  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }

  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    // Node says so later, when other connections have come.
    queueMicrotask(() => this.emit('close'));
  }
}

/** `of`: which of the open connections, by its number modulo how many there are. */
const act = fc.record({
  what: fc.constantFrom('come', 'come', 'speak', 'speak', 'logIn', 'end', 'pass'),
  address: fc.integer({ min: 1, max: 6 }),
  of: fc.nat(),
});

test('whatever connections do, bounds hold, nobody waits beside a free place, and the quiet and the many give way', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 120 }), async acts => {
      const refused: string[] = [];
      const counted = new UnauthenticatedConnections(bounds, (address, why) => refused.push(`${address}: ${why}`));
      const silent = new Set<FakeSocket>();
      const waiting = new Set<FakeSocket>();
      const loggingIn = new Set<FakeSocket>();
      const devices = new Set<FakeSocket>();
      const all = [silent, waiting, loggingIn];
      const as = (socket: FakeSocket) => socket as unknown as Socket;
      const tidy = () => {
        for (const set of [...all, devices]) for (const one of set) if (one.destroyed) set.delete(one);
      };
      const pick = (from: Set<FakeSocket>, of: number) => [...from][of % Math.max(1, from.size)];
      for (const { what, address, of } of acts) {
        if (what === 'pass') await Promise.resolve();
        if (what === 'come') {
          const socket = new FakeSocket(`10.0.0.${address}`);
          const own = all.flatMap(set => [...set]).filter(one => one.remoteAddress === socket.remoteAddress).length;
          const quiet = silent.size;
          const admitted = counted.admit(as(socket));
          if (own < bounds.ofOneAddress && quiet > 0) expect(admitted).toBe(true);
          if (admitted) silent.add(socket);
        }
        if (what === 'speak') {
          const socket = pick(silent, of);
          if (!socket) continue;
          silent.delete(socket);
          waiting.add(socket);
          counted.whenPlace(as(socket), () => {
            expect(socket.destroyed).toBe(false);
            waiting.delete(socket);
            loggingIn.add(socket);
          });
        }
        if (what === 'logIn') {
          const socket = pick(loggingIn, of);
          if (!socket || devices.size >= bounds.devices) continue;
          loggingIn.delete(socket);
          devices.add(socket);
          counted.loggedIn(socket, 'device');
        }
        if (what === 'end') pick(new Set([...all, devices].flatMap(set => [...set])), of)?.destroy();
        tidy();
        if (what === 'end') await Promise.resolve();
        expect(loggingIn.size).toBeLessThanOrEqual(bounds.loggingIn);
        expect(counted.count).toBeLessThanOrEqual(bounds.inAll);
        expect(counted.count + devices.size).toBeLessThanOrEqual(bounds.loggingIn + bounds.devices);
      }
      await new Promise(resolve => setImmediate(resolve));
      expect(counted.count).toBe(silent.size + waiting.size + loggingIn.size);
      if (waiting.size > 0) expect(loggingIn.size).toBe(bounds.loggingIn);
      for (const socket of [...silent, ...waiting, ...loggingIn, ...devices]) socket.destroy();
      await new Promise(resolve => setImmediate(resolve));
      expect(counted.count).toBe(0);
    }),
    { numRuns: 300 },
  );
});
