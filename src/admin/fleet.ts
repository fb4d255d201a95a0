import { z } from '@hono/zod-openapi';
import { backlogGrows, boxTroubles, clockOffMs, oldestWaitedMs, troublesOf } from '../platform/fleet.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import type { BoxBelow, BoxHeard, DirectoryStore, FleetReads, ReadPart } from '../store/index.ts';
import { type Asked, operation, type Report, resource } from './operation.ts';

const trouble = z
  .enum(boxTroubles)
  .describe(
    'silent: not heard for five minutes; disk: it takes nothing, or is nearly full; backlog: the oldest record waits for ten minutes, or more waits than before; update: the last one failed; clock: off by more than a minute',
  );

const fleetRow = z.object({
  box_id: z.string(),
  name: z.string(),
  troubles: z.array(trouble).describe('The worst first; empty: all is well'),
  heard_at: z.number().nullable().describe('When it last sent or asked anything, by the clock here; null: never'),
  reported_at: z.number().nullable().describe('When it last said how it is; null: its program sends no reports'),
  version: z.string().describe('As all that follows, what the box itself said last; empty: it did not say'),
  environment: z.string().nullable(),
  outbox: z
    .object({
      waiting: z.number().describe('Records that are not confirmed here'),
      oldest_ms: z.number().nullable().describe('How long the oldest of them had waited; null: nothing waited'),
      grows: z.boolean().describe('More waits than at least ten minutes before'),
      parked: z.number(),
    })
    .nullable(),
  disk: z
    .object({
      state: z.string().describe('ok, or why nothing is acknowledged there'),
      used_bytes: z.number(),
      free_bytes: z.number(),
      low: z.boolean().describe('It is nearly full, by its own measure'),
    })
    .nullable(),
  clock: z.object({
    off_ms: z.number().nullable().describe('Ahead of the clock here, with the time on the way; null: it did not say'),
    synchronized: z.boolean().nullable().describe('By the network; null: it does not know'),
  }),
  update: z
    .object({
      found: z.number().describe('Updates that were found there and can be installed'),
      outcome: z.string().describe('Of the last update, as `updates.report` says it; empty: there was none'),
      to: z.string(),
      why: z.string(),
    })
    .nullable(),
  devices: z
    .object({ known: z.number(), online: z.number(), refused: z.number() })
    .nullable()
    .describe('As the box counts them'),
  devices_here: z.number().describe('How many devices belong to it here'),
});
export type FleetRow = Report<typeof fleetRow>;

const fleetPage = z.object({
  rows: z.array(fleetRow).describe('Those in trouble first, the worst of them at the top'),
  cursor: z.string().nullable().describe('Where the next page goes on; null: this was the last'),
  total: z.number().describe('How many boxes match'),
  boxes: z.number().describe('How many there are'),
  in_trouble: z.record(z.enum(boxTroubles), z.number()).describe('How many boxes have each trouble'),
  well: z.number().describe('How many have none'),
});
type FleetPage = Report<typeof fleetPage>;

const fleetOperations = {
  list: operation({
    method: 'get',
    path: '/fleet',
    role: 'viewer',
    summary: 'The boxes below and how each is: version, backlog, last heard, disk, clock, updates',
    query: z.object({
      search: z.string().max(100).optional().describe('In the id or the name'),
      trouble: z.enum([...boxTroubles, 'any', 'none']).optional(),
      cursor: z
        .string()
        .regex(/^\d{1,6}$/)
        .optional(),
      limit: z.coerce.number<number>().int().min(1).max(500).default(50),
    }),
    returns: 'The page',
    answer: fleetPage,
  }),
};

type FleetStore = ReadPart<FleetReads> & DirectoryStore;

/**
 * The order changes as boxes are heard, so that the cursor is a place in it: a box that moves may
 * show twice or not on the pages of one reader.
 */
export async function fleetPageOf(
  { read, directory }: FleetStore,
  { search, trouble: wanted, cursor, limit }: Asked<typeof fleetOperations.list>,
  now: UnixMs,
): Promise<FleetPage> {
  const heard = new Map((await read.boxesHeard()).map(one => [one.boxId, one]));
  const all = [...directory.boxesBelow()].map(box => {
    const known = heard.get(box.boxId) ?? null;
    return { box, heard: known, troubles: troublesOf(known, now) };
  });
  const text = search?.trim().toLowerCase() ?? '';
  const found = all
    .filter(
      ({ box, troubles }) =>
        (text === '' || box.boxId.toLowerCase().includes(text) || box.name.toLowerCase().includes(text)) &&
        (wanted === undefined ||
          (wanted === 'any'
            ? troubles.length > 0
            : wanted === 'none'
              ? troubles.length === 0
              : troubles.includes(wanted))),
    )
    .sort(byTrouble);
  const from = Number(cursor ?? 0);
  const page = found.slice(from, from + limit);
  const shown = new Set<string>(page.map(({ box }) => box.boxId));
  const devices = new Map<string, number>();
  for (const { belongsTo } of directory.devices())
    if (belongsTo !== null && shown.has(belongsTo)) devices.set(belongsTo, (devices.get(belongsTo) ?? 0) + 1);
  return {
    rows: page.map(one => rowOf(one, devices.get(one.box.boxId) ?? 0)),
    cursor: found.length > from + limit ? String(from + limit) : null,
    total: found.length,
    boxes: all.length,
    in_trouble: Object.fromEntries(
      boxTroubles.map(one => [one, all.filter(({ troubles }) => troubles.includes(one)).length]),
    ) as FleetPage['in_trouble'],
    well: all.filter(({ troubles }) => troubles.length === 0).length,
  };
}

interface Known {
  readonly box: BoxBelow;
  readonly heard: BoxHeard | null;
  readonly troubles: ReturnType<typeof troublesOf>;
}

/** By the worst trouble, then by their number, then those that were not heard for longest. */
function byTrouble(one: Known, other: Known): number {
  const worst = ({ troubles: [first] }: Known) =>
    first === undefined ? boxTroubles.length : boxTroubles.indexOf(first);
  return (
    worst(one) - worst(other) ||
    other.troubles.length - one.troubles.length ||
    (one.troubles.length > 0 ? (one.heard?.heardAt ?? 0) - (other.heard?.heardAt ?? 0) : 0) ||
    (one.box.boxId < other.box.boxId ? -1 : 1)
  );
}

function rowOf({ box, heard, troubles }: Known, devicesHere: number): FleetRow {
  const report = heard?.report ?? null;
  return {
    ...{ box_id: box.boxId, name: box.name, troubles, heard_at: heard?.heardAt ?? null },
    reported_at: report && heard!.reportedAt,
    version: report?.version ?? '',
    environment: report?.environment ?? null,
    outbox:
      heard && report?.outbox
        ? {
            ...{ waiting: report.outbox.waiting, parked: report.outbox.parked },
            ...{ oldest_ms: oldestWaitedMs(heard), grows: backlogGrows(heard) },
          }
        : null,
    disk: report?.disk ?? null,
    clock: { off_ms: heard && clockOffMs(heard), synchronized: report?.clock_synchronized ?? null },
    update: report?.update ?? null,
    devices: report?.devices ?? null,
    devices_here: devicesHere,
  };
}

const running = ({ store, clock }: { readonly store: FleetStore; readonly clock: Clock }) => ({
  list: (query: Asked<typeof fleetOperations.list>) => fleetPageOf(store, query, clock.now()),
});

export const fleetResource = resource(fleetOperations, running, running);
