import { crc32 } from 'node:zlib';
import { type SignatureForm, signatureForm, signatureNumber } from '../../platform/device-signature.ts';

/** Mistake in a signature, as words for a page. */
export type SignatureMistake =
  | 'unknown_product'
  | 'other_product'
  | 'line_end'
  | 'no_hyphens'
  | 'other_order'
  | 'no_key'
  | 'zero_byte'
  | 'empty_key'
  | 'unknown_key';

/** Keys with which a device may have signed, by what people call them; the right one first. */
export interface NamedKey {
  readonly name: 'product key' | 'device key';
  readonly key: string;
}

interface SignatureFinding {
  readonly key: NamedKey['name'] | null;
  readonly form: SignatureForm | null;
  /** Mistake; null if a signature matched. */
  readonly mistake: SignatureMistake | null;
  /** Key that matched, or the likely mistake, without the key itself. */
  readonly message: string;
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
  otherKeys: readonly { readonly productId: string; readonly key: string }[],
): SignatureFinding {
  const { deviceId, random, signature } = signed;
  for (const id of spellings(deviceId))
    for (const { name, key } of keys) {
      const form = signatureForm(signature, signatureNumber(id, random, key));
      if (!form) continue;
      const letters = id === deviceId ? '' : `; it signed its id in other letters ("${id}") than it sent`;
      return { key: name, form, mistake: null, message: `signed with the ${name}, written as ${form}${letters}` };
    }
  const [mistake, message] = likelyMistake(signed, keys, otherKeys);
  return { key: null, form: null, mistake, message };
}

const spellings = (id: string): string[] => [...new Set([id, id.toUpperCase(), id.toLowerCase()])];

function likelyMistake(
  { deviceId, random, signature }: Signed,
  keys: readonly NamedKey[],
  otherKeys: readonly { readonly productId: string; readonly key: string }[],
): readonly [SignatureMistake, string] {
  const is = (text: readonly (string | Uint8Array)[]): boolean =>
    signatureForm(signature, crc32(Buffer.concat(text.map(one => Buffer.from(one as string))))) !== null;
  for (const { productId, key } of otherKeys)
    if (is([`${deviceId}-`, random, `-${key}`]))
      return [
        'other_product',
        `signed with the key of product ${productId}: the device has the key of another product, or another device id`,
      ];
  for (const { name, key } of keys) {
    if (is([`${deviceId}-`, random, `-${key}\n`]) || is([`${deviceId}-`, random, `-${key.trim()}`]))
      return [
        'line_end',
        `signed with the ${name} and a line end or a blank too many or too few: write the key again on one side`,
      ];
    if (is([deviceId, random, key]))
      return ['no_hyphens', `signed with the ${name}, without the hyphens between id, random string and key`];
    if (
      is([`${deviceId}-${key}-`, random]) ||
      is([random, `-${deviceId}-${key}`]) ||
      is([`${key}-`, random, `-${deviceId}`])
    )
      return ['other_order', `signed with the ${name}, in another order than device id, random string, key`];
    if (is([`${deviceId}-`, random])) return ['no_key', 'signed without a key'];
    const padded = Buffer.concat([random, Buffer.alloc(1)]);
    if (is([`${deviceId}-`, padded, `-${key}`]))
      return ['zero_byte', `signed with the ${name}, with a zero byte behind the random string`];
  }
  if (is([`${deviceId}-`, random, '-']))
    return ['empty_key', 'signed with an empty key: the key was never written to the device'];
  return [
    'unknown_key',
    'signed with a key that is not known here: compare the product_key of the device with the one in the site file (test and production keys differ)',
  ];
}
