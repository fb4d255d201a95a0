import type { ClockReport } from '../../../src/admin/clock.ts';
import { area, words } from './index.ts';

/** Words for a device's clock, and for records that came late. */
const say = area(
  {
    bounds: (seconds: number) => ` (±${seconds} s)`,
    states: {
      right: (_: string, bounds: string) => `right${bounds}`,
      slow: (span: string, bounds: string) => `${span} slow${bounds}`,
      fast: (span: string, bounds: string) => `${span} fast${bounds}`,
      'about right': () => 'about right',
      'about slow': (span: string) => `about ${span} slow`,
      'about fast': (span: string) => `about ${span} fast`,
      'at least fast': (span: string) => `at least ${span} fast`,
      'not known': () => 'not known: the device has not answered a message of the box yet',
    },
    clock: (words: string) => `clock ${words}`,
    late: (span: string) => `arrived ${span} late`,
    joint: ', ',
  },
  {
    bounds: seconds => `（±${seconds} 秒）`,
    states: {
      right: (_, bounds) => `准确${bounds}`,
      slow: (span, bounds) => `慢 ${span}${bounds}`,
      fast: (span, bounds) => `快 ${span}${bounds}`,
      'about right': () => '大致准确',
      'about slow': span => `约慢 ${span}`,
      'about fast': span => `约快 ${span}`,
      'at least fast': span => `至少快 ${span}`,
      'not known': () => '未知：设备尚未应答过网关的消息',
    },
    clock: words => `设备时钟${words}`,
    late: span => `延迟 ${span}到达`,
    joint: '，',
  },
);

/** `90 s`, `25 min`, `25 h`, `3 d`: as exports say it, and closer than the age of a message. */
function spanOf(seconds: number): string {
  const said = words.value.ago;
  if (seconds < 120) return said.seconds(seconds);
  if (seconds < 7200) return said.minutes(Math.round(seconds / 60));
  if (seconds < 172_800) return said.hours(Math.round(seconds / 3600));
  return said.days(Math.round(seconds / 86_400));
}

/** `right (±1 s)`, `90 s slow (±1 s)`, `at least 5 min fast`. */
export function clockWords({ state, offset_s, within_s }: ClockReport): string {
  const { states, bounds } = say.value;
  return states[state](spanOf(Math.abs(offset_s ?? 0)), within_s === null ? '' : bounds(within_s));
}

/** `clock 90 s slow (±1 s)`. */
export const clockNote = (clock: ClockReport): string => say.value.clock(clockWords(clock));

/** `25 h`: by how much something came late. */
export const lateNote = (seconds: number): string => spanOf(seconds);

/** Note on a record's time: empty for most. */
export function timeNote({ clock, late_s }: { readonly clock: ClockReport; readonly late_s: number | null }): string {
  const isSaid = clock.wrong || (late_s !== null && clock.state === 'right');
  return [late_s === null ? '' : say.value.late(spanOf(late_s)), isSaid ? clockNote(clock) : '']
    .filter(text => text !== '')
    .join(say.value.joint);
}
