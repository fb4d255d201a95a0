import type { SlotEvents } from './chained.ts';
import { type HolidayTime, minutesIn } from './counting.ts';
import { pairsOf } from './ends.ts';
import { isClockProvedWrong, lastOf, type PunchEvent } from './events.ts';
import { type Presence, presenceIn, startOf } from './presence.ts';
import { type Flag, noMinutes, type Punch, type SegmentResult, type SlotEnd } from './result.ts';
import type { Slot } from './slots.ts';
import { minutesOf } from './spans.ts';
import { type Known, stateOf } from './state.ts';
import type { WindowedSlot } from './windows.ts';

/** A slot with its window and its events. */
export type FilledSlot = WindowedSlot & SlotEvents;

const none: readonly never[] = [];

/** Shorter is a slip, or somebody who came for something else. */
export const shortMinutes = 30;

export function segmentOfLeave(slot: Slot): SegmentResult {
  return {
    shift: slot.shift.code,
    plannedOn: slot.planned.from,
    plannedOff: slot.planned.to,
    in: null,
    out: null,
    state: 'leave',
    minutes: { ...noMinutes, leave: slot.leaveMinutes },
    flags: [],
    waitsFor: null,
  };
}

export function segmentOf(
  filled: FilledSlot,
  { known, holidays, lateOnMinutes }: { known: Known; holidays: HolidayTime; lateOnMinutes: number },
): { readonly segment: SegmentResult; readonly presence: Presence } {
  const { slot, window, events } = filled;
  const presence = presenceIn(slot, filled, { lateOnMinutes, now: known.now / 1000 });
  const { ends, span } = presence;
  const judged = stateOf(
    {
      span: slot.span,
      closes: window.to,
      hasEvents: events.length > 0,
      hasIn: presence.in !== null,
      hasOut: presence.out !== null,
      isHoliday: holidays.isLegalHoliday(slot.date),
    },
    known,
  );
  const segment = {
    shift: slot.shift.code,
    plannedOn: span.from,
    plannedOff: span.to,
    in: ends.in ? startEnd(ends.in) : plannedEnd(presence.in),
    out: ends.out ? finishEnd(ends.out) : plannedEnd(presence.out),
    state: judged.state,
    minutes: minutesIn(slot, presence, holidays),
    flags: flagsOf(filled, presence, lateOnMinutes, judged.isDespiteSilence),
    waitsFor: judged.waitsFor,
  };
  return { segment, presence };
}

export const startEnd = ({ punches: [first] }: PunchEvent): SlotEnd => endFrom(first!.punch, first!.at);
export const finishEnd = (event: PunchEvent): SlotEnd => endFrom(lastOf(event).punch, lastOf(event).at);
const endFrom = ({ id, source }: Punch, at: number): SlotEnd => ({ at, punchId: id, source });
const plannedEnd = (at: number | null): SlotEnd | null =>
  at === null ? null : { at, punchId: null, source: 'planned' };

/** How much longer somebody stayed than planned, in minutes; null: no end is known. */
export const stayedMinutes = ({ ends, out, span }: Presence): number | null =>
  ends.out && out !== null ? (out - span.to) / 60 : null;

function flagsOf(
  filled: FilledSlot,
  presence: Presence,
  lateOnMinutes: number,
  isDespiteSilence: boolean,
): readonly Flag[] {
  const { ends } = presence;
  const flag = (flag: Flag['flag'], minutes: number | null = null): Flag => ({ flag, minutes });
  const isShared = (filled.isInShared && ends.in !== null) || (filled.isOutShared && ends.out !== null);
  const [first, last] = [ends.in?.punches[0], ends.out && lastOf(ends.out)];
  const isClockWrong = (first && isClockProvedWrong(first.punch)) || (last && isClockProvedWrong(last.punch));
  const flags: Flag[] = [];
  if (isShared) flags.push(flag('one_punch_for_both'));
  if (isVeryShort(presence)) flags.push(flag('very_short'));
  if (presence.isInPlanned && presence.in !== null) flags.push(flag('planned_in'));
  if (presence.isOutPlanned && presence.out !== null) flags.push(flag('planned_out'));
  for (const minutes of lateReturns(filled, presence)) flags.push(flag('back_from_break_late', minutes));
  if (isClockWrong) flags.push(flag('clock_wrong'));
  if (lateOnMinutes > 0) flags.push(flag('late_on', lateOnMinutes));
  if (isDespiteSilence) flags.push(flag('devices_silent'));
  return flags.length > 0 ? flags : none;
}

const isVeryShort = ({ ends, present, span }: Presence): boolean =>
  ends.in !== null && ends.out !== null && minutesOf(present) < shortMinutes && minutesOf([span]) >= 2 * shortMinutes;

/** With punches in pairs: how long after the end of a break somebody came back from it. */
function lateReturns({ slot, events }: FilledSlot, { ends }: Presence): readonly number[] {
  const { shift, breaks } = slot;
  if (shift.counting !== 'pairs' || !ends.in || !ends.out) return none;
  const pairs = pairsOf(events);
  return pairs.slice(1).flatMap(([back], place) => {
    const left = pairs[place]![1].at;
    const around = breaks.find(one => left < one.to && one.from < back.at);
    const late = around ? (startOf(back) - around.to) / 60 : 0;
    return late > shift.lateGrace ? [late] : [];
  });
}
