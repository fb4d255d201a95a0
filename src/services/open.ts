import type { HttpBindings } from '@hono/node-server';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { serviceLimits } from '../platform/services.ts';
import type { Store } from '../store/index.ts';
import { ServicesDoor } from './door.ts';
import { Files } from './files/files.ts';
import { ServiceCallers } from './signing/callers.ts';
import { Once } from './signing/once.ts';
import { type RefusedServiceCall, RefusedServiceCalls } from './signing/refused-calls.ts';

export interface ServicesOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly dataDir: string;
  /** Address of this box for links, as the caller reached it: with TLS or without. */
  readonly addressOf: (host: string, overHttps: boolean) => string;
}

export interface Services {
  /** SPEC 4.7, to be mounted on the listeners. */
  readonly routes: OpenAPIHono<{ Bindings: HttpBindings }>;
  refusedCalls(): RefusedServiceCall[];
  /** Removes what has run out. */
  retire(): Promise<void>;
}

const dayMs = 24 * 3600_000;

export async function openServices(options: ServicesOptions): Promise<Services> {
  const { store, clock, log, dataDir } = options;
  const refused = new RefusedServiceCalls(clock);
  const callers = new ServiceCallers({ read: store.read, clock, refused });
  const once = new Once({ store, clock });
  const files = await Files.open({ store, clock, log, dataDir, once, hasCloud: false, poke: () => {} });
  files
    .sweepStrays()
    .catch(error => log.warn({ error: String(error) }, 'files that were cut off could not be removed'));
  const door = new ServicesDoor({ clock, callers, once, files, addressOf: options.addressOf });
  return {
    routes: door.routes,
    refusedCalls: () => refused.list(),
    async retire() {
      const now = clock.now();
      await files.sweep();
      await store.write.retireServices({
        // Either way of the clock, and as much again.
        answersBefore: now - 4 * serviceLimits.signedAgeMsMax,
        messagesBefore: now - 90 * dayMs,
        rememberedBefore: now - 7 * dayMs,
      });
    },
  };
}
