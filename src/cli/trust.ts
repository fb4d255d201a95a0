import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { trustStore } from '../operations/trust-store.ts';
import { CommandFailed, type Run, textOption } from './command.ts';
import { openOut } from './export.ts';
import { dataDirOf } from './find-box.ts';

/** `trust export --edition full|slim [--out F.pem]`: what a device embeds to accept this box (SPEC 5.3). */
export const trustExport: Run = async call => {
  const dataDir = dataDirOf(call);
  let caPem: string;
  try {
    caPem = readFileSync(join(dataDir, 'tls', 'ca.pem'), 'utf8');
  } catch {
    throw new CommandFailed(
      `${dataDir}: no certificate authority yet: start the box once with \`gatehouse serve\`, or name its --data-dir`,
    );
  }
  await using out = openOut(call);
  await out.write(trustStore((textOption(call, 'edition') ?? 'slim') as 'full' | 'slim', caPem));
};
