import { z } from '@hono/zod-openapi';
import type { Site } from '../platform/site.ts';
import type { Provisioning } from '../provisioning/index.ts';
import type { Clock } from '../runtime/clock.ts';
import type { ProvisioningReads, ProvisioningWrites, ReadPart } from '../store/index.ts';
import { operation, type Report, type Running, resource } from './operation.ts';
import { refused } from './problem.ts';
import { done } from './shapes.ts';
import type { Writing } from './writing.ts';

const setup = z.object({
  mode: z
    .enum(['off', 'stopped', 'ready', 'waiting', 'opening', 'open', 'trying'])
    .describe('stopped: what the store of a stopped box tells. The others: docs/provisioning.md'),
  since: z.number().nullable(),
  why: z.string(),
  name: z.string().nullable().describe('The broadcast name; null on a stopped box'),
  hotspot: z.string().nullable().describe("Where the hotspot's page is now"),
  bluetooth: z.string().nullable().describe('Null: phones can find the box by Bluetooth. Otherwise why not'),
  last: z
    .object({
      status: z.number(),
      error: z.number().nullable(),
      message: z.string(),
      ssid: z.string(),
      at: z.number(),
    })
    .nullable()
    .describe('In the codes of SPEC 3.4 and 7.6'),
});
/** How the box's own network was set up, or is being set up by a phone. */
type SetupReport = Report<typeof setup>;

const setupOperations = {
  report: operation({
    method: 'get',
    path: '/setup',
    role: 'viewer',
    summary: 'Whether a phone may set the box up now, under which name, and how the last attempt went',
    returns: 'The report',
    answer: setup,
  }),
  // By POST: so it needs the role admin, and the password stands in no history.
  hotspot: operation({
    method: 'post',
    path: '/setup/hotspot',
    role: 'admin',
    summary: "The hotspot's name and password, for the box's label",
    returns: 'Both; the password null where the hotspot is open',
    answer: z.object({ name: z.string().nullable(), key: z.string().nullable() }),
  }),
  resetNetwork: operation({
    method: 'post',
    path: '/setup/reset-network',
    role: 'admin',
    summary: 'Forgets the wifi network and lets a phone set the box up again',
    returns: 'Done',
    answer: done,
  }),
  resetAll: operation({
    method: 'post',
    path: '/reset-all',
    role: 'admin',
    summary: 'Removes everything that the box holds and restarts it as it left the shelf; `name` is that of the site',
    body: z.object({ name: z.string().max(200) }),
    returns: 'Whether it restarts now, or when it is started by hand',
    answer: z.object({ outcome: z.enum(['starts_anew', 'at_next_start']) }),
    failures: { 422: 'This is not the name of the site' },
  }),
};
type SetupAdmin = Running<typeof setupOperations>;

/** `resetAll` returns whether the box starts again by itself. */
const setupAdmin = (
  provisioning: Pick<Provisioning, 'report' | 'hotspot' | 'reset'>,
  resetAll: () => Promise<boolean>,
  site: Pick<Site, 'name'>,
): SetupAdmin => ({
  async report() {
    const { mode, since, why, name, hotspot, bluetooth, last } = provisioning.report();
    return { mode, since, why, name, hotspot, bluetooth, last };
  },
  hotspot: async () => provisioning.hotspot(),
  async resetNetwork() {
    await provisioning.reset();
    return { done: true };
  },
  async resetAll({ name }) {
    if (name.trim() !== site.name.trim())
      throw refused(422, 'wrong_name', 'this is not the name of the site: nothing was changed');
    return { outcome: (await resetAll()) ? 'starts_anew' : 'at_next_start' };
  },
});

/** Steps of set-up as the store of a stopped box tells them. */
const stoppedSetup = ({
  store,
  writing,
  clock,
}: {
  readonly store: ReadPart<ProvisioningReads>;
  readonly writing: Writing<ProvisioningWrites>;
  readonly clock: Clock;
}) => ({
  report: () => stoppedReport(store),
  hotspot: async () => ({ name: null, key: await store.read.hotspotKey() }),
  async resetNetwork() {
    await writing(write => write.noteNetworkSetup({ state: 'reset', changedAt: clock.now(), ssid: '' }));
    return { done: true as const };
  },
});

async function stoppedReport({ read }: ReadPart<ProvisioningReads>): Promise<SetupReport> {
  const kept = await read.networkSetup();
  const why = { new: 'never set up by a phone', done: `set up for ${kept?.ssid}`, reset: 'waits to be set up again' };
  return {
    mode: 'stopped',
    since: kept?.changedAt ?? null,
    why: why[kept?.state ?? 'new'],
    name: null,
    hotspot: null,
    bluetooth: null,
    last: kept?.last ?? null,
  };
}

export const setupResource = resource(
  setupOperations,
  ({
    provisioning,
    resetAll,
    site,
  }: {
    readonly provisioning: Pick<Provisioning, 'report' | 'hotspot' | 'reset'>;
    resetAll(): Promise<boolean>;
    readonly site: Pick<Site, 'name'>;
  }) => setupAdmin(provisioning, resetAll, site),
  stoppedSetup,
);
