import { z } from '@hono/zod-openapi';
import { backlogGrows, boxTroubles, clockOffMs, oldestWaitedMs, troublesOf } from '../platform/fleet.ts';
import type { Clock, UnixMs } from '../runtime/clock.ts';
import type { BoxBelow, BoxHeard, DirectoryStore, FleetReads, ReadPart } from '../store/index.ts';
import { described } from '../words/described.ts';
import { type Asked, operation, type Report, resource } from './operation.ts';
import { sentenceShape } from './problem.ts';

const trouble = z
  .enum(boxTroubles)
  .describe(
    described(
      'silent: not heard for five minutes; disk: it takes nothing, or is nearly full; backlog: the oldest record waits for ten minutes, or more waits than before; update: the last one failed; clock: off by more than a minute',
      'silent：五分钟没有联络；disk：磁盘停止写入或将满；backlog：最早的记录已等待十分钟，或等待的比之前多；update：上次升级失败；clock：偏差超过一分钟',
    ),
  );

const fleetRow = z.object({
  box_id: z.string(),
  name: z.string(),
  troubles: z
    .array(trouble)
    .describe(described('The worst first; empty: all is well', '最严重的在前；为空表示一切正常')),
  heard_at: z
    .number()
    .nullable()
    .describe(
      described(
        'When it last sent or asked anything, by the clock here; null: never',
        '最近一次上送或询问的时间，按本网关的时钟；null：从未',
      ),
    ),
  reported_at: z
    .number()
    .nullable()
    .describe(
      described(
        'When it last said how it is; null: its program sends no reports',
        '最近一次上报自身状况的时间；null：该版本不上报',
      ),
    ),
  version: z
    .string()
    .describe(
      described(
        'As all that follows, what the box itself said last; empty: it did not say',
        '与以下各项相同，为该网关最近一次所报；为空：未报',
      ),
    ),
  environment: z.string().nullable(),
  outbox: z
    .object({
      waiting: z.number().describe(described('Records that are not confirmed here', '尚未得到本网关确认的记录')),
      oldest_ms: z
        .number()
        .nullable()
        .describe(
          described(
            'How long the oldest of them had waited; null: nothing waited',
            '其中最早的一条已等待多久；null：没有等待的',
          ),
        ),
      grows: z.boolean().describe(described('More waits than at least ten minutes before', '比至少十分钟前等待的更多')),
      parked: z.number(),
    })
    .nullable(),
  disk: z
    .object({
      state: z.string().describe(described('ok, or why nothing is acknowledged there', 'ok，或该网关停止确认的原因')),
      used_bytes: z.number(),
      free_bytes: z.number(),
      low: z.boolean().describe(described('It is nearly full, by its own measure', '按该网关自己的判断，即将写满')),
    })
    .nullable(),
  clock: z.object({
    off_ms: z
      .number()
      .nullable()
      .describe(
        described(
          'Ahead of the clock here, with the time on the way; null: it did not say',
          '比本网关的时钟快多少，含传输时间；null：未报',
        ),
      ),
    synchronized: z
      .boolean()
      .nullable()
      .describe(described('By the network; null: it does not know', '由网络校时；null：不清楚')),
  }),
  update: z
    .object({
      found: z
        .number()
        .describe(described('Updates that were found there and can be installed', '该网关上已找到、可以安装的升级包')),
      outcome: z
        .string()
        .describe(
          described(
            'Of the last update, as `updates.report` says it; empty: there was none',
            '最近一次升级的结果，与 `updates.report` 相同；为空：没有升级过',
          ),
        ),
      to: z.string(),
      why: z.string(),
      ...sentenceShape,
    })
    .nullable(),
  devices: z
    .object({ known: z.number(), online: z.number(), refused: z.number() })
    .nullable()
    .describe(described('As the box counts them', '该网关自己的计数')),
  devices_here: z.number().describe(described('How many devices belong to it here', '在本网关登记为属于它的设备数')),
});
export type FleetRow = Report<typeof fleetRow>;

const fleetPage = z.object({
  rows: z
    .array(fleetRow)
    .describe(described('Those in trouble first, the worst of them at the top', '有问题的在前，最严重的排在最前')),
  cursor: z
    .string()
    .nullable()
    .describe(described('Where the next page goes on; null: this was the last', '下一页的起点；null：这是最后一页')),
  total: z.number().describe(described('How many boxes match', '符合条件的网关数')),
  boxes: z.number().describe(described('How many there are', '总次数')),
  in_trouble: z
    .record(z.enum(boxTroubles), z.number())
    .describe(described('How many boxes have each trouble', '有各种问题的网关数')),
  well: z.number().describe(described('How many have none', '没有问题的网关数')),
});
type FleetPage = Report<typeof fleetPage>;

const fleetOperations = {
  list: operation({
    method: 'get',
    path: '/fleet',
    role: 'viewer',
    summary: described(
      'The boxes below and how each is: version, backlog, last heard, disk, clock, updates',
      '下级网关及各自的状况：版本、积压、最近联络、磁盘、时钟、升级',
    ),
    query: z.object({
      search: z.string().max(100).optional().describe(described('In the id or the name', '编号或名称中的文字')),
      trouble: z.enum([...boxTroubles, 'any', 'none']).optional(),
      cursor: z
        .string()
        .regex(/^\d{1,6}$/)
        .optional(),
      limit: z.coerce.number<number>().int().min(1).max(500).default(50),
    }),
    returns: described('The page', '一页'),
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
