import { randomBytes } from 'node:crypto';
import { countedHere } from '../runtime/guess-windows.ts';
import type { DeviceClaims } from './port/claims.ts';
import type { DeviceNo } from './port/journal.ts';
import type { Lease } from './port/lease.ts';
import type { Processes } from './port/processes.ts';
import type { SharedState } from './port/shared.ts';

/** The lease of a box, which no other process asks for. */
const alwaysMine: Lease = { isMine: true, isUpElsewhere: false, tellUp() {}, onChange() {} };

const noOthers: Processes = { async tell() {}, onMessage() {} };

const allDevices: DeviceClaims = {
  claim: async () => true,
  takeForHttp: async () => true,
  has: () => true,
  onWanted() {},
  onTaken() {},
  async tellOfMessage() {},
  onMessage() {},
};

/** Shared with nobody: a box holds in memory what it knows. */
function sharedState(): SharedState {
  let sessionsMade = 0;
  const last = new Map<string, Promise<unknown>>();
  return {
    httpSessions: {
      newValue: () => randomBytes(32).toString('base64url'),
      isOurs: () => false,
      open: async () => ++sessionsMade,
      find: async () => null,
      used() {},
      heard() {},
      end: async () => true,
      endSilent: async () => true,
      async endAllOf() {},
      onEnded() {},
    },
    guesses: countedHere,
    presence: { changed() {}, isElsewhere: () => false, onChange() {} },
    logCounts: { add: async () => new Map<DeviceNo, number>() },
    alone(key, act) {
      const mine = (last.get(key) ?? Promise.resolve()).then(act);
      const over = mine.then(
        () => {},
        () => {},
      );
      last.set(key, over);
      void over.then(() => last.get(key) === over && last.delete(key));
      return mine;
    },
  };
}

/** State that a region's processes share, for a store that one process has open. */
export const regionOfOne = () => ({
  forwarding: alwaysMine,
  once: alwaysMine,
  processes: noOthers,
  claims: allDevices,
  shared: sharedState(),
  refreshDirectory: () => false,
});
