import type { Log } from '../runtime/log.ts';
import type { OrganizationStore } from '../store/index.ts';

/** In one commit: a few milliseconds. */
const peopleAtOnce = 500;

/**
 * Makes the search keys of people whose rows an older program wrote, some at a time, so that other
 * writes go between them. Ends with `signal`.
 */
export async function fillSearchKeys(
  write: Pick<OrganizationStore['write'], 'fillSearchKeys'>,
  signal: AbortSignal,
  log: Log,
): Promise<void> {
  try {
    for (let after: number | null = 0; after !== null && !signal.aborted; )
      after = await write.fillSearchKeys({ after, limit: peopleAtOnce });
  } catch (error) {
    if (!signal.aborted)
      log.warn({ error: (error as Error).message }, 'names cannot be searched by pinyin until the next start');
  }
}
