import type { UnixMs } from '../../runtime/clock.ts';
import type { Reported, ScheduleRules, SegmentResult, SegmentState } from './result.ts';
import type { Span } from './spans.ts';

/** Facts at the time of asking. */
export interface Known {
  readonly now: UnixMs;
  reported(): Reported;
  readonly rules: Pick<ScheduleRules, 'absentAfterHours'>;
}

interface Judged {
  readonly state: SegmentState;
  readonly waitsFor: SegmentResult['waitsFor'];
  /** Decided although terminals have not reported. */
  readonly isDespiteSilence: boolean;
}

/**
 * The state of a slot that has to be kept during `span`, and whose window ends at `closes`. While
 * terminals of the person have not reported past that, what is missing may still arrive: it is not
 * known yet, for 24 hours.
 */
export function stateOf(
  {
    span,
    closes,
    hasEvents,
    hasIn,
    hasOut,
    isHoliday,
  }: {
    readonly span: Span;
    readonly closes: number;
    readonly hasEvents: boolean;
    readonly hasIn: boolean;
    readonly hasOut: boolean;
    readonly isHoliday: boolean;
  },
  { now, reported, rules }: Known,
): Judged {
  const plain = (state: SegmentState): Judged => ({ state, waitsFor: null, isDespiteSilence: false });
  if (now < span.from * 1000 && !hasEvents) return plain('to_come');
  if (now < span.to * 1000) return plain('running');
  if (hasIn && hasOut) return plain('ok');
  const closesAt = closes * 1000;
  if (now < closesAt) return plain('running');
  const { deviceNo, until } = reported();
  const isSilent = until < closesAt;
  if (isSilent && now < closesAt + rules.absentAfterHours * 3600_000) {
    const waitsFor = deviceNo === null ? null : { deviceNo, since: until };
    return { state: 'not_known_yet', waitsFor, isDespiteSilence: false };
  }
  const missing = hasIn ? 'missing_out' : hasOut ? 'missing_in' : isHoliday ? 'not_worked' : 'absent';
  return { state: missing, waitsFor: null, isDespiteSilence: isSilent };
}
