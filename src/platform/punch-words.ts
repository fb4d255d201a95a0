type UnplacedReason =
  | 'before_window'
  | 'after_window'
  | 'before_joining'
  | 'after_leaving'
  | 'on_leave'
  | 'rest_day'
  | 'holiday'
  | 'no_schedule';

type UnplacedWords = Readonly<Record<UnplacedReason, (minutes: number) => string>>;

/**
 * Why a check-in counts for no shift, and the mark of one that counts for two: the same on the
 * pages and in the month's report.
 */
export const unplacedWords: { readonly en: UnplacedWords; readonly zh: UnplacedWords } = {
  en: {
    before_window: minutes => `${minutes} min before the window`,
    after_window: minutes => `${minutes} min after the window`,
    before_joining: () => 'before joining',
    after_leaving: () => 'after leaving',
    on_leave: () => 'on leave',
    rest_day: () => 'rest day',
    holiday: () => 'holiday',
    no_schedule: () => 'no schedule',
  },
  zh: {
    before_window: minutes => `早于打卡时段 ${minutes} 分钟`,
    after_window: minutes => `晚于打卡时段 ${minutes} 分钟`,
    before_joining: () => '入职前',
    after_leaving: () => '离职后',
    on_leave: () => '请假期间',
    rest_day: () => '休息日',
    holiday: () => '节假日',
    no_schedule: () => '无排班',
  },
};

export const bothShiftsWords = { en: 'one check-in counted for both shifts', zh: '一次打卡计入前后两班' };
