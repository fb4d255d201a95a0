import { area } from '../../words/index.ts';

export const wallWords = area(
  {
    latest: 'Recent check-ins',
    nobodyYet: 'No check-ins today',
    notWell: 'Status',
  },
  {
    latest: '最新打卡',
    nobodyYet: '今日暂无打卡',
    notWell: '运行状态',
  },
);
