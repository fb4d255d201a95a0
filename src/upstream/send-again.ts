import type { ForwardingStore } from '../store/index.ts';
import { type Form, outgoing } from './outgoing.ts';
import type { UpstreamOptions } from './port.ts';
import type { Outgoing } from './transport.ts';

const itStays = { code: 403, reason: 'features stay at this site (features.upstream: off)' } as const;

/**
 * Parked records that staff want sent again. One that has to stay at the site by now is
 * parked with that reason.
 */
export async function* recordsToSendAgain(
  { store, leaving, clock }: { readonly store: ForwardingStore } & Pick<UpstreamOptions, 'leaving' | 'clock'>,
  as: Form,
): AsyncGenerator<Outgoing> {
  for (const { seq, parkedAt } of await store.read.parked({ sendAgain: true })) {
    const found = await store.read.record(seq);
    if (!found) continue;
    const record = outgoing(found, leaving, as);
    if (record.passOver) await store.write.settleParked({ seq, outcome: itStays, at: clock.now() });
    else yield { ...record, parkedAt };
  }
}
