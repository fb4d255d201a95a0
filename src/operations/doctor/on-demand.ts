import type { Check, DoctorRun } from '../../platform/checks.ts';
import type { DoctorOptions } from './run.ts';

/** See `examine` in run.ts; it is loaded on demand, not at each start. */
export async function* examine(what: DoctorRun, options: DoctorOptions): AsyncGenerator<Check> {
  const run = await import('./run.ts');
  yield* run.examine(what, options);
}
