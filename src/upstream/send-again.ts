import type { Clock } from '../runtime/clock.ts';
import type { ForwardingStore } from '../store/index.ts';
import { recordReasons } from '../words/records.ts';
import { type Form, type LeavingRules, outgoing } from './outgoing.ts';
import type { Outgoing } from './transport.ts';

const { reason, ...said } = recordReasons.say('kept_feature');
const itStays = { code: 403, reason, said };

/**
 * Parked records that staff want sent again. One that has to stay at the site by now is
 * parked with that reason.
 */
export async function* recordsToSendAgain(
  { store, clock, ...rules }: { readonly store: ForwardingStore; readonly clock: Clock } & LeavingRules,
  as: Form,
): AsyncGenerator<Outgoing> {
  for (const { seq, parkedAt } of await store.read.parked({ sendAgain: true })) {
    const found = await store.read.record(seq);
    if (!found) continue;
    const record = outgoing(found, rules, as);
    if (record.passOver) await store.write.settleParked({ seq, outcome: itStays, at: clock.now() });
    else yield { ...record, parkedAt };
  }
}
