import { area } from '../../words/index.ts';

export const clockHistoryWords = area(
  {
    title: 'Lateness and clock over two weeks',
    none: 'No record of the last two weeks says what its clock was.',
    never: 'No record came more than a minute late.',
    late: (span: string, at: string) => `The latest came ${span} late, at ${at}.`,
    lateness: 'Late',
    offset: 'Clock ahead of the box',
    atLeast: (low: string) => `at least ${low}`,
    between: (low: string, high: string) => `${low} to ${high}`,
  },
  {
    title: '两周的迟到与时钟',
    none: '最近两周没有能说明其时钟的记录。',
    never: '没有记录晚到一分钟以上。',
    late: (span, at) => `最晚的一条晚到 ${span}，时间 ${at}。`,
    lateness: '晚到',
    offset: '时钟快于网关',
    atLeast: low => `至少 ${low}`,
    between: (low, high) => `${low} 至 ${high}`,
  },
);
