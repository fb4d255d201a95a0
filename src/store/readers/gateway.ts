import { and, asc, between, desc, eq, getTableColumns, gt } from 'drizzle-orm';
import type { GatewayReads, InboxMessage } from '../port/gateway.ts';
import type { DeviceNo } from '../port/journal.ts';
import type { Connection } from '../schema/database.ts';
import { batchCursor, batchRefusal, event, inbox, logDayCount, refusal } from '../schema/index.ts';
import { type Params, query, queryFor } from '../schema/query.ts';
import { BrokenSeal } from '../schema/sealing.ts';
import { upper } from './columns.ts';
import { places } from './rows.ts';

const defaultRefusals = 200;

/** The gateways' reads: a device's inbox, how much it has sent today, refusals. */
export function gatewayReads({ orm, seal }: Connection): GatewayReads {
  const { lastAt, ...refusalColumns } = getTableColumns(refusal);
  const inboxOf = query((value: Params<{ deviceNo: number; limit: number }>) =>
    orm
      .select({ id: inbox.id, putAt: inbox.putAt, sealed: inbox.sealedMessage })
      .from(inbox)
      .where(eq(inbox.deviceNo, value.deviceNo))
      .orderBy(asc(inbox.id))
      .limit(value.limit),
  );
  const inboxOwners = query(() => orm.selectDistinct({ deviceNo: inbox.deviceNo }).from(inbox));
  const logsOfDay = query((value: Params<{ day: string }>) =>
    orm
      .select({ deviceNo: logDayCount.deviceNo, stored: logDayCount.stored })
      .from(logDayCount)
      .where(eq(logDayCount.day, value.day)),
  );
  const cursorOf = query((value: Params<{ boxNo: number; epoch: string }>) =>
    orm
      .select({ seq: batchCursor.seq })
      .from(batchCursor)
      .where(and(eq(batchCursor.boxNo, value.boxNo), eq(batchCursor.epoch, value.epoch))),
  );
  const refusedLines = query((value: Params<{ boxNo: DeviceNo; epoch: string; from: number; to: number }>) =>
    orm
      .select({ seq: batchRefusal.seq, code: batchRefusal.code, msg: batchRefusal.msg })
      .from(batchRefusal)
      .where(
        and(
          eq(batchRefusal.boxNo, value.boxNo),
          eq(batchRefusal.epoch, value.epoch),
          between(batchRefusal.seq, value.from, value.to),
        ),
      )
      .orderBy(asc(batchRefusal.seq)),
  );
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
      .select({ at: event.at, deviceNo: event.deviceNo, kind: event.kind, detail: event.detail })
      .from(event)
      .where(eq(event.deviceNo, value.deviceNo))
      .orderBy(desc(event.id))
      .limit(value.limit),
  );
  /** Null for one that is damaged. */
  const opened = (sealed: Uint8Array): Uint8Array | null => {
    try {
      return seal.open(sealed, places.inbox);
    } catch (error) {
      if (error instanceof BrokenSeal) return null;
      throw error;
    }
  };

  return {
    async inbox(deviceNo, { limit, bytesMax }) {
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

    async inboxOwners() {
      return new Set(inboxOwners.all().map(({ deviceNo }) => deviceNo));
    },

    async logCounts(day) {
      return new Map(logsOfDay.all({ day }).map(({ deviceNo, stored }) => [deviceNo, stored]));
    },

    async batchCursor(boxNo, epoch) {
      return cursorOf.get({ boxNo, epoch })?.seq ?? 0;
    },

    async batchRefusals(boxNo, epoch, from, to) {
      return refusedLines.all({ boxNo, epoch, from, to });
    },

    async refusals({ clientId, limit = defaultRefusals } = {}) {
      const which = clientId === undefined ? 'all' : 'of a client';
      return refusals(which).all({ clientId: clientId?.toUpperCase() ?? '', limit });
    },

    async refusalsSince(at, limit) {
      return newestRefusals.all({ at, limit });
    },

    async events(deviceNo, limit) {
      return eventsOf.all({ deviceNo, limit });
    },
  };
}
