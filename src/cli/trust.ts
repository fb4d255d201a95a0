import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trustStore } from '../operations/index.ts';
import { becomeOwner } from '../runtime/become-owner.ts';
import { type Call, CommandFailed, type Run, textOption } from './command.ts';
import { configOf, dataDirOf } from './config-of.ts';
import { openOut } from './out.ts';

/**
 * `trust export --edition full|slim [--out F.pem]`: the certificates that a device must trust (SPEC
 * 5.3).
 */
export const trustExport: Run = async call => {
  await using out = openOut(call, 0o644);
  await out.write(trustStore((textOption(call, 'edition') ?? 'slim') as 'full' | 'slim', authorityOf(call)));
  await out.done();
};

/** The root of the site's own certificate if the config names one, else the box's own authority. */
function authorityOf(call: Call): string {
  const own = textOption(call, 'data-dir') === undefined ? configOf(call).tls : undefined;
  if (own?.cert !== undefined)
    return own.cert.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)!.at(-1)!;
  const dataDir = dataDirOf(call);
  using _owner = becomeOwner(dataDir);
  try {
    return readFileSync(join(dataDir, 'tls', 'ca.pem'), 'utf8');
  } catch {
    throw new CommandFailed(
      `${dataDir}: no certificate authority yet: start the box once with \`gatehouse serve\`, or name its --data-dir`,
    );
  }
}
