import { area } from '../../words/index.ts';

export const wallWords = area(
  {
    latest: 'Latest arrivals',
    nobodyYet: 'Nobody has come in yet today.',
    notWell: 'Status',
  },
  {
    latest: '最近到达',
    nobodyYet: '今天还没有人打卡。',
    notWell: '运行状态',
  },
);
