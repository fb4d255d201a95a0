import { eq } from 'drizzle-orm';
import type { Reading, ReadsOf, WritesOf } from '../../domain.ts';
import type { DeviceReads, DeviceWrites } from '../../port/devices.ts';
import type { DeviceNo } from '../../port/journal.ts';
import type { StorePart } from '../../port/part.ts';
import { type Params, query } from '../../schema/query.ts';
import { logDayCount } from '../../schema/records.ts';
import { batchReads, batchWrites } from './batches.ts';
import { inboxReads, inboxWrites } from './inbox.ts';
import { loginReads, loginWrites } from './logins.ts';

export type { RefusedLine } from './batches.ts';
export type { InboxMessage } from './inbox.ts';
export type { DeviceEvent, GatewayName, RefusalNote } from './logins.ts';

/** For the gateways of devices. The journal, which takes the records, is beside it. */
export const gateway = {
  reads(reading: Reading) {
    const { orm } = reading.connection;
    const logsOfDay = query((value: Params<{ day: string }>) =>
      orm
        .select({ deviceNo: logDayCount.deviceNo, stored: logDayCount.stored })
        .from(logDayCount)
        .where(eq(logDayCount.day, value.day)),
    );
    return {
      ...inboxReads(reading),
      ...batchReads(reading),
      ...loginReads(reading),

      /**
       * Logs that were stored for each device on that day (`YYYY-MM-DD` in the site's time zone),
       * to go on counting after a restart.
       */
      logCounts: async (day: string): Promise<Map<DeviceNo, number>> =>
        new Map(logsOfDay.all({ day }).map(({ deviceNo, stored }) => [deviceNo, stored])),
    };
  },

  writes: { ...inboxWrites, ...batchWrites, ...loginWrites },
};

export type GatewayReads = ReadsOf<typeof gateway>;
export type GatewayWrites = WritesOf<typeof gateway>;
export type GatewayStore = StorePart<
  GatewayReads & Pick<DeviceReads, 'lastAddresses' | 'lastConnected' | 'newDevicesSince' | 'wereHere'>,
  GatewayWrites & DeviceWrites
>;
