import { area } from '../../words/index.ts';

export const clockHistoryWords = area(
  {
    title: 'Delay and clock, last two weeks',
    none: 'Not enough data yet',
    never: 'Every record arrived within a minute',
    late: (span: string, at: string) => `Longest delay ${span} at ${at}`,
    lateness: 'Delay',
    offset: 'Clock ahead of gateway',
    atLeast: (low: string) => `at least ${low}`,
    between: (low: string, high: string) => `${low} to ${high}`,
  },
  {
    title: '两周的记录延迟与时钟',
    none: '暂无足够数据',
    never: '全部记录在一分钟内到达',
    late: (span, at) => `最长延迟 ${span}（${at}）`,
    lateness: '延迟',
    offset: '时钟快于网关',
    atLeast: low => `至少 ${low}`,
    between: (low, high) => `${low} 至 ${high}`,
  },
);
