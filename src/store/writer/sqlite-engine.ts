import { storeFaults } from '../../words/store.ts';
import { openForWriting } from '../schema/database.ts';
import { Checkpoints } from './checkpoints.ts';
import type { WriterEngine } from './engine.ts';
import { Room } from './room.ts';

const remedies = {
  disk_full: storeFaults.say('disk_full'),
  read_only: storeFaults.say('disk_read_only'),
  broken: storeFaults.say('disk_broken'),
} as const;

/** One database file, which this connection alone writes. */
export function sqliteEngine(dataDir: string, sealKey: Uint8Array): WriterEngine {
  const connection = openForWriting(dataDir, sealKey);
  return {
    connection,
    remedies,
    keepers({ retention, bytes, stuck }) {
      const log = new Checkpoints(connection, { dataDir, bytes, stuck });
      return { room: new Room(connection, retention, { dataDir, checkpoints: () => log }), log };
    },
    place: (_, lastSeq) => lastSeq + 1,
    mayFillTables: () => 'yes',
    tail: () => null,
    changes: () => (connection.sql('SELECT total_changes() AS changes').get() as { changes: number }).changes,
  };
}
