import { build } from '../../scripts/build.ts';

/** The system tests run `bin/gatehouse`, which must be made of the sources under test. */
export default async function buildOnce(): Promise<void> {
  await build();
}
