import type { LogBlockReader } from '../log-blocks/block-reader.ts';
import type { RecordReads } from '../port/records.ts';
import type { Connection } from '../schema/database.ts';
import { lastIds } from './last-ids.ts';
import { LogRows } from './log-rows.ts';

export function newestReads(connection: Connection, blocks: LogBlockReader): Pick<RecordReads, 'newestRecords'> {
  const last = lastIds(connection);
  const rows = new LogRows(connection);
  return {
    newestRecords: async () => ({
      checkins: last.checkin(),
      access: last.access(),
      logs: Math.max(blocks.newestSeq(), rows.newestSeq()),
    }),
  };
}
