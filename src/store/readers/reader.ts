import { domainReads } from '../domains/index.ts';
import type { SegmentReader } from '../journal/segment-reader.ts';
import { LogBlockReader } from '../log-blocks/block-reader.ts';
import { bulkChangeReads } from '../people/bulk-changes.ts';
import type { StoreReader } from '../port/store.ts';
import type { Connection } from '../schema/database.ts';
import { readSite } from '../site/sections.ts';
import { accessReads } from './access.ts';
import { attendanceReads } from './attendance.ts';
import { dayReads } from './day.ts';
import { deviceReads } from './devices.ts';
import { erasureReads } from './erasures.ts';
import { newestReads } from './newest-records.ts';
import { organizationReads } from './organization.ts';
import { peopleReads } from './people.ts';
import type { KnownDevices } from './stored-devices.ts';

/**
 * Reads on a read-only connection. Lists are paged by key. Reads that may look through many rows to
 * find few work in slices (slices.ts), or run only in the reader thread (growing.ts).
 */
export const storeReader = (
  connection: Connection,
  journal: SegmentReader,
  devices: KnownDevices,
  hasCloud: boolean,
  onDamagedBlock: (firstSeq: number) => void,
): StoreReader => {
  const logBlocks = new LogBlockReader(connection, onDamagedBlock);
  return {
    ...domainReads({ connection, journal, devices, logBlocks, hasCloud }),
    ...newestReads(connection, logBlocks),
    ...dayReads(connection, devices),
    ...deviceReads(connection),
    ...bulkChangeReads(connection),
    ...peopleReads(connection, devices),
    ...erasureReads(connection, journal, devices, hasCloud),
    ...accessReads(connection),
    ...attendanceReads(connection, devices),
    ...organizationReads(connection),
    site: async ({ withSecrets }) => readSite(connection, withSecrets),
  };
};
