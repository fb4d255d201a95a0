import { readLedger } from '../journal/ledger.ts';
import type { SegmentReader } from '../journal/segment-reader.ts';
import { LogBlockReader } from '../log-blocks/block-reader.ts';
import type { StoreReader } from '../port/store.ts';
import type { Connection } from '../schema/database.ts';
import { readSite } from '../site/sections.ts';
import { accessReads } from './access.ts';
import { accountReads } from './accounts.ts';
import { alertReads } from './alerts.ts';
import { attendanceReads } from './attendance.ts';
import { backupReads } from './backups.ts';
import { bulkChangeReads } from './bulk-changes.ts';
import { correctionReads } from './corrections.ts';
import { dayReads } from './day.ts';
import { deviceReads } from './devices.ts';
import { drillReads } from './drills.ts';
import { erasureReads } from './erasures.ts';
import { fleetReads } from './fleet.ts';
import { forwardingReads } from './forwarding.ts';
import { gatewayReads } from './gateway.ts';
import { historyReads } from './history.ts';
import { logReads } from './logs.ts';
import { mirrorReads } from './mirror.ts';
import { newestReads } from './newest-records.ts';
import { organizationReads } from './organization.ts';
import { payrollReads } from './payroll.ts';
import { peopleReads } from './people.ts';
import { periodReads } from './periods.ts';
import { provisioningReads } from './provisioning.ts';
import { scheduleReads } from './schedules.ts';
import { serviceReads } from './services.ts';
import { settingReads } from './settings.ts';
import { staffReads } from './staff.ts';
import { statementReads } from './statements.ts';
import type { KnownDevices } from './stored-devices.ts';
import { supportReads } from './support.ts';
import { waitingReads } from './waiting.ts';
import { webhookReads } from './webhooks.ts';

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
    ...accountReads(connection),
    ...alertReads(connection),
    ...backupReads(connection),
    ...webhookReads(connection),
    ...serviceReads(connection),
    ...provisioningReads(connection),
    ...settingReads(connection),
    ...drillReads(connection),
    ...staffReads(connection),
    ...gatewayReads(connection),
    ...fleetReads(connection),
    ...waitingReads(journal, devices),
    ...forwardingReads(connection, logBlocks, devices),
    ...logReads(logBlocks, devices),
    ...newestReads(connection, logBlocks),
    ...correctionReads(connection),
    ...payrollReads(connection),
    ...periodReads(connection),
    ...dayReads(connection, devices),
    ...deviceReads(connection),
    ...bulkChangeReads(connection),
    ...peopleReads(connection, devices),
    ...erasureReads(connection, journal, devices, hasCloud),
    ...accessReads(connection),
    ...historyReads(connection),
    ...supportReads(connection, devices),
    ...attendanceReads(connection, devices),
    ...organizationReads(connection),
    ...mirrorReads(connection),
    ...scheduleReads(connection),
    ...statementReads(connection, journal, hasCloud),
    record: async seq => journal.record(seq),
    ledger: async (deviceNo, options) =>
      readLedger(connection, journal, deviceNo, devices.deviceByNo(deviceNo)?.forwarded, options),
    site: async ({ withSecrets }) => readSite(connection, withSecrets),
  };
};
