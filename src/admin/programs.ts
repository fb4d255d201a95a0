import { z } from '@hono/zod-openapi';
import type { ProgramRefusal } from '../events/index.ts';
import { hasPeoplesData } from '../platform/event-topics.ts';
import type { ReadPart, TokenReads } from '../store/index.ts';
import type { EventSource } from './events.ts';
import { operation, type Report, type Running, resource } from './operation.ts';
import { sentenceShape } from './problem.ts';

const refusal = z.object({
  at: z.number(),
  address: z.string(),
  why: z.string().describe('What was refused, why, and what to do'),
  ...sentenceShape,
});
const program = z.object({
  id: z.number().describe('Of the token'),
  name: z.string(),
  topics: z.array(z.string()).describe('Filters of topics'),
  actions: z.array(z.number()).describe('Action codes that it may send'),
  peoples_data: z.boolean().describe('Whether it hears people’s data'),
  made_by: z.string(),
  ends_at: z.number().nullable(),
  used_at: z.number().nullable(),
  connections: z.number().describe('Over MQTT, now'),
  dropped: z.number().describe('Events that it was too slow for, since the start of the box'),
  refusal: refusal.nullable().describe('The last one since the start of the box; null: none'),
});
const programsReport = z.object({
  listens: z
    .object({ address: z.string(), tls: z.boolean() })
    .nullable()
    .describe('Where programs log in; null: `listen.events` is off'),
  rows: z.array(program).describe('By name'),
  strangers: z
    .array(refusal.extend({ name: z.string() }))
    .describe('Names without a token that tried to log in, the newest first'),
});
export type ProgramReport = Report<typeof program>;
export type ProgramsReport = Report<typeof programsReport>;

const programOperations = {
  list: operation({
    method: 'get',
    path: '/programs',
    role: 'viewer',
    summary: 'The site’s own programs that hear events: what each may, whether it is connected, and why it was refused',
    returns: 'The programs',
    answer: programsReport,
  }),
};

const shown = ({ reason, ...one }: ProgramRefusal) => ({ ...one, why: reason });

/** `source` null: the box is stopped. */
const programAdmin = (
  read: Pick<TokenReads, 'tokens'>,
  source: Pick<EventSource, 'broker'> | null,
): Running<typeof programOperations> => ({
  async list() {
    const broker = source?.broker() ?? null;
    const known = new Map((broker?.programs ?? []).map(one => [one.name, one]));
    const rows = (await read.tokens()).flatMap(({ id, name, events, madeBy, endsAt, usedAt }) => {
      if (!events) return [];
      const { connections = 0, dropped = 0, refusals = [] } = known.get(name) ?? {};
      known.delete(name);
      return {
        ...{ id, name, topics: [...events.topics], actions: [...events.actions] },
        peoples_data: hasPeoplesData(events.topics),
        ...{ made_by: madeBy, ends_at: endsAt, used_at: usedAt },
        ...{ connections, dropped, refusal: refusals[0] ? shown(refusals[0]) : null },
      };
    });
    const strangers = [...known.values()].flatMap(({ name, refusals }) =>
      refusals.slice(0, 1).map(one => ({ name, ...shown(one) })),
    );
    return {
      listens: broker && { address: broker.address, tls: broker.isTls },
      rows: rows.toSorted((one, other) => (one.name < other.name ? -1 : 1)),
      strangers: strangers.toSorted((one, other) => other.at - one.at),
    };
  },
});

export const programsResource = resource(
  programOperations,
  ({
    store,
    events,
  }: {
    readonly store: ReadPart<Pick<TokenReads, 'tokens'>>;
    readonly events: Pick<EventSource, 'broker'>;
  }) => programAdmin(store.read, events),
  ({ store }: { readonly store: ReadPart<Pick<TokenReads, 'tokens'>> }) => programAdmin(store.read, null),
);
