import { area } from '../../words/index.ts';

export const wallWords = area(
  {
    latest: 'Latest arrivals',
    nobodyYet: 'Nobody has come in yet today.',
    notWell: 'Silent devices',
    allWell: 'None.',
    never: 'never heard',
    since: (time: string) => `silent since ${time}`,
    more: (count: number) => `And ${count} more.`,
  },
  {
    latest: '最近到达',
    nobodyYet: '今天还没有人打卡。',
    notWell: '离线设备',
    allWell: '无',
    never: '从未连接',
    since: time => `${time} 起离线`,
    more: count => `另外还有 ${count} 台。`,
  },
);
