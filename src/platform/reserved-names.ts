/**
 * Names that the audit log and the pages use for what is not a person: the box's socket, tokens,
 * the box itself, an anonymous caller.
 */
const reserved = new Set(['command', 'token', 'system', 'gatehouse', 'box', 'nobody', 'unknown']);

/** Somebody whose page asked for something, in the audit log and in what they asked for. */
const employee = 'employee ';
export const employeeName = (extId: string): string => `${employee}${extId}`;
export const isEmployeeName = (name: string): boolean => name.startsWith(employee);

const seenAs = (name: string): string => name.normalize('NFKC').trim().toLowerCase();

/** Whether a name stands for no person: whoever uses it may be anybody. */
export function namesNobody(name: string): boolean {
  const seen = seenAs(name);
  return seen === '' || reserved.has(seen) || /^token\s/.test(seen);
}

/**
 * Whether a name is reserved: an account with that name would appear in the audit log as something
 * else. Letter case, width and invisible characters make no difference.
 */
export const isReservedName = (name: string): boolean =>
  namesNobody(name) || /^employee\s/.test(seenAs(name)) || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(name);
