import { withoutEnd } from '../runtime/without-end.ts';
/**
 * How a wifi password is protected on its way over Bluetooth (SPEC 5.4). This is obfuscation, not
 * encryption: anybody with the product_key can read it, and the folded form has only 256 keys.
 *
 * - `fold`: "each source byte is XORed in turn with every byte of the key", which comes to one
 *   byte, the XOR of the whole key. This is sent.
 * - `repeat`: the key laid along the source again and again. Read as well, because devices do it;
 *   sent where a product is set to it.
 */
export type PasswordForm = 'fold' | 'repeat';
export const passwordForms: readonly PasswordForm[] = ['fold', 'repeat'];

interface Protection {
  /** `VENDOR@`: shows whether a key is right. */
  readonly marker: string;
  /** Not empty. */
  readonly key: string;
  readonly form: PasswordForm;
}

/**
 * (marker + password) XOR key. An open network has an empty password, which is sent as nothing at
 * all.
 */
export function protectPassword(password: string, { marker, key, form }: Protection): Uint8Array {
  if (password === '') return new Uint8Array();
  return exclusiveOr(Buffer.from(marker + password, 'utf8'), keyBytes(key), form);
}

interface OpenedPassword {
  readonly password: string;
  /** Which of the keys, and which form: to be shown, and kept for the next time. */
  readonly key: string;
  readonly form: PasswordForm;
}

/**
 * Tries every key in both forms; the marker decides. Null: none gives it, and the message is to be
 * ignored (SPEC 5.4).
 */
export function openPassword(
  bytes: Uint8Array,
  { marker, keys }: { readonly marker: string; readonly keys: readonly string[] },
): OpenedPassword | null {
  const expected = Buffer.from(marker, 'utf8');
  for (const key of keys)
    for (const form of passwordForms) {
      const opened = Buffer.from(exclusiveOr(bytes, keyBytes(key), form));
      if (opened.subarray(0, expected.length).equals(expected))
        return { password: withoutEnd(opened.subarray(expected.length).toString('utf8'), '\0'), key, form };
    }
  return null;
}

function keyBytes(key: string): Uint8Array {
  if (key === '') throw new RangeError('the product_key is empty: nothing can be protected with it');
  return Buffer.from(key, 'utf8');
}

function exclusiveOr(source: Uint8Array, key: Uint8Array, form: PasswordForm): Uint8Array {
  const folded = key.reduce((all, byte) => all ^ byte, 0);
  return source.map((byte, index) => byte ^ (form === 'fold' ? folded : key[index % key.length]!));
}
