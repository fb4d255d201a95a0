import { area } from '../../words/index.ts';

export const clockHistoryWords = area(
  {
    title: 'Delay of records and clock over two weeks',
    none: 'No record of the last two weeks tells whether its clock was right.',
    never: 'No record came more than a minute late.',
    late: (span: string, at: string) => `The latest came ${span} late, at ${at}.`,
    lateness: 'Delay',
    offset: 'Clock ahead of the box',
    atLeast: (low: string) => `at least ${low}`,
    between: (low: string, high: string) => `${low} to ${high}`,
  },
  {
    title: '两周的记录延迟与时钟',
    none: '最近两周没有能说明其时钟的记录。',
    never: '没有记录延迟一分钟以上。',
    late: (span, at) => `延迟最长 ${span}，时间 ${at}。`,
    lateness: '延迟',
    offset: '时钟快于网关',
    atLeast: low => `至少 ${low}`,
    between: (low, high) => `${low} 至 ${high}`,
  },
);
