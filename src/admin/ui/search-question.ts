import { addDays, isDay } from '../../runtime/calendar-date.ts';
import { withoutEnd } from '../../runtime/without-end.ts';

/** Text typed into the search, taken apart. */
interface SearchQuestion {
  /** The words that name something; empty: only a question, such as "refused". */
  readonly about: string;
  /** Whether it asks why something was refused. */
  readonly asksWhy: boolean;
  /** A day that was named with a person; null: none. */
  readonly day: string | null;
  /** The number of a record in the journal; null: it names none. */
  readonly record: number | null;
}

const whyInEnglish = /^(why|reason|refused|rejected|denied|blocked)$/;
const fillersInEnglish =
  /^(is|was|were|are|be|been|has|have|had|did|does|do|it|not|let|in|the|a|an|of|for|from|by|isn't|wasn't|away|turned|device|caller|program|call|calls|login)$/;
// Longer words before those that they begin with.
const whyInChinese = ['为什么', '为何', '为啥', '怎么', '何故', '原因', '被拒绝', '被拒', '拒绝', '拒收', '停用'];
const fillersInChinese = [
  ...['没有', '没能', '不能', '无法', '未能', '接入', '连接', '登录', '连不上', '调用', '不了', '设备', '程序', '什么'],
  ...['呢', '了', '吗', '的', '是', '会'],
];
const asksInChinese = new RegExp(whyInChinese.join('|'));
const questionInChinese = new RegExp([...whyInChinese, ...fillersInChinese].join('|'), 'g');

// In a literal, Chinese is written as escapes: the build escapes strings alone, and the program is
// ASCII.
/** A number, alone or after "record" (in Chinese 记录). */
const aRecord = /^(?:#|record ?#?|seq ?|\u8bb0\u5f55 ?#?)?(\d{1,15})$/i;

/**
 * Understands a name or an id; "why was D0014 refused" and "D0014 为什么被拒绝"; a name with a day
 * ("Li Mei 2026-11-20", "李梅 昨天"); and the number of a record ("17", "#17", "record 17",
 * "记录17"). `today` is the day of the site.
 */
export function questionOf(typed: string, today: string): SearchQuestion {
  const text = withoutEnd(typed.normalize('NFKC').replace(/\s+/g, ' '), ' ?!').trim();
  const record = aRecord.exec(text)?.[1];
  const { day, rest } = withoutDay(text, today);
  return { ...subjectOf(rest), day, record: record === undefined ? null : Number(record) };
}

function subjectOf(text: string): Pick<SearchQuestion, 'about' | 'asksWhy'> {
  const words = text.split(' ').filter(Boolean);
  if (words.some(word => whyInEnglish.test(word.toLowerCase()))) {
    const named = words.filter(word => !whyInEnglish.test(word.toLowerCase()));
    return { about: named.filter(word => !fillersInEnglish.test(word.toLowerCase())).join(' '), asksWhy: true };
  }
  if (!asksInChinese.test(text)) return { about: text, asksWhy: false };
  return { about: text.replace(questionInChinese, ' ').replace(/\s+/g, ' ').trim(), asksWhy: true };
}

const relativeDays: readonly (readonly [words: readonly string[], by: number])[] = [
  [[' today', '今天'], 0],
  [[' yesterday', '昨天'], -1],
  [['前天'], -2],
];
/** Date such as 2026-11-03, 11/3, 2026年11月3日. */
const dateAtEnd = /(?:(\d{4})[-/\u5e74])?(\d{1,2})[-/\u6708](\d{1,2})\u65e5?$/;

/** The day at the end of the text: a date, the day of a month of this year, or a word. */
function withoutDay(text: string, today: string): { day: string | null; rest: string } {
  const lower = text.toLowerCase();
  for (const [words, by] of relativeDays)
    for (const word of words)
      if (lower.endsWith(word)) return { day: addDays(today, by), rest: text.slice(0, -word.length).trim() };
  const found = dateAtEnd.exec(text);
  if (!found) return { day: null, rest: text };
  const [whole, year = today.slice(0, 4), month, date] = found;
  const before = text.slice(0, found.index);
  const day = `${year}-${month!.padStart(2, '0')}-${date!.padStart(2, '0')}`;
  // The end of a device id such as GATE-1-12 is no day.
  if (!isDay(day) || /[\w-]$/.test(before)) return { day: null, rest: text };
  return { day, rest: text.slice(0, text.length - whole.length).trim() };
}
