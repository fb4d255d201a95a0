import { fileURLToPath } from 'node:url';
import { buildBinary } from '../../scripts/build-binary.ts';
import type { Arch } from '../../scripts/node-for.ts';

/**
 * The system tests run the single executable of this machine, which must be built from the sources
 * under test.
 */
export default async function buildBinaryOnce(): Promise<void> {
  if (process.env.GATEHOUSE_BINARY) return;
  // Of a run with several projects, the first one builds.
  if (process.env.GATEHOUSE_BINARY_BUILT_BY === String(process.pid)) return;
  process.env.GATEHOUSE_BINARY_BUILT_BY = String(process.pid);
  await buildBinary([process.arch as Arch], fileURLToPath(new URL('../../dist/.test-binary', import.meta.url)));
}
