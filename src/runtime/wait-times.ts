/**
 * How long many things waited, as counts in buckets whose bounds grow by a fifth: from a quarter of
 * a millisecond to 14 seconds a wait is known to 19 % in 64 numbers. The last bucket holds all that
 * took longer.
 */
export class WaitTimes {
  /** Of each bucket, since the start. */
  readonly counts = new Float64Array(waitBuckets);
  sumMs = 0;

  /** Allocates nothing: it runs for each commit. */
  add(ms: number, times: number): void {
    this.counts[bucketOf(ms)]! += times;
    this.sumMs += ms * times;
  }
}

export const waitBuckets = 64;
const smallestMs = 0.25;
const bucketsPerDoubling = 4;

/** The longest wait that a bucket holds, in milliseconds; the last one has no such bound. */
export const boundMsOf = (bucket: number): number => smallestMs * 2 ** (bucket / bucketsPerDoubling);

const bucketOf = (ms: number): number =>
  ms <= smallestMs ? 0 : Math.min(waitBuckets - 1, Math.ceil(Math.log2(ms / smallestMs) * bucketsPerDoubling));

/** Buckets that are not empty, three to seven bytes each: its number, then its count. */
export function packWaits(counts: ArrayLike<number>): Buffer {
  const bytes: number[] = [];
  for (let bucket = 0; bucket < waitBuckets; bucket++) {
    let rest = counts[bucket] ?? 0;
    if (rest <= 0) continue;
    bytes.push(bucket);
    for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  }
  return Buffer.from(bytes);
}

/** Adds what `packWaits` has packed to `counts`. Ignores buckets that it does not know. */
export function addPackedWaits(packed: Uint8Array, counts: Float64Array): void {
  for (let at = 0; at < packed.length; ) {
    const bucket = packed[at++]!;
    let count = 0;
    for (let scale = 1; at < packed.length; scale *= 128) {
      const byte = packed[at++]!;
      count += (byte & 127) * scale;
      if (byte < 128) break;
    }
    if (bucket < waitBuckets) counts[bucket]! += count;
  }
}

/** The bound in milliseconds that a share of the waits kept; null where nothing waited. */
export function waitOfShare(counts: ArrayLike<number>, share: number): number | null {
  let all = 0;
  for (let bucket = 0; bucket < waitBuckets; bucket++) all += counts[bucket]!;
  if (all === 0) return null;
  let below = 0;
  for (let bucket = 0; bucket < waitBuckets; bucket++) {
    below += counts[bucket]!;
    if (below >= all * share) return boundMsOf(bucket);
  }
  return boundMsOf(waitBuckets - 1);
}
