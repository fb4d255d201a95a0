import { area } from '../../words/index.ts';

export const hoursWords = area(
  {
    title: 'Uptime, last two weeks',
    none: 'Not enough data yet',
    always: 'Online every hour that the gateway ran',
    share: (share: string) => `Online ${share} % of the time`,
    shareSince: (share: string, from: string) => `Online ${share} % of the time since ${from}`,
    longest: (from: string, hours: string) => ` · longest outage ${hours} h from ${from}`,
    online: 'Online',
    scale: 'Share of each hour',
    off: 'gateway off, or no data',
  },
  {
    title: '两周在线情况',
    none: '暂无足够数据',
    always: '网关运行期间全程在线',
    share: share => `在线率 ${share} %`,
    shareSince: (share, from) => `自 ${from} 起在线率 ${share} %`,
    longest: (from, hours) => ` · 最长离线 ${hours} 小时（${from} 起）`,
    online: '在线',
    scale: '每小时在线比例',
    off: '网关停机或没有数据',
  },
);
