import { join } from 'node:path';
import type { Box } from '../../src/box/box.ts';
import { aBox } from './box.ts';
import { siteOfAllCallers, type Target } from './every-caller.ts';

export interface EveryListener extends AsyncDisposable {
  readonly box: Box;
  /** Where one of `box.served` is. */
  target(listener: string): Target;
}

const config = {
  listen: { http: '127.0.0.1:0', metrics: '127.0.0.1:0' },
  provisioning: { wifi: 'simulated', hotspot: '127.0.0.1:0', bluetooth: 'off', result_listen: 'off' },
};

/**
 * A box in this process with all that it can listen on, and a site in which each of the callers has
 * its credentials.
 */
export async function aBoxWithEveryListener(env: NodeJS.ProcessEnv = {}): Promise<EveryListener> {
  const local = await aBox(config, siteOfAllCallers, env);
  const box = local.opened;
  return {
    box,
    target: listener =>
      listener === 'socket'
        ? { address: join(local.dataDir, 'gatehouse.sock') }
        : { address: local.addresses[listener]!, ...(listener === 'https' ? { ca: box.caPem } : {}) },
    [Symbol.asyncDispose]: () => local[Symbol.asyncDispose](),
  };
}
