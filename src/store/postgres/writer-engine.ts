import { storeFaults } from '../../words/store.ts';
import type { WriterEngine } from '../writer/engine.ts';
import type { WriterLease } from '../writer/messages.ts';
import { holdBoxCursors } from './box-cursors.ts';
import { connectToPostgres, type PostgresAddress } from './connection.ts';
import { RowLease } from './lease.ts';
import { fenced, Member } from './member.ts';

export const serverRemedies = {
  disk_full: storeFaults.say('database_full'),
  read_only: storeFaults.say('database_read_only'),
  broken: storeFaults.say('database_broken'),
} as const;

const biteBytes = 2 << 20;
const lowWaterBytes = 64 << 20;

/**
 * One of several processes that write. The server's disk is not the program's: neither its room nor
 * its log.
 */
export function postgresEngine(
  address: PostgresAddress & { readonly process: number; readonly uplink: Int32Array },
): WriterEngine & { readonly leases: Readonly<Record<WriterLease['name'] | 'tables', RowLease>> } {
  const connection = connectToPostgres(address);
  const { process: holder, uplink } = address;
  const leases = {
    forwarding: new RowLease(connection, { name: 'forwarding', holder, uplink }),
    once: new RowLease(connection, { name: 'once', holder }),
    tables: new RowLease(connection, { name: 'tables', holder, endsWithConnection: true }),
  };
  const member = new Member(connection, holder, leases.tables);
  const { sql } = connection;
  let transactions = 0;
  return {
    leases,
    connection: { ...connection, begin: writes => member.begin(writes) },
    remedies: {
      ...serverRemedies,
      get broken() {
        return member.isFenced ? fenced : serverRemedies.broken;
      },
    },
    keepers: () => ({
      room: { biteBytes, lowWaterBytes, low: false, make: () => false, sample() {} },
      log: { whenDue() {}, ofLongLog() {}, last: () => member.leave() },
    }),
    /**
     * The head's row stays locked until the commit is visible, so that numbers have no gaps and
     * rise in the order of commits, whichever process appends.
     */
    place(count) {
      const head = sql('UPDATE journal_head SET seq = seq + ? WHERE lane = 0 RETURNING seq').get(count);
      return (head as { seq: number }).seq - count + 1;
    },
    sharedJournal: {
      places: () => member.places(),
      append: segments => member.appendUnnumbered(segments),
      holdBoxCursors: boxes => holdBoxCursors(connection, boxes),
    },
    mayFillTables: () => member.mayFillTables(),
    tail() {
      const { isIn, ...tail } = sql(
        `SELECT (SELECT seq FROM journal_head) AS lastSeq, (SELECT seq FROM projection_cursor) AS projectedSeq,
           (SELECT no FROM directory_change) AS directoryNo, EXISTS (SELECT FROM process WHERE id = ? AND live) AS isIn`,
      ).get(holder) as { lastSeq: number; projectedSeq: number; directoryNo: number; isIn: 0 | 1 };
      if (!isIn) member.refuseFenced();
      return tail;
    },
    // One that changes nothing is not told apart.
    changes: () => ++transactions,
  };
}
