import type { Store } from '../store/index.ts';
import type { LineSummary } from './overall.ts';
import type { Upstream } from './port.ts';

const none: LineSummary = {
  state: 'none',
  since: null,
  why: 'no cloud is configured: this box stands alone',
  nextTryAt: null,
};

/** The line of a box without a cloud. */
export function standingAlone(store: Store): Upstream {
  return {
    standsAlone: true,
    isUp: () => false,
    tryLogin: async () => 'unreachable',
    presence: () => {},
    status: async () => ({
      line: none,
      outbox: {
        waiting: 0,
        oldestAt: null,
        parked: (await store.read.parked()).length,
        perSecond: 0,
        catchUpSeconds: 0,
      },
    }),
    deviceLine: () => null,
    waiting: () => new Map(),
    sendAgain: seq => store.write.sendParkedAgain({ seq }),
    [Symbol.asyncDispose]: async () => {},
  };
}
