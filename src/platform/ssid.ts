/**
 * Names of wifi networks (SSIDs) are 1 to 32 bytes of no certain encoding (IEEE 802.11). Routers in
 * China often send GBK.
 */

export const ssidBytesMax = 32;

/** A name as people read it, and the bytes where they are not its UTF-8. */
export interface Ssid {
  readonly ssid: string;
  readonly bytes?: Uint8Array;
}

const encodings = ['utf-8', 'gbk', 'latin1'] as const;

/** UTF-8; else by guess GBK; else each byte as a character of Latin 1. */
export function readSsid(bytes: Uint8Array): Ssid {
  for (const encoding of encodings) {
    try {
      const ssid = new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes);
      return encoding === 'utf-8' ? { ssid } : { ssid, bytes };
    } catch {
      // The next one.
    }
  }
  return { ssid: Buffer.from(bytes).toString('latin1'), bytes };
}

/** The bytes that go into the air. */
export const bytesOfSsid = ({ ssid, bytes }: Ssid): Uint8Array => bytes ?? Buffer.from(ssid, 'utf8');
