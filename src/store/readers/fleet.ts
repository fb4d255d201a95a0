import type { BoxReport } from '../../platform/box-report.ts';
import type { DeviceId } from '../../platform/device-id.ts';
import type { BoxHeard, FleetReads } from '../port/fleet.ts';
import type { Connection } from '../schema/database.ts';

/** Under this name the store remembers how a box below is (`src/store/site/boxes.ts`). */
export const heardService = 'box heard';

/** Stored facts about a box, as JSON. */
export interface StoredHeard {
  readonly report: BoxReport | null;
  readonly reportedAt: number;
  /** Reports that are newer than the last by less than ten minutes are not compared with. */
  readonly earlier: { readonly at: number; readonly waiting: number } | null;
  /** The one before, which is at least ten minutes older than the report. */
  readonly before: number | null;
}

/** There is one small row for each box. */
export const fleetReads = ({ sql }: Pick<Connection, 'sql'>): FleetReads => ({
  async boxesHeard() {
    const rows = sql('SELECT key, value, at FROM remembered WHERE service = ?').all(heardService) as {
      key: DeviceId;
      value: string;
      at: number;
    }[];
    return rows.map(({ key, value, at }): BoxHeard => {
      const { report, reportedAt, before } = JSON.parse(value) as StoredHeard;
      return { boxId: key, heardAt: at, report, reportedAt, waitedBefore: before };
    });
  },
});
