import type { ClockReport } from '../../../src/admin/clock.ts';
import { clockText, spanText } from '../../../src/platform/clock-text.ts';
import { area, language } from './index.ts';

/** Words about a device's clock, and about records that came late. */
const say = area(
  {
    unanswered: 'no reply from the device yet',
    clock: (words: string) => `clock ${words}`,
    late: (span: string) => `arrived ${span} late`,
    joint: ', ',
    why: ': ',
  },
  {
    unanswered: '设备尚未应答',
    clock: words => `设备时钟${words}`,
    late: span => `延迟 ${span}到达`,
    joint: '，',
    why: '：',
  },
);

/** `right (±1 s)`, `90 s slow (±1 s)`, `at least 5 min fast`. */
export function clockWords({ state, offset_s, within_s }: ClockReport): string {
  const text = clockText(language.value, { state, offset: offset_s, within: within_s });
  const { why, unanswered } = say.value;
  return state === 'not known' ? `${text}${why}${unanswered}` : text;
}

/** `clock 90 s slow (±1 s)`. */
export const clockNote = (clock: ClockReport): string => say.value.clock(clockWords(clock));

/** `25 h`: by how much something came late. */
export const lateNote = (seconds: number): string => spanText(language.value, seconds);

/** Note on a record's time: empty for most. */
export function timeNote({ clock, late_s }: { readonly clock: ClockReport; readonly late_s: number | null }): string {
  const isSaid = clock.wrong || (late_s !== null && clock.state === 'right');
  return [late_s === null ? '' : say.value.late(lateNote(late_s)), isSaid ? clockNote(clock) : '']
    .filter(text => text !== '')
    .join(say.value.joint);
}
