import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box } from '../../src/box/box.ts';
import { openBox } from '../../src/box/open.ts';
import { loadConfig } from '../../src/config/index.ts';
import { silentLog } from '../../src/runtime/log.ts';
import { realClock, realRandom } from '../../src/runtime/real-world.ts';
import { siteOfAllCallers, type Target } from './every-caller.ts';
import { lightHash } from './hash-strength.ts';

export interface EveryListener extends AsyncDisposable {
  readonly box: Box;
  /** Where one of `box.served` is. */
  target(listener: string): Target;
}

/**
 * A box in this process with all that it can listen on, and a site in which each of the callers has
 * its credentials.
 */
export async function aBoxWithEveryListener(env: NodeJS.ProcessEnv = {}): Promise<EveryListener> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-listeners-'));
  const { config } = loadConfig({
    env: {
      GATEHOUSE_LISTEN__MQTTS: '127.0.0.1:0',
      GATEHOUSE_LISTEN__HTTPS: '127.0.0.1:0',
      GATEHOUSE_LISTEN__HTTP: '127.0.0.1:0',
      GATEHOUSE_LISTEN__METRICS: '127.0.0.1:0',
      GATEHOUSE_PROVISIONING__WIFI: 'simulated',
      GATEHOUSE_PROVISIONING__HOTSPOT: '127.0.0.1:0',
      GATEHOUSE_PROVISIONING__BLUETOOTH: 'off',
      GATEHOUSE_PROVISIONING__RESULT_LISTEN: 'off',
      ...env,
    },
    dataDir: join(folder, 'data'),
    cwd: folder,
  });
  const box = await openBox(
    config,
    { clock: realClock, random: realRandom, log: silentLog, hashStrength: lightHash },
    async admin => {
      const applied = await admin.apply({ site: siteOfAllCallers as never, prune: false, dryRun: false });
      if (!applied.ok) throw new Error(JSON.stringify(applied));
    },
  );
  return {
    box,
    target: listener =>
      listener === 'socket'
        ? { address: join(folder, 'data', 'gatehouse.sock') }
        : {
            address: (box.addresses as Record<string, string>)[listener]!,
            ...(listener === 'https' ? { ca: box.caPem } : {}),
          },
    async [Symbol.asyncDispose]() {
      await box[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
