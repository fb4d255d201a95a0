import { type BatchTransport, connectForBatches } from './batch-transport.ts';
import type { Batches } from './batches.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';
import type { Downlink } from './downlink.ts';
import { boxCredentials } from './identities.ts';
import { KeptConnection } from './kept-connection.ts';
import type { UpstreamConfig, UpstreamOptions } from './port.ts';

/** The box's own session with a cloud that takes batches (CONTRACT 5, mode batch). */
export function batchConnection(
  { box, trust, clock, random }: Pick<UpstreamOptions, 'box' | 'trust' | 'clock' | 'random'>,
  { deviceHttp: base }: UpstreamConfig,
  batches: Batches,
  {
    breaker,
    downlink,
    onChange,
  }: { readonly breaker: CircuitBreaker; readonly downlink: Downlink; readonly onChange: () => void },
): KeptConnection<BatchTransport> {
  const message = (payload: Uint8Array) => downlink.message(null, payload);
  return new KeptConnection({
    candidates: () => ({
      credentials: box && base ? [boxCredentials(box)] : [],
      why: 'box.access_key or upstream.device_http is not set',
    }),
    connect: (credentials, lost, signal) =>
      connectForBatches(base ?? '', { trust, clock, message }, credentials, lost, signal),
    breaker,
    clock,
    random,
    up: transport => batches.up(transport),
    lost: () => batches.lost(),
    changed: onChange,
  });
}
