import manifest from '../../package.json' with { type: 'json' };
import { clockEarliest, type UnixMs } from './clock.ts';

/** The version of this program, as `gatehouse version` and the status show it. */
export const programVersion: string = manifest.version;

/** Put in by the build: seconds since 1970, of the commit. */
declare const commitSeconds: number | undefined;

/** When the program was made: its commit; run from its sources, the earliest time of any box. */
export const programAt: UnixMs =
  typeof commitSeconds === 'number' ? Math.max(commitSeconds * 1000, clockEarliest) : clockEarliest;
