import { openForWriting } from '../schema/database.ts';
import { Checkpoints } from './checkpoints.ts';
import type { WriterEngine } from './engine.ts';
import { Room } from './room.ts';

export const remedies = {
  disk_full:
    'the disk is full and nothing more may be dropped: make room on the page "Today", free some space, or connect the cloud so that waiting records can go',
  read_only:
    'the data directory cannot be written: check its owner; if the disk was mounted read-only after an error, start the machine again, which repairs the file system, and change the card if it happens twice',
  broken:
    'the disk fails, or the database file is damaged: start the machine again once; if it stays so, change the card and restore a backup with `gatehouse restore FILE`',
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
