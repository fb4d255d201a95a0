/**
 * Names under which the audit log and the pages know what is no person: the socket of the box,
 * tokens, the box itself, nobody.
 */
const reserved = new Set(['command', 'token', 'system', 'gatehouse', 'box', 'nobody', 'unknown']);

/**
 * Whether a name cannot be a person's: whoever bore it would stand in the audit log as something
 * else. Letters that look alike when they are narrow or wide, upper or lower case count as the
 * same; so does a name with characters that are not seen.
 */
export function isReservedName(name: string): boolean {
  const seen = name.normalize('NFKC').trim().toLowerCase();
  return seen === '' || reserved.has(seen) || /^token\s/.test(seen) || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name);
}
