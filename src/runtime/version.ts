import manifest from '../../package.json' with { type: 'json' };
import { clockEarliest, type UnixMs } from './clock.ts';

/** The version of this program, as `gatehouse version` and the status show it. */
export const programVersion: string = manifest.version;

/** Put in by the build: seconds since 1970, of the commit. */
declare const commitSeconds: number | undefined;

/** When the program was made: its commit; run from its sources, the earliest time of any box. */
export const programAt: UnixMs =
  typeof commitSeconds === 'number' ? Math.max(commitSeconds * 1000, clockEarliest) : clockEarliest;

/** Put in by the build: of the commit (`scripts/commit-id.ts`); null where it had no repository. */
declare const commitId: string | null | undefined;

/** The commit that the program was built from; null: unknown, as where it runs from its sources. */
export const programCommit: string | null = typeof commitId === 'string' ? commitId : null;
