import type { BoxReport } from './box-report.ts';

/**
 * Troubles of a box below, the worst first. `silent`: it was not heard for five minutes, or never.
 * `disk`: it takes nothing, or is nearly full. `backlog`: its oldest record has waited for ten
 * minutes, or more waits than ten minutes before. `update`: the last one failed. `clock`: off by
 * more than a minute.
 */
export const boxTroubles = ['silent', 'disk', 'backlog', 'update', 'clock'] as const;
export type BoxTrouble = (typeof boxTroubles)[number];

const silentAfterMs = 5 * 60_000;
const backlogAfterMs = 10 * 60_000;
/** As `gatehouse doctor` allows a clock. */
export const clockOffMsMax = 60_000;
/** Growth that does not count: records that may come in while a batch is on its way. */
const growsFrom = 1000;

/** Outcomes of an update that went wrong, unless a person took it back. */
const failedUpdates: ReadonlySet<string> = new Set(['kept', 'rolled-back', 'failed', 'interrupted']);

/** Facts about a box below; the times are by the clock of the box above. */
export interface HeardOfBox {
  readonly heardAt: number;
  readonly report: BoxReport | null;
  readonly reportedAt: number;
  readonly waitedBefore: number | null;
}

/** Milliseconds by which its clock was ahead when the report came, the way here included. */
export const clockOffMs = ({ report, reportedAt }: HeardOfBox): number | null => report && report.at - reportedAt;

/** How long the oldest record had waited at the report. */
export const oldestWaitedMs = ({ report }: HeardOfBox): number | null =>
  report?.outbox?.oldest_at == null ? null : Math.max(0, report.at - report.outbox.oldest_at);

export const backlogGrows = ({ report, waitedBefore }: HeardOfBox): boolean => {
  const waiting = report?.outbox?.waiting ?? 0;
  return waitedBefore !== null && waiting >= growsFrom && waiting > waitedBefore;
};

/** The troubles of a box; null: it was never heard. */
export function troublesOf(heard: HeardOfBox | null, now: number): readonly BoxTrouble[] {
  if (!heard) return ['silent'];
  const { heardAt, report } = heard;
  const off = clockOffMs(heard);
  const isIn: Readonly<Record<BoxTrouble, boolean>> = {
    silent: now - heardAt > silentAfterMs,
    disk: report?.disk != null && (report.disk.state !== 'ok' || report.disk.low),
    backlog: (oldestWaitedMs(heard) ?? 0) > backlogAfterMs || backlogGrows(heard),
    update: failedUpdates.has(report?.update?.outcome ?? '') && report?.update?.code !== 'update_asked_for',
    clock: off !== null && Math.abs(off) > clockOffMsMax,
  };
  return boxTroubles.filter(trouble => isIn[trouble]);
}
