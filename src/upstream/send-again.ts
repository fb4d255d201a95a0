import { outgoing } from './outgoing.ts';
import type { UpstreamOptions } from './port.ts';
import type { Outgoing } from './transport.ts';

const itStays = { code: 403, reason: 'features stay at this site (features.upstream: off)' } as const;

/**
 * Parked records that a person asked to send again. One that has to stay at the site by now is
 * parked with that reason.
 */
export async function* recordsToSendAgain(
  { store, leaving, clock }: Pick<UpstreamOptions, 'store' | 'leaving' | 'clock'>,
  as: 'stamped' | 'verbatim',
): AsyncGenerator<{ record: Outgoing; parkedAt: number }> {
  for (const { seq, parkedAt } of await store.read.parked({ sendAgain: true })) {
    const found = await store.read.record(seq);
    if (!found) continue;
    const record = outgoing(found, leaving, as);
    if (record.passOver) await store.write.settleParked({ seq, outcome: itStays, at: clock.now() });
    else yield { record, parkedAt };
  }
}
