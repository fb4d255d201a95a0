const shared = new WeakSet<object>();

/** Says that these bytes are kept anyway, and cost nothing more for each caller that they go to. */
export function markShared<Bytes extends Uint8Array>(bytes: Bytes): Bytes {
  shared.add(bytes.buffer);
  return bytes;
}

export const isShared = (bytes: Uint8Array): boolean => shared.has(bytes.buffer);
