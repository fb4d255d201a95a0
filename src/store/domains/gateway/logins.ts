import { desc, eq, getTableColumns, gt } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { RefusalCode } from '../../../platform/refusals.ts';
import type { UnixMs } from '../../../runtime/clock.ts';
import { type Coded, codedText } from '../../../words/sentences.ts';
import type { OperationContext, Reading } from '../../domain.ts';
import type { DeviceNo } from '../../port/journal.ts';
import { upper } from '../../readers/columns.ts';
import { type Params, query, queryFor } from '../../schema/query.ts';

/** Over which gateway a device connects. Tables, the API and `status --json` call it `door`. */
export type GatewayName = 'mqtt' | 'http';

/** Refused logins: a row for each client id and reason. */
export const refusal = sqliteTable(
  'refusal',
  {
    /** The client id as it was sent (cut to 80 characters). */
    clientId: text('client_id').notNull(),
    code: text().$type<RefusalCode>().notNull(),
    door: text().$type<GatewayName>().notNull(),
    address: text().notNull(),
    detail: text().notNull(),
    count: integer().notNull(),
    firstAt: integer('first_at').notNull(),
    lastAt: integer('last_at').notNull(),
  },
  table => [primaryKey({ columns: [table.clientId, table.code] }), index('refusal_by_age').on(table.lastAt)],
);

/** Events of a device's logins and sessions. */
export const event = sqliteTable(
  'event',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    at: integer().notNull(),
    deviceNo: integer('device_no').$type<DeviceNo>().notNull(),
    /**
     * Kind, such as `connected`, `disconnected`, `foreign_subscribe`, `key_issued`, `mid_reused`,
     * `keep_alive_out_of_range`.
     */
    kind: text().notNull(),
    detail: text().notNull(),
    /** Code and values of a detail that is a sentence (`src/words`). */
    said: text({ mode: 'json' }).$type<Coded>(),
  },
  table => [index('event_by_device').on(table.deviceNo, table.id)],
);

export interface RefusalNote
  extends Readonly<Pick<typeof refusal.$inferSelect, 'clientId' | 'code' | 'door' | 'address' | 'detail'>> {
  readonly at: UnixMs;
  /** How many refusals it counts for; absent: one. */
  readonly times?: number;
}

export type DeviceEvent = Readonly<Omit<typeof event.$inferSelect, 'id' | 'said'>> & {
  readonly said?: Coded | undefined;
};

const defaultRefusals = 200;

export function loginReads({ connection: { orm } }: Reading) {
  const { lastAt, ...refusalColumns } = getTableColumns(refusal);
  const refusals = queryFor((which: 'all' | 'of a client', value: Params<{ clientId: string; limit: number }>) =>
    orm
      .select({ ...refusalColumns, at: lastAt })
      .from(refusal)
      .where(which === 'all' ? undefined : eq(upper(refusal.clientId), value.clientId))
      .orderBy(desc(refusal.lastAt))
      .limit(value.limit),
  );
  const newestRefusals = query((value: Params<{ at: number; limit: number }>) =>
    orm
      .select({ clientId: refusal.clientId, code: refusal.code, at: refusal.lastAt })
      .from(refusal)
      .where(gt(refusal.lastAt, value.at))
      .orderBy(desc(refusal.lastAt))
      .limit(value.limit),
  );
  const eventsOf = query((value: Params<{ deviceNo: number; limit: number }>) =>
    orm
      .select({ at: event.at, deviceNo: event.deviceNo, kind: event.kind, detail: event.detail, said: event.said })
      .from(event)
      .where(eq(event.deviceNo, value.deviceNo))
      .orderBy(desc(event.id))
      .limit(value.limit),
  );
  return {
    /** The last ones first. */
    async refusals({
      clientId,
      limit = defaultRefusals,
    }: {
      clientId?: string;
      limit?: number;
    } = {}): Promise<(RefusalNote & { count: number; firstAt: UnixMs })[]> {
      const which = clientId === undefined ? 'all' : 'of a client';
      return refusals(which).all({ clientId: clientId?.toUpperCase() ?? '', limit });
    },

    /** Newest first. An index gives them, so that a start does not need the reader thread. */
    refusalsSince: async (at: UnixMs, limit: number): Promise<{ clientId: string; code: RefusalCode; at: UnixMs }[]> =>
      newestRefusals.all({ at, limit }),

    /** Newest first. */
    events: async (deviceNo: DeviceNo, limit: number): Promise<DeviceEvent[]> =>
      eventsOf.all({ deviceNo, limit }).map(({ said, ...one }) => (said === null ? one : { ...one, said })),
  };
}

export const loginWrites = {
  noteRefusal({ sql }: OperationContext, note: RefusalNote): void {
    const { clientId, code, door, address, detail, at, times = 1 } = note;
    sql(
      `INSERT INTO refusal (client_id, code, door, address, detail, count, first_at, last_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (client_id, code) DO UPDATE SET door = excluded.door, address = excluded.address, detail = excluded.detail,
           count = refusal.count + excluded.count, last_at = excluded.last_at`,
    ).run(clientId, code, door, address, detail, times, at, at);
  },

  noteEvents({ later }: OperationContext, { events }: { events: readonly DeviceEvent[] }): void {
    for (const { at, deviceNo, kind, detail, said } of events)
      later(
        'INSERT INTO event (at, device_no, kind, detail, said) VALUES (?, ?, ?, ?, ?)',
        ...[at, deviceNo, kind, detail, codedText(said)],
      );
  },
};
