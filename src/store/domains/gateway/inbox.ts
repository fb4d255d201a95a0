import { asc, count, eq } from 'drizzle-orm';
import { blob, index, integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import type { UnixMs } from '../../../runtime/clock.ts';
import type { OperationContext, Reading } from '../../domain.ts';
import type { DeviceNo } from '../../port/journal.ts';
import { type Params, query } from '../../schema/query.ts';
import { BrokenSeal } from '../../schema/sealing.ts';

/** Messages that wait for a device. */
export const inbox = sqliteTable(
  'inbox',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    deviceNo: integer('device_no').$type<DeviceNo>().notNull(),
    putAt: integer('put_at').notNull(),
    sealedMessage: blob('sealed_message', { mode: 'buffer' }).notNull(),
  },
  table => [index('inbox_by_device').on(table.deviceNo, table.id)],
);

export interface InboxMessage {
  readonly id: number;
  readonly deviceNo: DeviceNo;
  readonly putAt: UnixMs;
  readonly payload: Uint8Array;
}

/** Place of the sealed messages. */
export const inboxPlace = 'inbox';

export function inboxReads({ connection: { orm, seal } }: Reading) {
  const inboxOf = query((value: Params<{ deviceNo: number; limit: number }>) =>
    orm
      .select({ id: inbox.id, putAt: inbox.putAt, sealed: inbox.sealedMessage })
      .from(inbox)
      .where(eq(inbox.deviceNo, value.deviceNo))
      .orderBy(asc(inbox.id))
      .limit(value.limit),
  );
  const inboxOwners = query(() => orm.selectDistinct({ deviceNo: inbox.deviceNo }).from(inbox));
  const inboxSize = query((value: Params<{ deviceNo: number }>) =>
    orm.select({ count: count() }).from(inbox).where(eq(inbox.deviceNo, value.deviceNo)),
  );
  /** Null for one that is damaged. */
  const opened = (sealed: Uint8Array): Uint8Array | null => {
    try {
      return seal.open(sealed, inboxPlace);
    } catch (error) {
      if (error instanceof BrokenSeal) return null;
      throw error;
    }
  };

  return {
    /** Oldest first, up to about `bytesMax`, after at least one. */
    async inbox(deviceNo: DeviceNo, { limit, bytesMax }: { limit: number; bytesMax: number }): Promise<InboxMessage[]> {
      const messages: InboxMessage[] = [];
      let bytes = 0;
      for (const { id, putAt, sealed } of inboxOf.all({ deviceNo, limit })) {
        const payload = opened(sealed);
        // A damaged message cannot be delivered and must not hold back later ones; retention
        // removes it.
        if (payload === null) continue;
        bytes += payload.length;
        if (messages.length > 0 && bytes > bytesMax) break;
        messages.push({ id, deviceNo, putAt, payload });
      }
      return messages;
    },

    /** The devices with at least one message in their inbox. */
    inboxOwners: async (): Promise<Set<DeviceNo>> => new Set(inboxOwners.all().map(({ deviceNo }) => deviceNo)),

    /** How many messages wait for a device. */
    inboxCount: async (deviceNo: DeviceNo): Promise<number> => inboxSize.get({ deviceNo })!.count,
  };
}

export const inboxWrites = {
  /** Returns its id and how many of the oldest were dropped to stay within `max`. */
  putInbox(
    { sql, seal }: OperationContext,
    { deviceNo, payload, at, max }: { deviceNo: DeviceNo; payload: Uint8Array; at: UnixMs; max: number },
  ): { id: number; dropped: number } {
    const { id } = sql('INSERT INTO inbox (device_no, put_at, sealed_message) VALUES (?, ?, ?) RETURNING id').get(
      deviceNo,
      at,
      seal.seal(payload, inboxPlace),
    ) as { id: number };
    const dropped = sql(
      'DELETE FROM inbox WHERE device_no = ?1 AND id <= (SELECT id FROM inbox WHERE device_no = ?1 ORDER BY id DESC LIMIT 1 OFFSET ?2)',
    ).run(deviceNo, max);
    return { id, dropped: Number(dropped.changes) };
  },

  removeInbox({ later }: OperationContext, { ids }: { ids: readonly number[] }): void {
    for (const id of ids) later('DELETE FROM inbox WHERE id = ?', id);
  },
};
