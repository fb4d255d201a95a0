import { crc32 } from 'node:zlib';
import { withoutEnd } from '../runtime/without-end.ts';

/**
 * CRC-32 as zlib, PNG and Ethernet compute it, over device_id + "-" + random string + "-" +
 * product_key (SPEC 5.4).
 */
export function signatureNumber(deviceId: string, random: Uint8Array, productKey: string): number {
  const bytes = Buffer.concat([Buffer.from(`${deviceId}-`), random, Buffer.from(`-${productKey}`)]);
  return crc32(bytes);
}

/**
 * The text form in which a signature is sent: 8 lower-case hex digits (DESIGN 5; SPEC 5.4 shows
 * none).
 */
export const signatureText = (signature: number): string => signature.toString(16).padStart(8, '0');

/** Forms in which a device may have written the number. */
export type SignatureForm = 'hex' | 'decimal' | 'signed decimal' | 'bytes' | 'bytes, reversed';

/**
 * In which form `written` is the number; null: in none. Hex is read in any case, without leading
 * zeros and with 0x.
 */
export function signatureForm(written: Uint8Array, signature: number): SignatureForm | null {
  const text = withoutEnd(Buffer.from(written).toString('latin1'), '\0').trim().toLowerCase();
  if (/^(0x)?[0-9a-f]{1,8}$/.test(text) && Number.parseInt(text, 16) === signature) return 'hex';
  if (text === String(signature)) return 'decimal';
  if (text === String(signature | 0)) return 'signed decimal';
  if (written.length < 4 || written.subarray(4).some(byte => byte !== 0)) return null;
  const view = new DataView(written.buffer, written.byteOffset, written.byteLength);
  if (view.getUint32(0) === signature) return 'bytes';
  return view.getUint32(0, true) === signature ? 'bytes, reversed' : null;
}
