import type { BoxReport } from '../../platform/box-report.ts';
import type { DeviceId } from '../../platform/device-id.ts';
import type { UnixMs } from '../../runtime/clock.ts';
import type { OperationContext, Reading, ReadsOf, WritesOf } from '../domain.ts';

/** Facts known here about a box below. Times are by the clock of this side. */
export interface BoxHeard {
  readonly boxId: DeviceId;
  readonly heardAt: UnixMs;
  /** Report; null: none has come. */
  readonly report: BoxReport | null;
  /** When the report came; 0: none has. */
  readonly reportedAt: UnixMs;
  /** Records that waited there at least ten minutes before the report; null if unknown. */
  readonly waitedBefore: number | null;
}

/** Under this name the store remembers how a box below is (`src/store/site/directory.ts`). */
export const heardService = 'box heard';

/** Stored facts about a box, as JSON. */
interface StoredHeard {
  readonly report: BoxReport | null;
  readonly reportedAt: number;
  /** Reports that are newer than the last by less than ten minutes are not compared with. */
  readonly earlier: { readonly at: number; readonly waiting: number } | null;
  /** The one before, which is at least ten minutes older than the report. */
  readonly before: number | null;
}

/** A backlog grows if it is larger than this long ago. */
const comparedAfterMs = 10 * 60_000;
const nothing: StoredHeard = { report: null, reportedAt: 0, earlier: null, before: null };

/** How the boxes below are (docs/line.md): one small row for each. */
export const fleet = {
  reads: ({ connection: { sql } }: Reading) => ({
    /** Of all boxes that were ever heard and not taken off the list since, in no order. */
    async boxesHeard(): Promise<BoxHeard[]> {
      const rows = sql('SELECT key, value, at FROM remembered WHERE service = ?').all(heardService) as {
        key: DeviceId;
        value: string;
        at: number;
      }[];
      return rows.map(({ key, value, at }) => {
        const { report, reportedAt, before } = JSON.parse(value) as StoredHeard;
        return { boxId: key, heardAt: at, report, reportedAt, waitedBefore: before };
      });
    },
  }),

  writes: {
    /** A box below was heard. `report` null: it only sent something; its last report stays. */
    noteBoxHeard(
      { sql }: OperationContext,
      { boxId, at, report }: { boxId: DeviceId; at: UnixMs; report: BoxReport | null },
    ): void {
      const row = sql('SELECT value FROM remembered WHERE service = ? AND key = ?').get(heardService, boxId) as
        | { value: string }
        | undefined;
      const known = row ? (JSON.parse(row.value) as StoredHeard) : nothing;
      const value: StoredHeard = report
        ? { report, reportedAt: at, ...comparedWith(known, at, report.outbox?.waiting ?? null) }
        : known;
      sql(
        `INSERT INTO remembered (service, key, value, at) VALUES (?, ?, ?, ?)
           ON CONFLICT (service, key) DO UPDATE SET value = excluded.value, at = excluded.at`,
      ).run(heardService, boxId, JSON.stringify(value), at);
    },
  },
};

/** A clock that was set back begins again. */
function comparedWith({ earlier, before }: StoredHeard, at: number, waiting: number | null) {
  if (waiting === null) return { earlier: null, before: null };
  if (earlier === null || at < earlier.at) return { earlier: { at, waiting }, before: null };
  if (at - earlier.at < comparedAfterMs) return { earlier, before };
  return { earlier: { at, waiting }, before: earlier.waiting };
}

export type FleetReads = ReadsOf<typeof fleet>;
export type FleetWrites = WritesOf<typeof fleet>;
