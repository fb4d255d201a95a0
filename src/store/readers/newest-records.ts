import type { LogBlockReader } from '../log-blocks/block-reader.ts';
import type { RecordReads } from '../port/records.ts';
import type { Connection } from '../schema/database.ts';
import { lastIds } from './last-ids.ts';

export function newestReads(connection: Connection, blocks: LogBlockReader): Pick<RecordReads, 'newestRecords'> {
  const last = lastIds(connection);
  return {
    newestRecords: async () => ({
      checkins: last.checkin(),
      access: last.access(),
      logs: blocks.newestSeq(),
    }),
  };
}
