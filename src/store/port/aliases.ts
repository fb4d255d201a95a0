import type { UnixMs } from '../../runtime/clock.ts';

/** Ids that devices report and nobody has: who they are is said once, by staff. */

/** As a device reports it: by `ext_id`, or where that is empty by employee number. */
export interface SaidId {
  readonly saidExtId: string;
  readonly saidNumber: string;
}

export interface Alias extends SaidId {
  readonly id: number;
  readonly extId: string;
  readonly name: string;
  readonly at: UnixMs;
  readonly by: string;
  readonly checkIns: number;
}

export interface AliasReads {
  /** Newest first. */
  aliases(limit: number): Promise<Alias[]>;
  /**
   * Whose an unknown id probably is: the only person whose id or number is the same but for case
   * and leading zeros.
   */
  likelyPeople(query: { said: readonly SaidId[] }): Promise<({ extId: string; name: string } | null)[]>;
}
