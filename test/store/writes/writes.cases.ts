import { test } from 'vitest';
import type { StoreWrites } from '../../../src/store/index.ts';
import { aProduct, append, applied, registered } from '../../support/store.ts';
import { accountCases } from './accounts.cases.ts';
import { alertCases } from './alerts.cases.ts';
import { backupCases } from './backups.cases.ts';
import { bulkChangeCases } from './bulk-changes.cases.ts';
import { at, bytes, type Cases, type PortStore } from './case.ts';
import { correctionCases } from './corrections.cases.ts';
import { dailyReportCases } from './daily-reports.cases.ts';
import { deviceCases } from './devices.cases.ts';
import { drillCases } from './drills.cases.ts';
import { fleetCases } from './fleet.cases.ts';
import { forwardingCases } from './forwarding.cases.ts';
import { gatewayCases } from './gateway.cases.ts';
import { historyCases } from './history.cases.ts';
import { mirrorCases } from './mirror.cases.ts';
import { organizationCases } from './organization.cases.ts';
import { ownPageCases } from './own-pages.cases.ts';
import { payrollCases } from './payroll.cases.ts';
import { periodCases } from './periods.cases.ts';
import { provisioningCases } from './provisioning.cases.ts';
import { scheduleCases } from './schedules.cases.ts';
import { serviceCases } from './services.cases.ts';
import { settingCases } from './settings.cases.ts';
import { staffCases } from './staff.cases.ts';
import { upkeepCases } from './upkeep.cases.ts';
import { webhookCases } from './webhooks.cases.ts';

const cases: Cases<StoreWrites> = {
  ...deviceCases,
  ...bulkChangeCases,
  ...gatewayCases,
  ...fleetCases,
  ...forwardingCases,
  ...organizationCases,
  ...correctionCases,
  ...payrollCases,
  ...periodCases,
  ...mirrorCases,
  ...accountCases,
  ...alertCases,
  ...dailyReportCases,
  ...backupCases,
  ...webhookCases,
  ...ownPageCases,
  ...staffCases,
  ...serviceCases,
  ...provisioningCases,
  ...historyCases,
  ...scheduleCases,
  ...settingCases,
  ...drillCases,
  ...upkeepCases,
};

/** The same cases on every engine of the store; `open` returns an empty one that has a cloud. */
export function writeCases(name: string, open: () => Promise<{ readonly store: PortStore } & AsyncDisposable>): void {
  for (const [write, run] of Object.entries(cases))
    test(`${name}: ${write}`, async () => {
      await using opened = await open();
      const { store } = opened;
      await applied(store, { products: [aProduct()] });
      const { deviceNo } = await registered(store);
      await run({
        store,
        deviceNo,
        async report(text) {
          const record = { deviceNo, channel: 'device', receivedAt: at, logPath: '', marks: {} } as const;
          await append(store, { ...record, payload: bytes(text) });
          return store.journal.lastSeq;
        },
      });
    });
}
