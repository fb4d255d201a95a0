import { issueLeaf, makeAuthority } from '../../src/operations/issuing.ts';
import { realClock } from '../../src/runtime/real-world.ts';

/** A certificate for the loopback, of an authority of its own. PEM. */
export async function aCertificate(
  names: readonly string[] = ['localhost'],
): Promise<{ readonly ca: string; readonly cert: string; readonly key: string }> {
  const authority = await makeAuthority(realClock.now());
  const leaf = await issueLeaf(authority, { names: [...names], addresses: ['127.0.0.1'] }, realClock.now());
  return { ca: authority.cert, ...leaf };
}
