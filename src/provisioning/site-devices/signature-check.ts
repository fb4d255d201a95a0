import { crc32 } from 'node:zlib';
import { type SignatureForm, signatureForm, signatureNumber } from '../../platform/device-signature.ts';
import type { Reason } from '../../words/sentences.ts';
import { signatureFindings } from '../../words/site-device-steps.ts';

const { say } = signatureFindings;

/** Keys with which a device may have signed, by what people call them; the right one first. */
export interface NamedKey {
  readonly name: 'product key' | 'device key';
  readonly key: string;
}

interface OtherKey {
  readonly productId: string;
  readonly ofOtherEnvironment?: boolean;
  readonly key: string;
}

interface SignatureFinding {
  readonly key: NamedKey['name'] | null;
  readonly form: SignatureForm | null;
  /** Key that matched, or the likely mistake. */
  readonly said: Reason;
}

interface Signed {
  readonly deviceId: string;
  readonly random: Uint8Array;
  readonly signature: Uint8Array;
}

/**
 * Compares a signature of SPEC 5.4 with every possible key. If none matches, it tries the mistakes
 * that firmware makes: the key of another product, another letter case, other separators, another
 * order.
 */
export function checkSignature(
  signed: Signed,
  keys: readonly NamedKey[],
  otherKeys: readonly OtherKey[],
): SignatureFinding {
  const { deviceId, random, signature } = signed;
  for (const id of spellings(deviceId))
    for (const { name, key } of keys) {
      const form = signatureForm(signature, signatureNumber(id, random, key));
      if (!form) continue;
      const said =
        id === deviceId ? say('signed', { key: name, form }) : say('signed_other_letters', { key: name, form, id });
      return { key: name, form, said };
    }
  return { key: null, form: null, said: likelyMistake(signed, keys, otherKeys) };
}

const spellings = (id: string): string[] => [...new Set([id, id.toUpperCase(), id.toLowerCase()])];

function likelyMistake(
  { deviceId, random, signature }: Signed,
  keys: readonly NamedKey[],
  otherKeys: readonly OtherKey[],
): Reason {
  const is = (text: readonly (string | Uint8Array)[]): boolean =>
    signatureForm(signature, crc32(Buffer.concat(text.map(one => Buffer.from(one as string))))) !== null;
  for (const { productId: product, ofOtherEnvironment, key } of otherKeys)
    if (is([`${deviceId}-`, random, `-${key}`]))
      return say(ofOtherEnvironment ? 'signed_other_environment' : 'signed_other_product', { product });
  for (const { name, key } of keys) {
    if (is([`${deviceId}-`, random, `-${key}\n`]) || is([`${deviceId}-`, random, `-${key.trim()}`]))
      return say('signed_key_with_blank', { key: name });
    if (is([deviceId, random, key])) return say('signed_no_hyphens', { key: name });
    if (
      is([`${deviceId}-${key}-`, random]) ||
      is([random, `-${deviceId}-${key}`]) ||
      is([`${key}-`, random, `-${deviceId}`])
    )
      return say('signed_other_order', { key: name });
    if (is([`${deviceId}-`, random])) return say('signed_no_key');
    const padded = Buffer.concat([random, Buffer.alloc(1)]);
    if (is([`${deviceId}-`, padded, `-${key}`])) return say('signed_zero_byte', { key: name });
  }
  if (is([`${deviceId}-`, random, '-'])) return say('signed_empty_key');
  return say('signed_unknown_key');
}
