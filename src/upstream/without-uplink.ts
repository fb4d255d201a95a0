import type { ForwardingStore } from '../store/index.ts';
import { whyOf } from '../words/sentences.ts';
import { uplinkReasons } from '../words/uplink.ts';
import type { UplinkSummary } from './overall.ts';
import type { Upstream } from './port.ts';

const none: UplinkSummary = {
  state: 'none',
  since: null,
  ...whyOf(uplinkReasons.say('no_cloud')),
  nextTryAt: null,
};

/** The uplink of a box without a cloud. */
export function withoutUplink(store: ForwardingStore): Upstream {
  return {
    standsAlone: true,
    backupsAbove: null,
    reportsAbove: null,
    isUp: () => false,
    whenUp: async () => false,
    tryLogin: async () => 'unreachable',
    presence: () => {},
    status: async () => ({
      uplink: none,
      outbox: {
        waiting: 0,
        oldestAt: null,
        parked: (await store.read.parked()).length,
        perSecond: 0,
        catchUpSeconds: 0,
      },
    }),
    deviceUplink: () => null,
    waiting: () => new Map(),
    takenOver: () => [],
    cutLine: () => {},
    watchSends: () => {},
    sendOwnLog: null,
    sendAgain: seq => store.write.sendParkedAgain({ seq }),
    [Symbol.asyncDispose]: async () => {},
  };
}
