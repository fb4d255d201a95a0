/**
 * The audit log is three chains: what was done, what was read (protected data: a photo, secrets,
 * features), what was refused. Entries are
 * removed only from the old end of a chain, so that a full disk may delete refusals without a gap
 * in what was done. All three share one sequence of numbers, so that the hashes cover their common
 * order too.
 */
export const auditChains = ['done', 'read', 'refused'] as const;

export type AuditChain = (typeof auditChains)[number];

/**
 * The newest entry of a chain: a copy kept elsewhere proves later that the log was not rewritten.
 */
export interface AuditHead {
  readonly chain: AuditChain;
  readonly id: number;
  readonly hash: string;
}

/** Heads that were kept, as `verify` takes them. */
export const headsText = (heads: readonly AuditHead[]): string =>
  heads.map(({ chain, id, hash }) => `${chain}:${id}:${hash}`).join(',');
