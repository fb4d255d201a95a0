import { area } from '../../words/index.ts';

export const hoursWords = area(
  {
    title: 'Online over two weeks',
    none: 'Nothing is kept yet: the first hour is being counted.',
    always: 'In every hour that the box ran.',
    share: (share: string) => `${share} % of the time.`,
    shareSince: (share: string, from: string) => `${share} % of the time since ${from}.`,
    longest: (from: string, hours: string) => ` Longest away from ${from}: ${hours} h.`,
    online: 'Online',
    off: 'box off, or nothing kept',
  },
  {
    title: '两周在线情况',
    none: '还没有数据：正在统计第一个小时。',
    always: '网关运行的每个小时都在线。',
    share: share => `${share} % 的时间在线。`,
    shareSince: (share, from) => `自 ${from} 起 ${share} % 的时间在线。`,
    longest: (from, hours) => `最长离线从 ${from} 起：${hours} 小时。`,
    online: '在线',
    off: '网关停机或没有数据',
  },
);
