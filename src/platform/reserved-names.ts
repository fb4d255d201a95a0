/**
 * Names that the audit log and the pages use for what is not a person: the box's socket, tokens,
 * the box itself, an anonymous caller.
 */
const reserved = new Set(['command', 'token', 'system', 'gatehouse', 'box', 'nobody', 'unknown']);

/**
 * Whether a name is reserved: a person with that name would appear in the audit log as something
 * else. Letter case, width and invisible characters make no difference.
 */
export function isReservedName(name: string): boolean {
  const seen = name.normalize('NFKC').trim().toLowerCase();
  return seen === '' || reserved.has(seen) || /^token\s/.test(seen) || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name);
}
