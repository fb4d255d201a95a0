import type { ClockWords } from './device-clock.ts';

export type Language = 'zh-CN' | 'en';

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;

/** `90 s`, `25 min`, `25 h`, `3 days`: a span of seconds as people say it; pages round alike. */
export function spanText(language: Language, seconds: number): string {
  const zh = language === 'zh-CN';
  if (seconds < 2 * minute) return zh ? `${seconds} 秒` : `${seconds} s`;
  if (seconds < 2 * hour) return zh ? `${Math.round(seconds / minute)} 分钟` : `${Math.round(seconds / minute)} min`;
  if (seconds < 2 * day) return zh ? `${Math.round(seconds / hour)} 小时` : `${Math.round(seconds / hour)} h`;
  return zh ? `${Math.round(seconds / day)} 天` : `${Math.round(seconds / day)} days`;
}

/** `right (±1 s)`, `90 s slow (±1 s)`, `about 90 s slow`, `at least 5 min fast`, `not known`. */
export function clockText(language: Language, { state, offset, within }: ClockWords): string {
  const zh = language === 'zh-CN';
  const span = offset === null ? '' : spanText(language, Math.abs(offset));
  const bounds = within === null ? '' : zh ? `（±${within} 秒）` : ` (±${within} s)`;
  switch (state) {
    case 'right':
      return zh ? `准确${bounds}` : `right${bounds}`;
    case 'slow':
      return zh ? `慢 ${span}${bounds}` : `${span} slow${bounds}`;
    case 'fast':
      return zh ? `快 ${span}${bounds}` : `${span} fast${bounds}`;
    case 'about right':
      return zh ? '大致准确' : 'about right';
    case 'about slow':
      return zh ? `约慢 ${span}` : `about ${span} slow`;
    case 'about fast':
      return zh ? `约快 ${span}` : `about ${span} fast`;
    case 'at least fast':
      return zh ? `至少快 ${span}` : `at least ${span} fast`;
    case 'not known':
      return zh ? '未知' : 'not known';
  }
}
