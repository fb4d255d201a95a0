import { isUtf8 } from 'node:buffer';

interface FittedLog {
  readonly bytes: Uint8Array;
  readonly truncated: boolean;
  readonly repaired: boolean;
}

/**
 * Cuts a log record to `bytesMax` bytes of UTF-8 on a character boundary (SPEC 8: 4 KB, counted on
 * the raw body); a NUL or an invalid byte becomes U+FFFD and sets `repaired`. Never refuses: a
 * device cannot send it better the second time. The usual record comes back as the same bytes, not
 * copied.
 */
export function fitLogRecord(bytes: Uint8Array, bytesMax: number): FittedLog {
  const truncated = bytes.length > bytesMax;
  const kept = truncated ? bytes.subarray(0, characterEnd(bytes, bytesMax)) : bytes;
  if (kept.indexOf(0) < 0 && isUtf8(kept)) return { bytes: kept, truncated, repaired: false };
  const repaired = Buffer.from(Buffer.from(kept).toString('utf8').replaceAll('\0', '\ufffd'));
  // A replacement is three bytes where one was: the record may have outgrown the limit.
  const fits = repaired.length <= bytesMax ? repaired : repaired.subarray(0, characterEnd(repaired, bytesMax));
  return { bytes: fits, truncated: truncated || fits.length < repaired.length, repaired: true };
}

/**
 * The last index up to `end` at which a character starts; a run of stray continuation bytes is cut
 * where it stands.
 */
function characterEnd(bytes: Uint8Array, end: number): number {
  for (let at = end; at > end - 4 && at > 0; at--) if ((bytes[at]! & 0xc0) !== 0x80) return at;
  return end;
}
